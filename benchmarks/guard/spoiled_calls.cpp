// SPDX-License-Identifier: Apache-2.0
// An MPI library that became wrong or slower, for benchmarks/guard_real.py and tests: preloaded, it spoils
// calls of one collective. All else is the library's.
//   SPOILED_CALL   which: MPI_Alltoall, MPI_Allreduce, MPI_Bcast or MPI_Allgather
//   SPOILED_FLIP   the number of the call after which one bit of what was received is another, on one rank
//   SPOILED_RANK   of all processes; 1 where it is not set
//   SPOILED_COUNT  a file that holds how many calls and how many launches there were: launches count on
//   SPOILED_NOTE   a file that is written when the bit is flipped: one line of JSON, see Flipped
//   SPOILED_SHARE  every call takes so much longer than the library made it: 0.2 is a fifth
#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using Clock = std::chrono::steady_clock;

const char* text_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

/// Of this rank in all launches; of this launch alone where there is no file.
struct Counts {
  std::uint64_t calls = 0;
  std::uint64_t launches = 0;
};

/// Opened once in a launch, and counts it.
Counts* opened_counts() {
  static Counts here;
  Counts* counts = &here;
  const int file = open(text_of("SPOILED_COUNT"), O_RDWR | O_CREAT, 0600);
  if (file >= 0 && ftruncate(file, sizeof here) == 0) {
    void* const memory = mmap(nullptr, sizeof here, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) counts = static_cast<Counts*>(memory);
  }
  if (file >= 0) close(file);
  ++counts->launches;
  return counts;
}

/// What was received by one call.
struct Received {
  char* memory = nullptr;
  std::int64_t bytes = 0;
  int element_bytes = 1;
  MPI_Comm comm = MPI_COMM_NULL;
};

/// Calls in a row over one communicator that receive as much: those of one cell of a benchmark, which has a
/// communicator of its own.
class CallsInARow {
 public:
  /// The number of this call among them, from 0.
  std::uint64_t next(const Received& received) {
    const bool is_alike = received.comm == comm_ && received.bytes == bytes_;
    made_ = is_alike ? made_ + 1 : 0;
    comm_ = received.comm;
    bytes_ = received.bytes;
    return made_;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::int64_t bytes_ = -1;
  std::uint64_t made_ = 0;
};

/// Says what a report of the fault has to name.
struct Flipped {
  std::uint64_t call = 0;        ///< of all launches, from 1
  std::uint64_t launch = 0;      ///< from 1
  std::uint64_t repetition = 0;  ///< calls of its cell in this launch before it
  int rank = 0;                  ///< of all processes
  int ranks = 0;                 ///< of its communicator
  std::int64_t bytes = 0;        ///< that the call received
  std::int64_t element = 0;      ///< of the receive buffer, from 0
  int right = 0;                 ///< the byte that was flipped, before
  int wrong = 0;                 ///< and after

  void write() const {
    std::FILE* const file = std::fopen(text_of("SPOILED_NOTE"), "w");
    if (file == nullptr) return;
    std::fprintf(file,
                 "{\"call\": %llu, \"launch\": %llu, \"repetition\": %llu, \"rank\": %d, \"ranks\": %d, "
                 "\"bytes\": %lld, \"element\": %lld, \"right\": %d, \"wrong\": %d}\n",
                 static_cast<unsigned long long>(call), static_cast<unsigned long long>(launch),
                 static_cast<unsigned long long>(repetition), rank, ranks, static_cast<long long>(bytes),
                 static_cast<long long>(element), right, wrong);
    std::fclose(file);
  }
};

int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  return ranks;
}

int rank_here() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

bool is_rank_here() {
  const char* const wanted = *text_of("SPOILED_RANK") ? text_of("SPOILED_RANK") : "1";
  return rank_here() == std::atoi(wanted);
}

/// The last byte gets another lowest bit.
void flip(const Received& received, Flipped flipped) {
  char& last = received.memory[received.bytes - 1];
  flipped.rank = rank_here();
  flipped.ranks = ranks_of(received.comm);
  flipped.bytes = received.bytes;
  flipped.element = received.bytes / received.element_bytes - 1;
  flipped.right = static_cast<unsigned char>(last);
  last ^= 1;
  flipped.wrong = static_cast<unsigned char>(last);
  flipped.write();
}

/// Around one call of the library.
class Spoiled {
 public:
  explicit Spoiled(const char* call) : is_meant_(std::strcmp(text_of("SPOILED_CALL"), call) == 0) {}

  /// Spoils what was received where this is the call.
  int after(int code, const Received& received) const {
    if (!is_meant_ || code != MPI_SUCCESS) return code;
    wait_longer();
    if (*text_of("SPOILED_FLIP") && received.bytes > 0 && is_rank_here()) count(received);
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

  static void count(const Received& received) {
    static Counts* const counts = opened_counts();
    static CallsInARow in_a_row;
    const std::uint64_t repetition = in_a_row.next(received);
    if (++counts->calls != std::strtoull(text_of("SPOILED_FLIP"), nullptr, 10)) return;
    flip(received, {.call = counts->calls, .launch = counts->launches, .repetition = repetition});
  }

  bool is_meant_;
  Clock::time_point began_ = Clock::now();
};

/// Args: count of elements, from `blocks` ranks.
Received received_of(void* memory, MPI_Datatype type, std::int64_t count, int blocks, MPI_Comm comm) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return {.memory = static_cast<char*>(memory),
          .bytes = bytes * count * blocks,
          .element_bytes = bytes,
          .comm = comm};
}

}  // namespace

extern "C" {

int MPI_Alltoall(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm) {
  const Spoiled call("MPI_Alltoall");
  const int code = PMPI_Alltoall(out, out_count, out_type, in, in_count, in_type, comm);
  return call.after(code, received_of(in, in_type, in_count, ranks_of(comm), comm));
}

int MPI_Allgather(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                  MPI_Datatype in_type, MPI_Comm comm) {
  const Spoiled call("MPI_Allgather");
  const int code = PMPI_Allgather(out, out_count, out_type, in, in_count, in_type, comm);
  return call.after(code, received_of(in, in_type, in_count, ranks_of(comm), comm));
}

int MPI_Allreduce(const void* out, void* in, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  const Spoiled call("MPI_Allreduce");
  const int code = PMPI_Allreduce(out, in, count, type, operation, comm);
  return call.after(code, received_of(in, type, count, 1, comm));
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Spoiled call("MPI_Bcast");
  const int code = PMPI_Bcast(buffer, count, type, root, comm);
  return call.after(code, received_of(buffer, type, count, 1, comm));
}
}
