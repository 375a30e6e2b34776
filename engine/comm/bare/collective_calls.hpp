// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/bare/element_type.hpp"

// The one table of collectives. A row has MPI's name in lower case, the same as C spells it, and what its
// function takes: a function of PassedArguments (collective_functions.hpp). Names, functions with small and
// large counts in their three forms, and calls are all made from it; a new collective is a row.

/// Those with counts, of which MPI 4 has large ones too: first of MPI-2.1, then those that came later.
#define ISOBATH_COUNTING_COLLECTIVES(ROW)                       \
  ROW(bcast, Bcast, one_buffer)                                 \
  ROW(gather, Gather, blocks_of_root)                           \
  ROW(gatherv, Gatherv, receive_counts_of_root)                 \
  ROW(scatter, Scatter, blocks_of_root)                         \
  ROW(scatterv, Scatterv, send_counts_of_root)                  \
  ROW(allgather, Allgather, blocks)                             \
  ROW(allgatherv, Allgatherv, receive_counts)                   \
  ROW(alltoall, Alltoall, blocks)                               \
  ROW(alltoallv, Alltoallv, both_counts)                        \
  ROW(alltoallw, Alltoallw, typed_counts)                       \
  ROW(reduce, Reduce, vector_of_root)                           \
  ROW(allreduce, Allreduce, vector)                             \
  ROW(reduce_scatter, Reduce_scatter, vector_with_counts)       \
  ROW(scan, Scan, vector)                                       \
  ROW(exscan, Exscan, vector)                                   \
  ROW(reduce_scatter_block, Reduce_scatter_block, block)        \
  ROW(neighbor_allgather, Neighbor_allgather, blocks)           \
  ROW(neighbor_allgatherv, Neighbor_allgatherv, receive_counts) \
  ROW(neighbor_alltoall, Neighbor_alltoall, blocks)             \
  ROW(neighbor_alltoallv, Neighbor_alltoallv, both_counts)      \
  ROW(neighbor_alltoallw, Neighbor_alltoallw, addressed_counts)

#define ISOBATH_COLLECTIVES(ROW) ROW(barrier, Barrier, nothing) ISOBATH_COUNTING_COLLECTIVES(ROW)

namespace isobath {

// The MPI functions themselves, for benchmarks: nothing is counted, watched or cut into pieces, and between
// the caller and the library stands one call by pointer.

/// First the 16 of MPI-2.1, then those that came later: the rows of the table.
enum class Collective : int {
#define ISOBATH_ENUMERATOR(name, Name, takes) name,
  ISOBATH_COLLECTIVES(ISOBATH_ENUMERATOR)
#undef ISOBATH_ENUMERATOR
};
/// MPI's names in lower case, in the order of the enumeration.
std::span<const std::string_view> collective_names();
std::string_view name_of(Collective collective);
/// @throws UsageError
Collective parse_collective(std::string_view name);

/// blocking: the call. nonblocking: start and wait. persistent: made once before, then start and wait.
enum class Form : int { blocking, nonblocking, persistent };
std::span<const std::string_view> form_names();
std::string_view name_of(Form form);
/// @throws UsageError
Form parse_form(std::string_view name);

/// What one rank passes to a collective; each takes what it has use for. Counts and offsets are in elements,
/// also where MPI wants bytes.
struct BareArguments {
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;  // bcast: the one buffer
  std::int64_t send_count = 0;
  std::int64_t receive_count = 0;
  std::vector<std::int64_t> send_counts = {};
  std::vector<std::int64_t> send_offsets = {};
  std::vector<std::int64_t> receive_counts = {};
  std::vector<std::int64_t> receive_offsets = {};
  ElementType type = ElementType::plain_byte;
  Operation operation = Operation::sum;
  int root_rank = 0;
};

/// What a call returns that did not fail.
inline constexpr int call_succeeded = MPI_SUCCESS;

/// One call with its arguments, to be made again and again. Functions return what MPI returned, so that
/// nothing but the call is timed; the caller checks it afterwards.
class BareCall {
 public:
  BareCall() = default;
  BareCall(const BareCall&) = delete;
  BareCall& operator=(const BareCall&) = delete;
  virtual ~BareCall();

  /// Collective. A blocking call is complete when it returns.
  virtual int start() noexcept = 0;
  /// Until what was started is complete.
  virtual int wait() noexcept = 0;
  /// Whether it is, which lets the library work on it.
  virtual int test(bool& is_complete) noexcept = 0;
  int run() noexcept {
    const int code = start();
    return code == MPI_SUCCESS ? wait() : code;
  }
};

/// True where counts and offsets fit the 32-bit integers of the ordinary functions.
bool fits_small_counts(Collective collective, const BareArguments& arguments);

/// The MPI function for this, in lower case without prefix: iallgatherv_c. Absent where this MPI lacks it.
std::optional<std::string> call_name(Collective collective, Form form, bool large_counts);

/// Collective where the form is persistent. The function that call_name() names, with these arguments.
/// Buffers and communicator outlive it. @throws MpiError, InternalError where there is no such function
std::unique_ptr<BareCall> make_bare_call(Collective collective, Form form, bool large_counts,
                                         const BareArguments& arguments, MPI_Comm comm);

}  // namespace isobath
