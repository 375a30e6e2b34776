// SPDX-License-Identifier: Apache-2.0
// Where does the time of a search go? One rank, roots that are not the benchmark's. Every root is searched
// again and again, and the least time of each phase of each level is kept: what others do on the machine only
// ever adds. Two builds are compared by running this program of both in turns.
//
// Usage: search_bench [SCALE [THREADS [ROUNDS [ROOTS [SETTING=VALUE ...]]]]]
// A setting is a switch of the plan, alpha, beta, or cold=1: then the caches are swept before every search,
// as a validation would do.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "base/threads.hpp"
#include "bfs/plan.hpp"
#include "comm/environment.hpp"
#include "generator/edge_store.hpp"

namespace isobath {
namespace {

/// Name of a step of a search -> seconds.
using Steps = std::map<std::string, double>;

/// Seconds by phase, and by level and direction.
class StepClock final : public SearchObserver {
 public:
  void phase(Phase begun) override {
    settle();
    now_ = name_of(begun);
  }
  void level_started(Level level, Direction direction, std::int64_t /*frontier*/) override {
    settle();
    level_ = fmt::format("level {} {}", level, name_of(direction));
    level_began_ = now_seconds();
  }
  void level_finished(Level /*level*/, std::int64_t arcs_scanned) override {
    settle();
    steps_["  " + level_] += now_seconds() - level_began_;
    arcs_ += arcs_scanned;
  }
  void begin() {
    steps_.clear();
    arcs_ = 0;
    began_ = last_ = now_seconds();
    now_ = "reset";
  }
  /// The steps of the search that ends here.
  Steps end() {
    settle();
    steps_["whole"] = now_seconds() - began_;
    return steps_;
  }

 private:
  void settle() {
    const double now = now_seconds();
    steps_[std::string(now_)] += now - last_;
    last_ = now;
  }

  Steps steps_;
  std::string level_;
  std::string_view now_ = "reset";
  double began_ = 0;
  double last_ = 0;
  double level_began_ = 0;
  std::int64_t arcs_ = 0;
};

std::vector<GlobalVertex> some_roots(const SearchPlan& plan, std::size_t count) {
  std::mt19937_64 draw(20);
  std::vector<GlobalVertex> roots;
  while (roots.size() < count) {
    const std::vector<GlobalVertex> candidate{GlobalVertex{
        static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(plan.facts().num_vertices))}};
    if (plan.has_neighbour(candidate)[0] == 0) continue;
    const std::int64_t edges = plan.traversed_edges(candidate[0]).without_self_loops;
    if (edges == plan.facts().largest_component_edges) roots.push_back(candidate[0]);
  }
  return roots;
}

/// Reads and writes more than the caches hold.
void sweep_caches(LargeArray<std::uint64_t>& memory) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < memory.size(); ++i) ++memory[i];
}

void measure(SearchPlan& plan, int rounds, std::size_t num_roots, bool cold) {
  const std::vector<GlobalVertex> roots = some_roots(plan, num_roots);
  LargeArray<std::uint64_t> memory(cold ? std::size_t{1} << 23 : 0);
  std::vector<Steps> least(roots.size());
  StepClock clock;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t r = 0; r < roots.size(); ++r) {
      sweep_caches(memory);
      clock.begin();
      plan.search(roots[r], clock);
      for (const auto& [name, seconds] : clock.end()) {
        const auto [at, is_new] = least[r].try_emplace(name, seconds);
        if (seconds < at->second) at->second = seconds;
      }
    }
  }
  Steps mean;
  for (const Steps& steps : least) {
    for (const auto& [name, seconds] : steps) mean[name] += seconds / static_cast<double>(roots.size());
  }
  for (const auto& [name, seconds] : mean) fmt::print("{:<24} {:8.4f} ms\n", name, seconds * 1e3);
  const auto edges = static_cast<double>(plan.facts().largest_component_edges);
  fmt::print("{:<24} {:8.3f} GTEPS (of the mean of least times)\n", "rate", edges / mean["whole"] / 1e9);
}

void run(const Communicator& world, int argc, char** argv) {
  const auto number = [&](int at, int usual) { return argc > at ? std::atoi(argv[at]) : usual; };
  const int scale = number(1, 20);
  set_num_threads(number(2, max_threads()));
  const auto edges = make_edge_store(EdgeStorage::memory, {.scale = scale}, 0, 1);
  AskedSwitches asked;
  const std::map<std::string, std::string*> places = {{"direction", &asked.direction},
                                                      {"streams", &asked.streams},
                                                      {"relabel", &asked.relabel},
                                                      {"leaves", &asked.leaves}};
  PlanOptions options{.shape = {1, 1}};
  bool cold = false;
  for (int at = 5; at < argc; ++at) {
    const std::string word = argv[at];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (name == "cold") {
      cold = value == "1";
    } else if (name == "alpha") {
      options.alpha = std::atof(value.c_str());
    } else if (name == "beta") {
      options.beta = std::atof(value.c_str());
    } else {
      *places.at(name) = value;
    }
  }
  options.switches = switches_for("hybrid", asked);
  PhaseObserver nobody;
  const double began = now_seconds();
  const auto plan = construct_plan("hybrid", *edges, world, options, nobody);
  fmt::print("{:<24} {:8.1f} ms\n", "construction", (now_seconds() - began) * 1e3);
  measure(*plan, number(3, 20), static_cast<std::size_t>(number(4, 32)), cold);
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  isobath::MpiEnvironment mpi(&argc, &argv);
  isobath::run(mpi.world({}), argc, argv);
  return 0;
}
