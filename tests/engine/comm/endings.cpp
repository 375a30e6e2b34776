// SPDX-License-Identifier: Apache-2.0
// Programs that begin and end in the ways that environment.hpp promises; ending.cmake looks at what becomes
// of them.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "comm/environment.hpp"

namespace {

using isobath::Communicator;
using isobath::ExitCode;
using isobath::MpiEnvironment;

void say(const std::string& text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void describe(const Communicator& world) {
  if (world.rank() != 0) return;
  const isobath::CountLimit& limit = world.limit();
  say(fmt::format("{} ranks, {}", world.size(),
                  limit.prefer_large_counts ? "large counts preferred"
                                            : fmt::format("pieces of {} bytes", limit.bytes_per_call)));
}

/// All but the last rank wait for it in vain.
void last_rank_aborts(const Communicator& world, const Communicator& speaker, ExitCode code) {
  if (world.rank() == world.size() - 1) {
    say("the last rank aborts");
    speaker.abort(code);
  }
  world.barrier();
  say("nobody waits");
}

void end_as(const std::string& way, int* argc, char*** argv) {
  std::optional<MpiEnvironment> environment;
  std::optional<Communicator> world;  // destroyed before the environment
  environment.emplace(argc, argv);
  if (way == "limit-on-one-rank") {
    const int rank = environment->world().rank();
    if (rank == 2) setenv("ISOBATH_MPI_COUNT_LIMIT", "40", 1);
    if (rank == 1) setenv("ISOBATH_MPI_COUNT_LIMIT", "50", 1);
  }
  world = environment->world();
  if (way == "world" || way == "limit-on-one-rank") {
    describe(*world);
  } else if (way == "abort") {
    last_rank_aborts(*world, *world, ExitCode::timeout);
  } else if (way == "abort-from-a-part") {
    const Communicator part = world->split(world->rank() % 2, 0);
    last_rank_aborts(*world, part, ExitCode::refused);
  } else if (way == "exception") {
    if (world->rank() == 0) throw std::runtime_error("thrown on rank 0");
    world->barrier();
    say("nobody waits");
  } else if (way == "after-finalize") {
    environment.reset();
    world.reset();
    say("outlived MPI");
  } else if (way == "twice") {
    const MpiEnvironment second(argc, argv);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    end_as(argc > 1 ? argv[1] : "world", &argc, &argv);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "caught: {}\n", error.what());
    isobath::abort_all_ranks(isobath::exit_code_of(error));
  }
}
