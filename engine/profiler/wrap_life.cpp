// SPDX-License-Identifier: Apache-2.0
// The calls that begin and end a program, and the one that names its regions.
#include <mpi.h>

#include <cstdarg>
#include <cstdlib>

#include "profiler/endings.hpp"
#include "profiler/isobath_region.h"
#include "profiler/library.hpp"
#include "profiler/session.hpp"

using namespace isobath::profiler;

namespace {

void opened(bool is_threaded) {
  Session::instance().open(is_threaded);
  if (Session::instance().is_counting()) write_at_every_end();
}

/// What a level of MPI_Pcontrol means; the words behind it are read only where their meaning is sure.
void control(int level, va_list arguments) {
  Session& session = Session::instance();
  if (level == 0 || (level == 1 && !session.names_regions_as_ipm())) {
    session.turn(level == 1);
    return;
  }
  if (!session.is_counting()) return;
  session.lock();
  Regions& regions = session.recorder().regions();
  if (level == ISOBATH_REGION_ENTER) {
    regions.enter(va_arg(arguments, const char*), -1);
  } else if (level == ISOBATH_REGION_LEAVE) {
    regions.leave();
  } else if (level == ISOBATH_REGION_CHANGE) {
    const char* name = va_arg(arguments, const char*);
    regions.change(name, va_arg(arguments, int));
  } else if (level == ISOBATH_REGION_SEARCH) {
    regions.set_search(va_arg(arguments, int));
  } else if (session.names_regions_as_ipm() && level == 1) {
    regions.enter(va_arg(arguments, const char*), -1);
  } else if (session.names_regions_as_ipm() && level == -1) {
    regions.leave();
  } else if (level > 2) {
    regions.enter("level", level);  // from Fortran, which has no second argument
  } else if (level < -2) {
    regions.leave();
  }
  session.unlock();
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

int MPI_Init(int* argc, char*** argv) {
  static constinit LibraryFunction<decltype(PMPI_Init)> library{"PMPI_Init"};
  Session::instance().note_process();
  const int result = library(argc, argv);
  if (result == MPI_SUCCESS) opened(false);
  return result;
}
int PMPI_Init(int* argc, char*** argv) __attribute__((alias("MPI_Init")));

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static constinit LibraryFunction<decltype(PMPI_Init_thread)> library{"PMPI_Init_thread"};
  Session::instance().note_process();
  const int result = library(argc, argv, required, provided);
  if (result == MPI_SUCCESS) opened(*provided >= MPI_THREAD_SERIALIZED);
  return result;
}
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided)
    __attribute__((alias("MPI_Init_thread")));

int MPI_Finalize() {
  static constinit LibraryFunction<decltype(PMPI_Finalize)> library{"PMPI_Finalize"};
  Session::instance().close("finalized");
  Session::instance().beat().call_begins("MPI_Finalize");
  return library();
}
int PMPI_Finalize() __attribute__((alias("MPI_Finalize")));

int MPI_Abort(MPI_Comm comm, int code) {
  static constinit LibraryFunction<decltype(PMPI_Abort)> library{"PMPI_Abort"};
  Session::instance().close("aborted");
  return library(comm, code);
}
int PMPI_Abort(MPI_Comm comm, int code) __attribute__((alias("MPI_Abort")));

int MPI_Pcontrol(const int level, ...) {
  va_list arguments;
  va_start(arguments, level);
  control(level, arguments);
  va_end(arguments);
  return MPI_SUCCESS;
}
int PMPI_Pcontrol(const int level, ...) __attribute__((alias("MPI_Pcontrol")));

#pragma GCC visibility pop
}
