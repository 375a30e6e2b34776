// SPDX-License-Identifier: Apache-2.0
// The calls that begin and end a program, every other way in which it ends, and the call that names its
// regions.
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "profiler/isobath_region.h"
#include "profiler/library.hpp"
#include "profiler/session.hpp"

using namespace isobath::profiler;

namespace {

struct Deadly {
  int number;
  const char* name;
};
constexpr std::array<Deadly, 9> deadly = {{{SIGTERM, "SIGTERM"},
                                           {SIGINT, "SIGINT"},
                                           {SIGHUP, "SIGHUP"},
                                           {SIGSEGV, "SIGSEGV"},
                                           {SIGBUS, "SIGBUS"},
                                           {SIGFPE, "SIGFPE"},
                                           {SIGILL, "SIGILL"},
                                           {SIGABRT, "SIGABRT"},
                                           {SIGXCPU, "SIGXCPU"}}};

/// What was to happen before.
std::array<struct sigaction, deadly.size()>& earlier() {
  static std::array<struct sigaction, deadly.size()> actions{};
  return actions;
}

/// Writes, and lets the signal do what it would have done. Strictly not all of this may be done in a handler;
/// the program is lost anyway, and an alarm ends it where the writing hangs.
extern "C" void on_deadly_signal(int number) {
  ::signal(SIGALRM, SIG_DFL);
  ::alarm(5);
  for (std::size_t i = 0; i < deadly.size(); ++i) {
    if (deadly[i].number != number) continue;
    ::sigaction(number, &earlier()[i], nullptr);
    Session::instance().close(deadly[i].name);
  }
  ::alarm(0);
  ::raise(number);
}

/// Handlers of the MPI library and its transports report the crash and end the program; those of a program
/// may mend it.
bool is_of_mpi(const struct sigaction& action) {
  Dl_info place{};
  const void* handler = reinterpret_cast<const void*>(action.sa_handler);
  if (::dladdr(handler, &place) == 0 || place.dli_fname == nullptr) return false;
  const std::string_view path = place.dli_fname;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libmpi") || file.starts_with("libopen-") || file.starts_with("libuc");
}

/// From now on the rank's file is written however the program ends: by exit, or by a signal that it does not
/// handle itself. SIGKILL is the one ending that leaves nothing.
void write_at_every_end() {
  std::atexit([] { Session::instance().close_own("exited"); });
  for (std::size_t i = 0; i < deadly.size(); ++i) {
    struct sigaction& present = earlier()[i];
    if (::sigaction(deadly[i].number, nullptr, &present) != 0) continue;
    if (present.sa_handler != SIG_DFL && !is_of_mpi(present)) continue;
    struct sigaction ours{};
    ours.sa_handler = on_deadly_signal;
    ::sigaction(deadly[i].number, &ours, nullptr);
  }
}

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

/// Ends the process as the C library's does. Neither its handlers of exits nor MPI_Finalize come before it,
/// so nothing else would write what this rank recorded. That it does not return says the C library's header;
/// Clang refuses to be told again.
void _exit(int code) {
  isobath::profiler::Session::instance().close_own("exited");
  ::syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

void _Exit(int code) __attribute__((alias("_exit")));

#pragma GCC visibility pop
}
