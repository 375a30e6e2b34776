// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "comm/environment.hpp"

namespace isobath {

/// What a program with MPI does between its start and its end.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program();

  /// What MPI is asked for.
  virtual ThreadLevel thread_level() const { return ThreadLevel::funneled; }
  /// Collective. A UsageError is thrown by all ranks alike or by none.
  virtual ExitCode run(Communicator& world) = 0;
  /// Told of the exception that ends the run, on the rank where it happened; keeps what can be kept.
  virtual void failed(int /*rank*/, const std::exception& /*error*/, ExitCode /*code*/) {}
};

/// Runs a program under MPI and turns what happens into an exit code (docs/reference/exit-codes.md). An
/// exception is printed as "isobath: rank 0 of 2: sentence". Wrong use, which every rank finds alike, is
/// printed once and all ranks leave; after anything else all ranks are ended at once, because the others may
/// be inside a collective.
int run_main(int argc, char** argv, Program& program);

/// Prints "isobath: sentence" on standard error and returns the exit code.
int report(const std::exception& error);

/// The same for what comes before MPI and for programs without it: `body` returns an ExitCode. Only a speaker
/// prints.
template <class Body>
int run_plain(bool is_speaker, Body&& body) {
  try {
    return static_cast<int>(body());
  } catch (const std::exception& error) {
    return is_speaker ? report(error) : static_cast<int>(exit_code_of(error));
  }
}

}  // namespace isobath
