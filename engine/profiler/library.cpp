// SPDX-License-Identifier: Apache-2.0
#include "profiler/library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace isobath::profiler {
namespace {

[[noreturn]] void refuse(const char* name, const char* why) {
  std::fprintf(stderr,
               "isobath profile: MPI_%s cannot be passed on: %s; name the MPI of the program with "
               "./isobath profile --abi\n",
               name + (std::strncmp(name, "PMPI_", 5) == 0 ? 5 : 0), why);
  std::fflush(stderr);
  ::_exit(3);
}

/// Which binary interface a loaded MPI library has, told by its file name, as its soname is the promise.
std::string_view abi_of(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (file.starts_with("libmpi_abi.so")) return "mpi5";
  if (file.starts_with("libmpi.so.40")) return "ompi";
  if (file.starts_with("libmpi.so.12") || file.starts_with("libmpich")) return "mpich";
  return "";
}

struct Search {
  const char* name;
  void* found;
};

/// Looks into every loaded MPI library, also into those whose names nobody else sees.
int look_into(dl_phdr_info* object, std::size_t, void* search) {
  auto& wanted = *static_cast<Search*>(search);
  if (object->dlpi_name == nullptr || abi_of(object->dlpi_name).empty()) return 0;
  void* handle = ::dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 0;
  wanted.found = ::dlsym(handle, wanted.name);
  return wanted.found != nullptr ? 1 : 0;
}

/// In libraries that nobody else sees, too.
void* searched(const char* name, void* found) {
  if (found != nullptr) return found;
  Search search{name, nullptr};
  ::dl_iterate_phdr(look_into, &search);
  return search.found;
}

/// What must hold for what is found.
void* checked(const char* name, void* found) {
  found = searched(name, found);
  if (found == nullptr) refuse(name, "no loaded MPI library has it");
  Dl_info place{};
  if (::dladdr(found, &place) != 0 && place.dli_fname != nullptr) {
    const std::string_view abi = abi_of(place.dli_fname);
    // Another tool may stand between; only a library that says what it is can contradict.
    if (!abi.empty() && abi != ISOBATH_PROFILER_ABI) {
      refuse(name, "the program runs on an MPI library of another binary interface");
    }
  }
  return found;
}

}  // namespace

void* find_in_library(const char* name) { return checked(name, ::dlsym(RTLD_NEXT, name)); }

void* find_if_there(const char* name) { return searched(name, ::dlsym(RTLD_NEXT, name)); }

void* find_object(const char* name) { return checked(name, ::dlsym(RTLD_DEFAULT, name)); }

}  // namespace isobath::profiler
