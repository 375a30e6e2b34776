// SPDX-License-Identifier: Apache-2.0
// Construction of the plan `landmark`, and its search: read search() first.
#include "sssp/landmark_plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "sssp/peeling.hpp"
#include "sssp/registered_path_plan.hpp"

namespace isobath {
namespace {

/// Union-find; the smallest member stands for its set.
class Sets {
 public:
  explicit Sets(std::uint32_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Components are numbered as their smallest upper numbers follow each other.
std::vector<std::uint32_t> labels_of(const UpperGraph& upper, std::uint32_t& count) {
  Sets sets(upper.size());
  for (std::uint32_t u = 0; u < upper.size(); ++u) {
    for (const WeightedArc& arc : upper.rows.of(u)) sets.unite(u, arc.to);
  }
  std::vector<std::uint32_t> label(upper.size());
  count = 0;
  for (std::uint32_t u = 0; u < upper.size(); ++u) {
    const std::uint32_t first = sets.find(u);
    label[u] = first == u ? count++ : label[first];
  }
  return label;
}

}  // namespace

UpperComponents::UpperComponents(const UpperGraph& upper, const OwnVertices& own, const Endpoints& endpoints,
                                 const Communicator& world) {
  std::uint32_t components = 0;
  label_ = labels_of(upper, components);
  std::vector<std::int64_t> sums(std::size_t{3} * components, 0);  // end points, self-loops, vertices
  own.for_each_present([&](std::size_t v, std::uint32_t upper_vertex) {
    const std::size_t at = std::size_t{3} * label_[upper_vertex];
    sums[at] += static_cast<std::int64_t>(endpoints.of[v].count());
    ++sums[at + 2];
  });
  for (const std::uint32_t v : endpoints.self_loops_at) {
    if (!own.is_isolated(v)) ++sums[std::size_t{3} * label_at_owner(own, v) + 1];
  }
  world.sum(std::span<std::int64_t>(sums));
  for (std::size_t at = 0; at < sums.size(); at += 3) {
    const ComponentSums component{sums[at], sums[at + 1], sums[at + 2]};
    edges_.push_back(component.edges());
    largest_.look_at(component);
  }
}

std::uint32_t UpperComponents::label_at_owner(const OwnVertices& own, std::size_t v) const {
  return label_[own.way_up(v)];
}

RegisteredPathPlan registered_landmark() {
  return {.name = "landmark",
          .prunes = true,
          .require_numbers = [](std::int64_t num_vertices,
                                GridShape /*shape*/) { require_landmark_numbers(num_vertices); },
          .construct = construct_as<LandmarkPlan, WeightedEdgeStream, PathOptions>};
}

LandmarkPlan::LandmarkPlan(const WeightedEdgeStream& edges, const Communicator& world,
                           const PathOptions& /*options*/, PhaseObserver& observer)
    : LandmarkPlan(edges, world, LandmarkStart(edges, world, sample_edges(edges, world), observer),
                   observer) {}

LandmarkPlan::LandmarkPlan(const WeightedEdgeStream& edges, const Communicator& world, LandmarkStart start,
                           PhaseObserver& observer)
    : world_(world), blocks_(start.blocks()), own_first_(blocks_.first(world.rank())) {
  const Endpoints& endpoints = start.endpoints();
  facts_.max_degree_with_duplicates = start.landmark().endpoints;
  KeptEdges kept = start.take_kept_edges(observer);
  observer.phase(Phase::order);
  {
    const Peeling peeling = peel(kept, blocks_, world);
    UpperNumbers numbers;
    upper_ = gather_upper_graph(kept, peeling, blocks_, world, numbers);
    own_ = OwnVertices(kept, own_first_, upper_, numbers);
    yield_.rounds = peeling.rounds;
  }
  observer.phase(Phase::components);
  components_ = UpperComponents(upper_, own_, endpoints, world);

  std::int64_t isolated = 0;
  for (std::size_t v = 0; v < own_.size(); ++v) isolated += own_.is_isolated(v) ? 1 : 0;
  std::int64_t sums[] = {edges.size(), static_cast<std::int64_t>(endpoints.self_loops_at.size()), isolated,
                         static_cast<std::int64_t>(kept.rows.num_arcs())};
  world.sum(std::span<std::int64_t>(sums));
  facts_.num_vertices = edges.num_vertices();
  facts_.num_edges = sums[0];
  facts_.self_loops = sums[1];
  facts_.isolated_vertices = sums[2];
  facts_.stored_arcs = sums[3];
  facts_.searched_vertices = upper_.size();
  facts_.components = components_.count();
  facts_.largest_component_vertices = components_.largest_vertices();
  facts_.largest_component_edges = components_.largest_edges();
  facts_.max_stored_arcs_per_rank = world.max(static_cast<std::int64_t>(kept.rows.num_arcs()));
  yield_.kept_arcs = sums[3];
  yield_.upper_vertices = upper_.size();
  yield_.core_vertices = upper_.core;
  yield_.core_arcs = static_cast<std::int64_t>(upper_.rows.start[upper_.core]);
  kept = {};
  allocate();
}

void LandmarkPlan::allocate() {
  const std::size_t size = upper_.size() + own_.several.num_rows();
  paths_.distance = LargeArray<float>(size);
  paths_.parent = LargeArray<std::uint32_t>(size);
  changed_ = LargeArray<Word>(words_for(upper_.core));
  for (const UpperGraph::Round& round : upper_.rounds) {
    for (std::uint32_t u = round.first; u < round.one_until; ++u) {
      paths_.parent[u] = upper_.original[upper_.rows.of(u)[0].to];
    }
  }
  parents_ = LargeArray<GlobalVertex>(own_.size());
  distances_ = LargeArray<float>(own_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < parents_.size(); ++v) {  // first touch: no search meets a page fault
    parents_[v] = no_vertex;
    distances_[v] = unreached;
  }
}

FoundTree LandmarkPlan::search(GlobalVertex root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  std::fill_n(paths_.distance.data(), upper_.core, unreached);
  observer.phase(Phase::climb);
  const std::vector<Offer> climbed = climb(upper_, locate_root(root));
  observer.level_started(0, Direction::top_down, static_cast<std::int64_t>(climbed.size()));
  seed_core(climbed);
  observer.phase(Phase::relax);
  observer.level_finished(0, settle(upper_, paths_, changed_.span()));
  observer.phase(Phase::descend);
  descend_all(climbed);
  observer.phase(Phase::emit);
  emit(root);
  return {parents_.span(), distances_.span()};
}

/// Collective. The ways from the root to upper vertices: for one of them, of length 0 to itself.
std::vector<Offer> LandmarkPlan::locate_root(GlobalVertex root) {
  std::vector<WeightedArc> ways;
  if (owns(root)) ways = own_.ways_up(own_index(root));
  if (world_.size() > 1) {
    const int owner = blocks_.block_of(root);
    ways.resize(static_cast<std::size_t>(world_.broadcast(static_cast<std::int64_t>(ways.size()), owner)));
    world_.broadcast(std::span(ways), owner);
  }
  std::vector<Offer> start;
  for (const auto& [to, weight] : ways) start.push_back({to, weight, static_cast<std::uint32_t>(raw(root))});
  return start;
}

void LandmarkPlan::seed_core(const std::vector<Offer>& climbed) {
  for (const auto& [to, distance, parent] : climbed) {
    if (to >= upper_.core) continue;
    paths_.distance[to] = distance;
    paths_.parent[to] = parent;
    set_bit(changed_.span(), to);
  }
}

/// Round by round; what was reached on the climb keeps its way where none from above is shorter, before
/// others descend from it.
void LandmarkPlan::descend_all(const std::vector<Offer>& climbed) {
  constexpr std::uint32_t worth_a_team = 4096;
#pragma omp parallel
  {
    for (const UpperGraph::Round& round : upper_.rounds) {
      const bool shared = round.end - round.first >= worth_a_team;
      const auto [begin, end] =
          static_share(round.end - round.first, shared ? thread_id() : 0, shared ? num_threads() : 1, 16);
      if (shared || thread_id() == 0) {
        descend(upper_, round, round.first + static_cast<std::uint32_t>(begin),
                round.first + static_cast<std::uint32_t>(end), paths_);
      }
#pragma omp barrier
#pragma omp single
      adopt_climbed(climbed, round);
    }
    descend_below();
  }
}

void LandmarkPlan::adopt_climbed(const std::vector<Offer>& climbed, const UpperGraph::Round& round) {
  for (const Offer& offer : climbed) {
    if (offer.to < round.first || offer.to >= round.end) continue;
    if (offer.distance > paths_.distance[offer.to]) continue;
    if (offer.to < round.one_until) usual_.push_back({offer.to, 0, paths_.parent[offer.to]});
    paths_.distance[offer.to] = offer.distance;
    paths_.parent[offer.to] = offer.parent;
  }
}

/// Own vertices below the upper graph that hang on several arcs.
void LandmarkPlan::descend_below() {
#pragma omp for schedule(static)
  for (std::size_t row = 0; row < own_.several.num_rows(); ++row) {
    const BestWay best = best_way(own_.several.of(row), paths_);
    paths_.distance[upper_.size() + row] = best.distance;
    paths_.parent[upper_.size() + row] = upper_.original[best.over];
  }
}

void LandmarkPlan::emit(GlobalVertex root) {
  const FoundPaths found{own_, paths_.distance.data(), paths_.parent.data()};
  constexpr std::size_t part = 8;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t block = 0; block < own_.num_blocks(); block += part) {
    path_steps().emit(found, block, std::min(own_.num_blocks(), block + part), parents_.data(),
                      distances_.data());
  }
  if (owns(root)) {
    parents_[own_index(root)] = root;
    distances_[own_index(root)] = 0;
  }
  for (const Offer& usual : usual_) paths_.parent[usual.to] = usual.parent;
  usual_.clear();
}

TraversedEdges LandmarkPlan::traversed_edges(GlobalVertex root) const {
  std::int64_t label = owns(root) ? components_.label_at_owner(own_, own_index(root)) : 0;
  if (world_.size() > 1) label = world_.broadcast(label, blocks_.block_of(root));
  return components_.edges_of(static_cast<std::uint32_t>(label));
}

std::vector<char> LandmarkPlan::has_neighbour(std::span<const GlobalVertex> candidates) const {
  std::vector<std::int64_t> has(candidates.size(), 0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (owns(candidates[i])) has[i] = own_.is_isolated(own_index(candidates[i])) ? 0 : 1;
  }
  world_.sum(std::span<std::int64_t>(has));
  std::vector<char> result(candidates.size());
  for (std::size_t i = 0; i < has.size(); ++i) result[i] = has[i] != 0;
  return result;
}

}  // namespace isobath
