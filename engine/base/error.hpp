// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace isobath {

/// Exit codes, shared with the command line (docs/reference/exit-codes.md).
enum class ExitCode : int {
  done = 0,
  violations = 1,   // validation found violations
  usage = 2,        // wrong use
  environment = 3,  // MPI, files, memory
  internal = 4,     // a defect of Isobath
  timeout = 7,      // time-out or hang
  refused = 8,      // would not fit
};

/// An error with the exit code it ends in. The text is one sentence: what is wrong, what to do.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The caller asked for something that makes no sense.
struct UsageError : Error {
  explicit UsageError(const std::string& sentence) : Error(ExitCode::usage, sentence) {}
};

/// The machine does not give what is needed: MPI, files, memory.
struct EnvironmentError : Error {
  explicit EnvironmentError(const std::string& sentence) : Error(ExitCode::environment, sentence) {}
};

/// A run that would not fit this machine.
struct RefusedError : Error {
  explicit RefusedError(const std::string& sentence) : Error(ExitCode::refused, sentence) {}
};

/// A fact that Isobath itself guarantees does not hold.
struct InternalError : Error {
  explicit InternalError(const std::string& sentence) : Error(ExitCode::internal, sentence) {}
};

/// Exit code of any exception: an Error's own; std::bad_alloc is the environment's; all else is internal.
ExitCode exit_code_of(const std::exception& error);

}  // namespace isobath
