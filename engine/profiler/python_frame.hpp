// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace isobath::profiler {

/// A line of a program in Python.
struct PythonPlace {
  std::string file;
  std::string function;
  int line = 0;

  bool operator==(const PythonPlace&) const = default;
};

/// Whether this process has an interpreter of Python whose names every library sees, as extensions need them.
/// Looked up once; a process without one is asked no more.
bool has_python();

/// Whether code at this address is mpi4py's: its calls are made for a program in Python.
bool is_of_mpi4py(const void* address);

/// Where the calling thread stands in its program in Python. Holds the interpreter's lock while it lives, so
/// that nothing else may be locked before it: mpi4py gives that lock back during a call, and takes it again
/// when the call is over. Knows nothing where the interpreter has ended or the thread is none of its own.
class PythonFrame {
 public:
  PythonFrame();
  PythonFrame(const PythonFrame&) = delete;
  PythonFrame& operator=(const PythonFrame&) = delete;
  ~PythonFrame();

  bool is_known() const { return code_ != nullptr; }
  /// The code that runs, and how far: names one place as long as that code lives.
  std::pair<const void*, int> key() const { return {code_, instruction_}; }
  PythonPlace place() const;
  /// The code lives from now on as long as the interpreter, so that no other gets its address.
  void keep() { is_kept_ = true; }

 private:
  bool is_locked_ = false;
  bool is_kept_ = false;
  int lock_ = 0;
  void* frame_ = nullptr;  // lent by the interpreter
  void* code_ = nullptr;
  int instruction_ = 0;
};

}  // namespace isobath::profiler
