// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/bare/collective_calls.hpp"

namespace isobath {

/// One's own algorithm for a collective that the MPI library has too. Every rank of `comm` calls it with what
/// it would pass to the library's function; returns what MPI returned.
using OwnFunction = int (*)(const BareArguments& arguments, MPI_Comm comm) noexcept;

struct OwnAlgorithm {
  std::string_view name;  // own_ring: no library has such names
  OwnFunction function = nullptr;
  std::vector<Collective> collectives;  // that it carries out
};

/// All of them: the lines of own_algorithms.cpp.
std::vector<OwnAlgorithm> own_algorithms();

/// One of a collective. @throws UsageError naming those that there are
OwnAlgorithm own_algorithm(std::string_view name, Collective collective);

/// A line for each: its name and its collectives, with blanks between.
std::string list_of_own_algorithms();

/// A blocking call of it. Buffers and communicator outlive the call.
std::unique_ptr<BareCall> make_own_call(OwnFunction function, BareArguments arguments, MPI_Comm comm);

}  // namespace isobath
