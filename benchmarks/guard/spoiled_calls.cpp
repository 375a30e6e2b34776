// SPDX-License-Identifier: Apache-2.0
// An MPI library that became wrong or slower, for benchmarks/guard_real.py and tests: preloaded, it spoils
// calls of one collective. All else is the library's.
//   SPOILED_CALL   which: MPI_Alltoall, MPI_Allreduce, MPI_Bcast or MPI_Allgather
//   SPOILED_FLIP   the number of the call after which one bit of what was received is another, on one rank
//   SPOILED_RANK   of all processes; 1 where it is not set
//   SPOILED_COUNT  a file that holds how many calls there were: launches count on
//   SPOILED_SHARE  every call takes so much longer than the library made it: 0.2 is a fifth
#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

using Clock = std::chrono::steady_clock;

const char* text_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

/// Calls of this rank in all launches; of this launch alone where there is no file.
std::uint64_t* counter() {
  static std::uint64_t here = 0;
  const int file = open(text_of("SPOILED_COUNT"), O_RDWR | O_CREAT, 0600);
  if (file < 0) return &here;
  if (ftruncate(file, sizeof here) != 0) return &here;
  void* const memory = mmap(nullptr, sizeof here, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? &here : static_cast<std::uint64_t*>(memory);
}

bool is_rank_here() {
  const char* const wanted = *text_of("SPOILED_RANK") ? text_of("SPOILED_RANK") : "1";
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == std::atoi(wanted);
}

/// Around one call of the library.
class Spoiled {
 public:
  explicit Spoiled(const char* call) : is_meant_(std::strcmp(text_of("SPOILED_CALL"), call) == 0) {}

  /// What was received: its last byte gets another bit where this is the call.
  int after(int code, void* received, std::int64_t bytes) const {
    if (!is_meant_ || code != MPI_SUCCESS) return code;
    wait_longer();
    if (*text_of("SPOILED_FLIP") && bytes > 0 && is_rank_here()) flip(static_cast<char*>(received), bytes);
    return code;
  }

 private:
  void wait_longer() const {
    const double share = std::atof(text_of("SPOILED_SHARE"));
    const auto end = Clock::now();
    const auto longer = share * std::chrono::duration<double>(end - began_);
    while (Clock::now() - end < longer) {
    }
  }

  static void flip(char* received, std::int64_t bytes) {
    static std::uint64_t* const calls = counter();
    if (++*calls == std::strtoull(text_of("SPOILED_FLIP"), nullptr, 10)) received[bytes - 1] ^= 1;
  }

  bool is_meant_;
  Clock::time_point began_ = Clock::now();
};

std::int64_t bytes_of(MPI_Datatype type, std::int64_t count) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return count * bytes;
}

int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  return ranks;
}

}  // namespace

extern "C" {

int MPI_Alltoall(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm) {
  const Spoiled call("MPI_Alltoall");
  const int code = PMPI_Alltoall(out, out_count, out_type, in, in_count, in_type, comm);
  return call.after(code, in, bytes_of(in_type, in_count) * ranks_of(comm));
}

int MPI_Allgather(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                  MPI_Datatype in_type, MPI_Comm comm) {
  const Spoiled call("MPI_Allgather");
  const int code = PMPI_Allgather(out, out_count, out_type, in, in_count, in_type, comm);
  return call.after(code, in, bytes_of(in_type, in_count) * ranks_of(comm));
}

int MPI_Allreduce(const void* out, void* in, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  const Spoiled call("MPI_Allreduce");
  return call.after(PMPI_Allreduce(out, in, count, type, operation, comm), in, bytes_of(type, count));
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Spoiled call("MPI_Bcast");
  return call.after(PMPI_Bcast(buffer, count, type, root, comm), buffer, bytes_of(type, count));
}
}
