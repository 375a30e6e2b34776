// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>

#include "comm/bare/collective_calls.hpp"
#include "comm/bare/mpi_types.hpp"

namespace isobath::own {

/// Allgather in a ring: each rank hands on to the next one the block that came last, its own first. After
/// size - 1 steps every rank has every block.
int ring(const BareArguments& a, MPI_Comm comm) noexcept {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const MPI_Datatype type = mpi_type(a.type);
  const std::int64_t bytes = bytes_of(a.type);
  const auto block = [&](int of) {
    return a.receive + a.receive_offsets[static_cast<std::size_t>(of)] * bytes;
  };
  const auto count = [&](int of) { return static_cast<int>(a.receive_counts[static_cast<std::size_t>(of)]); };
  std::copy_n(a.send, a.send_count * bytes, block(rank));
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  for (int step = 0; step + 1 < size; ++step) {
    const int handed_on = (rank + size - step) % size;
    const int arriving = (previous + size - step) % size;
    const int code = MPI_Sendrecv(block(handed_on), count(handed_on), type, next, 0, block(arriving),
                                  count(arriving), type, previous, 0, comm, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace isobath::own
