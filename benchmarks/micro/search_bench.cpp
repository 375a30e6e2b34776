// SPDX-License-Identifier: Apache-2.0
// Where does the time of a search go? One rank, roots that are not the benchmark's. Every root is searched
// again and again, and the least time of each phase of each level is kept: what others do on the machine only
// ever adds. Two builds are compared by running this program of both in turns.
//
// Usage: search_bench [GRAPH [THREADS [ROUNDS [ROOTS [SETTING=VALUE ...]]]]]
// GRAPH is the scale of a Graph500 graph or a file that isobath-search reads; of long graphs what a level
// costs is told. A setting is a switch of the plan, alpha, beta, or cold=1: then the caches are swept before
// every search, as a validation would do.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "base/threads.hpp"
#include "bfs/plan.hpp"
#include "comm/environment.hpp"
#include "generator/edge_store.hpp"
#include "graphfile/file_edges.hpp"
#include "graphfile/read_graph.hpp"

namespace isobath {
namespace {

/// Name of a step of a search -> seconds.
using Steps = std::map<std::string, double>;

/// Levels that are told apart; those of a long graph come together.
constexpr Level told_apart = 12;

/// Seconds by phase, and by level and direction.
class StepClock final : public SearchObserver {
 public:
  void phase(Phase begun) override {
    settle();
    now_ = begun;
  }
  void level_started(Level level, Direction direction, std::int64_t /*frontier*/) override {
    settle();
    ++levels_;
    direction_ = direction;
    level_began_ = last_;
    if (level >= told_apart) return;
    level_ = fmt::format("  level {} {}", level, name_of(direction));
    level_began_ = last_ = now_seconds();  // without the name's making
  }
  void level_finished(Level level, std::int64_t /*arcs_scanned*/) override {
    settle();
    if (level < told_apart) {
      steps_[level_] += last_ - level_began_;
    } else {
      later_[direction_ == Direction::bottom_up ? 1 : 0] += last_ - level_began_;
    }
  }
  void begin() {
    steps_.clear();
    seconds_ = {};
    later_ = {};
    levels_ = 0;
    began_ = last_ = now_seconds();
    now_ = Phase::reset;
  }
  /// The steps of the search that ends here.
  Steps end() {
    settle();
    steps_["whole"] = last_ - began_;
    for (std::size_t i = 0; i < num_phases; ++i) {
      if (seconds_[i] > 0) steps_[std::string(name_of(static_cast<Phase>(i)))] = seconds_[i];
    }
    if (later_[0] > 0) steps_["  later levels top_down"] = later_[0];
    if (later_[1] > 0) steps_["  later levels bottom_up"] = later_[1];
    return steps_;
  }
  std::int64_t levels() const { return levels_; }

 private:
  void settle() {
    const double now = now_seconds();
    seconds_[static_cast<std::size_t>(now_)] += now - last_;
    last_ = now;
  }

  Steps steps_;
  std::array<double, num_phases> seconds_{};
  std::array<double, 2> later_{};  // of levels that are not told apart, top-down and bottom-up
  std::string level_;
  Phase now_ = Phase::reset;
  Direction direction_ = Direction::top_down;
  double began_ = 0;
  double last_ = 0;
  double level_began_ = 0;
  std::int64_t levels_ = 0;
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
  std::int64_t levels = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t r = 0; r < roots.size(); ++r) {
      sweep_caches(memory);
      clock.begin();
      plan.search(roots[r], clock);
      for (const auto& [name, seconds] : clock.end()) {
        const auto [at, is_new] = least[r].try_emplace(name, seconds);
        if (seconds < at->second) at->second = seconds;
      }
      if (round == 0) levels += clock.levels();
    }
  }
  Steps mean;
  for (const Steps& steps : least) {
    for (const auto& [name, seconds] : steps) mean[name] += seconds / static_cast<double>(roots.size());
  }
  for (const auto& [name, seconds] : mean) fmt::print("{:<24} {:8.4f} ms\n", name, seconds * 1e3);
  const double mean_levels = static_cast<double>(levels) / static_cast<double>(roots.size());
  fmt::print("{:<24} {:8.1f}, {:.3f} us each\n", "levels", mean_levels, mean["whole"] / mean_levels * 1e6);
  const auto edges = static_cast<double>(plan.facts().largest_component_edges);
  fmt::print("{:<24} {:8.3f} GTEPS (of the mean of least times)\n", "rate", edges / mean["whole"] / 1e9);
}

/// The edges of a Graph500 graph by its scale, or of a file.
std::unique_ptr<EdgeStream> edges_of(const std::string& graph) {
  if (graph.find_first_not_of("0123456789") == std::string::npos) {
    return make_edge_store(EdgeStorage::memory, {.scale = std::stoi(graph)}, 0, 1);
  }
  GraphRequest request;
  request.path = graph;
  request.format = format_of_file(graph);
  ListedEdges listed = read_graph_file(request);
  const std::int64_t vertices = listed.declared_vertices.value_or(listed.totals.highest_id + 1);
  return make_file_edges(std::move(listed), vertices, nullptr);
}

void run(const Communicator& world, int argc, char** argv) {
  const auto number = [&](int at, int usual) { return argc > at ? std::atoi(argv[at]) : usual; };
  set_num_threads(number(2, max_threads()));
  const auto edges = edges_of(argc > 1 ? argv[1] : "20");
  AskedSwitches asked;
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
      asked[name] = value;
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
