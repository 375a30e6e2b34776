// SPDX-License-Identifier: Apache-2.0
#include "apps/run_main.hpp"

#include <new>
#include <string>

#include "apps/say.hpp"
#include "comm/environment.hpp"

namespace isobath {
namespace {

/// What went wrong, for people: memory that was refused says nothing by itself.
std::string sentence_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return "the system refused memory; use a smaller scale, fewer ranks on a node or more nodes";
  }
  return error.what();
}

/// Collective. Runs the program; wrong use, which all ranks have found, is told by one of them.
ExitCode run_or_explain(Program& program, Communicator& world) {
  try {
    return program.run(world);
  } catch (const UsageError& error) {
    if (world.rank() == 0) {
      say("isobath: rank {} of {}: {}", world.rank(), world.size(), error.what());
      program.failed(world.rank(), error, error.code());
    }
    return error.code();
  }
}

}  // namespace

Program::~Program() = default;

int report(const std::exception& error) {
  say("isobath: {}", sentence_of(error));
  return static_cast<int>(exit_code_of(error));
}

int run_main(int argc, char** argv, Program& program) {
  int rank = -1;
  int size = 0;
  try {
    const MpiEnvironment environment(&argc, &argv, program.thread_level());
    Communicator world = environment.world();
    rank = world.rank();
    size = world.size();
    return static_cast<int>(run_or_explain(program, world));
  } catch (const std::exception& error) {
    const ExitCode code = exit_code_of(error);
    if (rank < 0) {
      report(error);
    } else {
      say("isobath: rank {} of {}: {}", rank, size, sentence_of(error));
      program.failed(rank, error, code);
    }
    abort_all_ranks(code);
  }
}

}  // namespace isobath
