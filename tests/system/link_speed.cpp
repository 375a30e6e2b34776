// SPDX-License-Identifier: Apache-2.0
// link_speed BYTES TURNS: how fast BYTES come from rank 0 to rank 1, and how long a byte takes to go there
// and back. Prints the seconds of both, and how many ranks MPI sees on the node of rank 0.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// There and back: `there` bytes to rank 1, then one byte to rank 0.
void turn(int rank, std::vector<char>& buffer, int there) {
  if (rank == 0) {
    MPI_Send(buffer.data(), there, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer.data(), 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(buffer.data(), there, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer.data(), 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
}

/// As many bytes as the buffer has, written into rank 1's by one-sided communication.
double seconds_of_put(int rank, std::vector<char>& buffer) {
  const int bytes = static_cast<int>(buffer.size());
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(buffer.data(), bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  const double begin = MPI_Wtime();
  if (rank == 0) MPI_Put(buffer.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
  MPI_Win_fence(0, window);
  const double seconds = MPI_Wtime() - begin;
  MPI_Win_free(&window);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = std::atoi(argv[1]);
  const int turns = std::atoi(argv[2]);
  std::vector<char> buffer(static_cast<std::size_t>(bytes));

  turn(rank, buffer, 1);  // connections are made
  double begin = MPI_Wtime();
  turn(rank, buffer, bytes);
  const double seconds_of_message = MPI_Wtime() - begin;
  const double seconds_of_window = seconds_of_put(rank, buffer);
  begin = MPI_Wtime();
  for (int i = 0; i < turns; ++i) turn(rank, buffer, 1);
  const double seconds_of_turn = (MPI_Wtime() - begin) / turns;

  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int node_ranks = 0;
  MPI_Comm_size(node, &node_ranks);
  if (rank == 0)
    std::printf("%.9f %.9f %.9f %d\n", seconds_of_message, seconds_of_window, seconds_of_turn, node_ranks);
  std::fflush(stdout);  // MPI_Finalize may not return
  MPI_Comm_free(&node);
  MPI_Finalize();
}
