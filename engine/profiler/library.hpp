// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace isobath::profiler {

/// The address of a function of the MPI library that the program runs on, wherever the loader put it (a
/// Python interpreter loads it late and for itself). Ends the program with a sentence where there is none, or
/// where the library has another binary interface than this profiler was built for: calls would be garbage.
void* find_in_library(const char* name);

/// The same, but null where the library is older than the function.
void* find_if_there(const char* name);

/// The same for an object. The program itself may hold it: the linker copies objects of libraries into
/// programs.
void* find_object(const char* name);

/// A function of the MPI library, looked up at its first use. The profiler is linked to no MPI, so that it
/// can be loaded into any program: launchers and shells too.
template <class Signature>
class LibraryFunction {
 public:
  explicit constexpr LibraryFunction(const char* name) : name_(name) {}

  Signature* found() {
    Signature* known = function_.load(std::memory_order_relaxed);
    if (known != nullptr) return known;
    known = reinterpret_cast<Signature*>(find_in_library(name_));
    function_.store(known, std::memory_order_relaxed);
    return known;
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return found()(arguments...);
  }

 private:
  const char* name_;
  std::atomic<Signature*> function_ = nullptr;
};

}  // namespace isobath::profiler
