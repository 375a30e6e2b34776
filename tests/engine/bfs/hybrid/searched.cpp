// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/searched.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "base/threads.hpp"

namespace isobath::test {

Setting::Setting(InstructionSet set, int threads)
    : set_(set), threads_(threads), threads_before_(max_threads()) {
  setenv("ISOBATH_INSTRUCTION_SET", std::string(name_of(set)).c_str(), 1);
  set_num_threads(threads);
}

Setting::~Setting() {
  unsetenv("ISOBATH_INSTRUCTION_SET");
  set_num_threads(threads_before_);
}

std::string Setting::text() const { return fmt::format("{}, {} threads", name_of(set_), threads_); }

Searched::Searched(const SampleGraph& graph, const Communicator& world, GridShape shape, const Policy& policy,
                   const Switches& switches, Hypersparse hypersparse, int position_bits)
    : world_(world),
      edges_(share_of(graph, world.rank(), world.size())),
      search_(edges_, world, {shape, policy.alpha, policy.beta, switches, {}, hypersparse, position_bits},
              nobody_) {}

std::vector<GlobalVertex> Searched::parents(GlobalVertex root, SearchObserver& observer) {
  return world_.allgatherv<GlobalVertex>(search_.search(root, observer).parents);
}

std::vector<GlobalVertex> Searched::parents(GlobalVertex root) {
  SearchObserver nobody;
  return parents(root, nobody);
}

}  // namespace isobath::test
