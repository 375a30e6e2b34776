// SPDX-License-Identifier: Apache-2.0
// Preloaded: MPI calls that never come to an end. HANG is a word: "messages" are never complete (MPI_Testsome
// finds none, MPI_Waitsome does not return), "pairs" stop at the call of that number, HANG_AT, of
// MPI_Sendrecv. All else is the library's.
#include <mpi.h>
#include <time.h>

#include <cstdlib>
#include <cstring>

namespace {

bool hangs(const char* what) {
  const char* const asked = std::getenv("HANG");
  return asked != nullptr && std::strcmp(asked, what) == 0;
}

void wait_for_ever() {
  const timespec moment{.tv_sec = 0, .tv_nsec = 1'000'000};
  while (true) nanosleep(&moment, nullptr);
}

void stop_where_asked() {
  static int calls = 0;
  const char* const at = std::getenv("HANG_AT");
  if (hangs("pairs") && at != nullptr && ++calls >= std::atoi(at)) wait_for_ever();
}

}  // namespace

extern "C" {

int MPI_Testsome(int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]) {
  if (!hangs("messages")) return PMPI_Testsome(count, requests, found, indices, statuses);
  *found = 0;
  return MPI_SUCCESS;
}

int MPI_Waitsome(int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]) {
  if (hangs("messages")) wait_for_ever();
  return PMPI_Waitsome(count, requests, found, indices, statuses);
}

int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                 int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status* status) {
  stop_where_asked();
  return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm,
                       status);
}

#if MPI_VERSION >= 4
int MPI_Sendrecv_c(const void* out, MPI_Count out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                   MPI_Count in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                   MPI_Status* status) {
  stop_where_asked();
  return PMPI_Sendrecv_c(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm,
                         status);
}
#endif
}
