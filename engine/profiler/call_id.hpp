// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace isobath::profiler {

/// The MPI calls of one library, in MPI's names in lower case without prefix; generated from calls.toml and
/// mpi.h.
enum class CallId : std::uint16_t {
#define ISOBATH_CALL(name) name,
#include "call_names.inc"
#undef ISOBATH_CALL
};

inline constexpr std::string_view call_names[] = {
#define ISOBATH_CALL(name) #name,
#include "call_names.inc"
#undef ISOBATH_CALL
};
inline constexpr std::size_t num_calls = std::size(call_names);

/// How the ranks of a communicator wait for each other in a call.
enum class Join : unsigned char {
  none,       // nobody need wait, or nobody can know
  all,        // each for the last to come
  root,       // the root for the last to come
  from_root,  // each for the root
};
inline constexpr std::array<std::string_view, 4> join_names = {"none", "all", "root", "from_root"};

}  // namespace isobath::profiler
