// SPDX-License-Identifier: Apache-2.0
#include "profiler/python_frame.hpp"

#include <dlfcn.h>
#include <sys/types.h>

#include <string_view>

namespace isobath::profiler {
namespace {

/// Functions of the interpreter that this process has, all public, most of them of its stable binary
/// interface. The profiler is built without any Python.
struct Interpreter {
  int (*is_initialized)();
  void* (*this_thread)();
  int (*ensure)();
  void (*release)(int);
  void* (*frame)();
  void* (*code)(void* frame);
  int (*line)(void* frame);
  int (*instruction)(void* frame);  // since 3.11
  int (*stop_collecting)();         // since 3.10
  int (*collect_again)();
  void (*fetch_error)(void**, void**, void**);
  void (*restore_error)(void*, void*, void*);
  void* (*attribute)(void* object, const char* name);
  const char* (*text)(void* object, ssize_t* length);
  void (*let_go)(void* object);

  bool is_complete() const {
    return is_initialized && this_thread && ensure && release && frame && code && line && fetch_error &&
           restore_error && attribute && text && let_go;
  }
};

template <class Function>
void look_up(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

Interpreter looked_up() {
  Interpreter python{};
  look_up(python.is_initialized, "Py_IsInitialized");
  if (python.is_initialized == nullptr) return python;
  look_up(python.this_thread, "PyGILState_GetThisThreadState");
  look_up(python.ensure, "PyGILState_Ensure");
  look_up(python.release, "PyGILState_Release");
  look_up(python.frame, "PyEval_GetFrame");
  look_up(python.code, "PyFrame_GetCode");
  look_up(python.line, "PyFrame_GetLineNumber");
  look_up(python.instruction, "PyFrame_GetLasti");
  look_up(python.stop_collecting, "PyGC_Disable");
  look_up(python.collect_again, "PyGC_Enable");
  look_up(python.fetch_error, "PyErr_Fetch");
  look_up(python.restore_error, "PyErr_Restore");
  look_up(python.attribute, "PyObject_GetAttrString");
  look_up(python.text, "PyUnicode_AsUTF8AndSize");
  look_up(python.let_go, "Py_DecRef");
  return python;
}

const Interpreter& interpreter() {
  static const Interpreter of_process = looked_up();
  return of_process;
}

/// A name that a code object has; empty where there is none.
std::string name_of(const Interpreter& python, void* code, const char* attribute) {
  void* const object = python.attribute(code, attribute);
  if (object == nullptr) return {};
  ssize_t length = 0;
  const char* const letters = python.text(object, &length);
  std::string name = letters == nullptr ? "" : std::string(letters, static_cast<std::size_t>(length));
  python.let_go(object);
  return name;
}

}  // namespace

bool has_python() { return interpreter().is_complete(); }

bool is_of_mpi4py(const void* address) {
  Dl_info place{};
  if (::dladdr(address, &place) == 0 || place.dli_fname == nullptr) return false;
  return std::string_view(place.dli_fname).find("/mpi4py/") != std::string_view::npos;
}

PythonFrame::PythonFrame() {
  const Interpreter& python = interpreter();
  if (python.is_initialized() == 0 || python.this_thread() == nullptr) return;
  lock_ = python.ensure();
  is_locked_ = true;
  // An object is made for the frame where it has none yet. Before Python 3.12 that may start a collection,
  // which runs the program's code: not in here.
  const bool may_stop = python.stop_collecting != nullptr && python.collect_again != nullptr;
  const bool did_collect = may_stop && python.stop_collecting() != 0;
  frame_ = python.frame();
  if (did_collect) python.collect_again();
  if (frame_ == nullptr) return;
  code_ = python.code(frame_);
  instruction_ = python.instruction == nullptr ? python.line(frame_) : python.instruction(frame_);
}

PythonFrame::~PythonFrame() {
  if (!is_locked_) return;
  if (code_ != nullptr && !is_kept_) interpreter().let_go(code_);
  interpreter().release(lock_);
}

PythonPlace PythonFrame::place() const {
  const Interpreter& python = interpreter();
  // Calls are made while an exception is under way, too: objects that end free what they hold.
  void* type = nullptr;
  void* value = nullptr;
  void* trace = nullptr;
  python.fetch_error(&type, &value, &trace);
  PythonPlace here{.file = name_of(python, code_, "co_filename"),
                   .function = name_of(python, code_, "co_qualname"),  // since 3.11
                   .line = python.line(frame_)};
  if (here.function.empty()) {
    python.restore_error(nullptr, nullptr, nullptr);
    here.function = name_of(python, code_, "co_name");
  }
  python.restore_error(type, value, trace);
  return here;
}

}  // namespace isobath::profiler
