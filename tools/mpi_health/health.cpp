// SPDX-License-Identifier: Apache-2.0
// Is this MPI sound enough to use? Checks rank and size, and every byte of an irregular exchange, by the
// plain call and, where the library offers it, by the large-count call. Prints one line of JSON on rank 0;
// the line of each rank's number and size comes first, so that N copies of "rank 0 of 1" are recognised as
// such.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

// What rank `from` sends to rank `to` at position `at`.
std::uint32_t pattern(int from, int to, int at) {
  return static_cast<std::uint32_t>(from) * 2654435761u + static_cast<std::uint32_t>(to) * 40503u +
         static_cast<std::uint32_t>(at) * 97u + 1u;
}

// Elements from one rank to another: different for every pair, zero for some.
int amount(int from, int to) { return ((from * 7 + to * 3) % 5) * 1000; }

template <class Count, class Offset, class Call>
bool exchange_is_right(int rank, int size, Call call) {
  std::vector<Count> send_counts, receive_counts;
  std::vector<Offset> send_offsets, receive_offsets;
  std::vector<std::uint32_t> send;
  Offset received = 0;
  for (int other = 0; other < size; ++other) {
    send_counts.push_back(amount(rank, other));
    send_offsets.push_back(static_cast<Offset>(send.size()));
    for (int at = 0; at < amount(rank, other); ++at) send.push_back(pattern(rank, other, at));
    receive_counts.push_back(amount(other, rank));
    receive_offsets.push_back(received);
    received += amount(other, rank);
  }
  std::vector<std::uint32_t> receive(static_cast<std::size_t>(received) + 1, 0);
  if (call(send.data(), send_counts.data(), send_offsets.data(), receive.data(), receive_counts.data(),
           receive_offsets.data()) != MPI_SUCCESS) {
    return false;
  }
  std::size_t position = 0;
  for (int other = 0; other < size; ++other) {
    for (int at = 0; at < amount(other, rank); ++at) {
      if (receive[position++] != pattern(other, rank, at)) return false;
    }
  }
  return true;
}

const char* large_counts(int rank, int size) {
#if MPI_VERSION >= 4
  const bool right = exchange_is_right<MPI_Count, MPI_Aint>(
      rank, size, [](auto* send, auto* counts, auto* offsets, auto* receive, auto* counts2, auto* offsets2) {
        return MPI_Alltoallv_c(send, counts, offsets, MPI_UINT32_T, receive, counts2, offsets2, MPI_UINT32_T,
                               MPI_COMM_WORLD);
      });
  return right ? "right" : "wrong";
#else
  return rank < size ? "absent" : "wrong";
#endif
}

// The file that the standard ABI's library was loaded from; empty under an MPI that is another.
std::string loaded_library() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && line.find("/libmpi_abi.so", path) != std::string::npos)
      return line.substr(path);
  }
  return "";
}

// A JSON string: its first line, without what would need an escape.
std::string in_json(const std::string& text) {
  std::string kept;
  for (const char letter : text) {
    if (letter == '\n' || letter == '\0') break;
    kept += letter == '"' || letter == '\\' || letter == '\t' ? ' ' : letter;
  }
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1;
  int size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::printf("rank %d of %d\n", rank, size);
  std::fflush(stdout);

  const bool plain = exchange_is_right<int, int>(
      rank, size, [](auto* send, auto* counts, auto* offsets, auto* receive, auto* counts2, auto* offsets2) {
        return MPI_Alltoallv(send, counts, offsets, MPI_UINT32_T, receive, counts2, offsets2, MPI_UINT32_T,
                             MPI_COMM_WORLD);
      });
  const std::string large = large_counts(rank, size);

  int all_plain = 0;
  int all_large = 0;
  const int mine = plain ? 1 : 0;
  const int mine_large = large == "wrong" ? 0 : 1;
  MPI_Allreduce(&mine, &all_plain, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&mine_large, &all_large, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);

  if (rank == 0) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    int version = 0;
    int subversion = 0;
    MPI_Get_library_version(library, &length);
    MPI_Get_version(&version, &subversion);
    const std::string name = in_json(std::string(library, static_cast<std::size_t>(length)));
#ifdef MPI_ABI_VERSION
    const bool standard_abi = true;
#else
    const bool standard_abi = false;
#endif
    std::printf(
        "{\"library\": \"%s\", \"standard\": \"%d.%d\", \"alltoallv\": \"%s\", \"alltoallv_c\": \"%s\", "
        "\"standard_abi\": %s, \"loaded\": \"%s\"}\n",
        name.c_str(), version, subversion, all_plain ? "right" : "wrong", all_large ? large.c_str() : "wrong",
        standard_abi ? "true" : "false", in_json(loaded_library()).c_str());
    std::fflush(stdout);
  }
  MPI_Finalize();
  return all_plain && all_large ? 0 : 1;
}
