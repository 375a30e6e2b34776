// SPDX-License-Identifier: Apache-2.0
#include "bfs/components.hpp"

#include <algorithm>
#include <utility>

#include "comm/exchange/message_lists.hpp"

namespace isobath {
namespace {

constexpr std::int64_t pair_of_leaves = -3;

struct SourceLabel {
  std::int64_t label;
  std::uint32_t source;  // as the ranks that have its arcs number it
  std::uint32_t padding = 0;
};

struct TargetLabel {
  std::int64_t label;
  std::uint32_t target;  // working number at the receiver
  std::uint32_t padding = 0;
};

/// How labels reach the arcs of a vertex, and from there its neighbours. Arcs stand by source, in the grid
/// column of their source and the grid row of their target; those of a weighted graph stand by target, the
/// other way round.
struct LabelRoute {
  const Communicator& to_arcs;
  const Communicator& to_owners;
  std::uint32_t own_source;                   // number of the first own vertex as a source
  std::span<const std::uint32_t> neighbours;  // first number of each owner's neighbours, and the end

  static LabelRoute of(const Graph& graph, const Grid& grid) {
    const GridLayout& layout = graph.layout;
    if (graph.is_weighted()) return {grid.row_comm, grid.col_comm, layout.own_row(), layout.col_offset};
    return {grid.col_comm, grid.row_comm, layout.own_col(), layout.row_offset};
  }
};

std::int64_t to_original(const Graph& graph, std::uint32_t own_original) {
  return graph.layout.blocks.first(graph.layout.rank) + own_original;
}

}  // namespace

Components::Components(const Graph& graph, const Communicator& world, const Grid& grid,
                       std::span<const Word> in_main) {
  label_outer_vertices(graph, world, grid, in_main);
  label_leaves(graph, world, in_main);
  add_up(graph, world, in_main);
}

void Components::label_outer_vertices(const Graph& graph, const Communicator& world, const Grid& grid,
                                      std::span<const Word> in_main) {
  const GridLayout& layout = graph.layout;
  std::vector<std::uint32_t> active;
  for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
    if (test_bit(in_main, t) || graph.numbering.degree[t] == 0) continue;
    outer_[t] = to_original(graph, graph.numbering.original[t]);
    active.push_back(t);
  }
  const LabelRoute route = LabelRoute::of(graph, grid);
  MessageLists<TargetLabel> outgoing(route.to_owners);
  lower_labels(world, std::move(active), [&](const std::vector<std::uint32_t>& offering, auto&& take) {
    std::vector<SourceLabel> mine;
    for (const std::uint32_t t : offering) mine.push_back({outer_.at(t), route.own_source + t});
    const std::vector<SourceLabel> changed = route.to_arcs.allgatherv<SourceLabel>(mine);
    for (const SourceLabel& changed_one : changed) {
      graph.for_each_neighbour(changed_one.source, [&](std::uint32_t neighbour) {
        std::size_t owner = 0;
        while (neighbour >= route.neighbours[owner + 1]) ++owner;
        outgoing.add(static_cast<int>(owner), {changed_one.label, neighbour - route.neighbours[owner]});
      });
    }
    for (const TargetLabel& message : outgoing.send()) {
      take(outer_.at(message.target), message.label, message.target);
    }
  });
}

void Components::label_leaves(const Graph& graph, const Communicator& world, std::span<const Word> in_main) {
  const GridLayout& layout = graph.layout;
  const std::uint32_t count = graph.numbering.leaves();
  leaves_in_main_.assign(words_for(count) + 1, 0);
  // Ask every neighbour's owner for its label; the answers come back in the order of the questions.
  std::vector<std::vector<std::int64_t>> asked(static_cast<std::size_t>(world.size()));
  for (std::uint32_t leaf = 0; leaf < count; ++leaf) {
    const std::int64_t neighbour = graph.leaves.neighbour[leaf];
    asked[static_cast<std::size_t>(layout.blocks.block_of(GlobalVertex{neighbour}))].push_back(neighbour);
  }
  std::vector<std::int64_t> questions;
  std::vector<std::int64_t> counts;
  for (auto& of_rank : asked) {
    questions.insert(questions.end(), of_rank.begin(), of_rank.end());
    counts.push_back(static_cast<std::int64_t>(of_rank.size()));
    of_rank = {};
  }
  const ExchangeCounts there = world.exchange_counts(counts);
  std::vector<std::int64_t> received(static_cast<std::size_t>(there.receive_total));
  world.alltoallv<std::int64_t>(questions, there, received);
  for (std::int64_t& question : received) {
    const std::uint32_t code =
        graph.numbering.code[static_cast<std::size_t>(layout.blocks.to_local(GlobalVertex{question}))];
    if (code == Numbering::leaf) {
      question = pair_of_leaves;
    } else {
      question = test_bit(in_main, code) ? main : outer_.at(code);
    }
  }
  const ExchangeCounts back{there.receive_counts, there.receive_offsets, there.send_counts,
                            there.send_offsets, static_cast<std::int64_t>(questions.size())};
  world.alltoallv<std::int64_t>(received, back, questions);
  std::vector<std::size_t> at(there.send_offsets.begin(), there.send_offsets.end());
  for (std::uint32_t leaf = 0; leaf < count; ++leaf) {
    const std::int64_t neighbour = graph.leaves.neighbour[leaf];
    const auto owner = static_cast<std::size_t>(layout.blocks.block_of(GlobalVertex{neighbour}));
    std::int64_t label = questions[at[owner]++];
    if (label == main) {
      set_bit(leaves_in_main_, leaf);
      continue;
    }
    if (label == pair_of_leaves) {
      label = std::min(neighbour, to_original(graph, graph.numbering.leaf_original[leaf]));
      ++leaves_in_pairs_;
    }
    outer_leaves_.push_back({label, leaf});
  }
  std::sort(outer_leaves_.begin(), outer_leaves_.end(), [](const OuterLeaf& a, const OuterLeaf& b) {
    return a.label != b.label ? a.label < b.label : a.leaf < b.leaf;
  });
}

void Components::add_up(const Graph& graph, const Communicator& world, std::span<const Word> in_main) {
  struct Share {
    std::int64_t label;
    ComponentSums totals;
  };
  std::unordered_map<std::int64_t, ComponentSums> outer;
  std::int64_t endpoints = 0;
  std::int64_t vertices = 0;
  const std::uint32_t searched = graph.layout.own_searched();
#pragma omp parallel for schedule(static) reduction(+ : endpoints, vertices)
  for (std::uint32_t t = 0; t < searched; ++t) {
    if (!test_bit(in_main, t)) continue;
    endpoints += graph.numbering.degree[t];
    ++vertices;
  }
  const std::int64_t own_searched_in_main = vertices;
  for (const auto& [t, label] : outer_) {
    outer[label].endpoints += graph.numbering.degree[t];
    ++outer[label].vertices;
  }
  for (std::uint32_t leaf = 0; leaf < graph.numbering.leaves(); ++leaf) {
    if (!test_bit(leaves_in_main_, leaf)) continue;
    endpoints += graph.leaves.endpoints[leaf];
    ++vertices;
  }
  std::unordered_map<std::uint32_t, std::int64_t> label_of_outer_leaf;
  for (const OuterLeaf& leaf : outer_leaves_) {
    outer[leaf.label].endpoints += graph.leaves.endpoints[leaf.leaf];
    ++outer[leaf.label].vertices;
    label_of_outer_leaf[leaf.leaf] = leaf.label;
  }
  main_ = {endpoints, 0, vertices};
  for (const std::uint32_t v : graph.self_loops_at) {
    const std::uint32_t code = graph.numbering.code[v];
    if (graph.numbering.is_isolated(v)) continue;
    std::int64_t label = main;
    if (code == Numbering::leaf) {
      const auto found = label_of_outer_leaf.find(graph.numbering.leaf_index(v));
      if (found != label_of_outer_leaf.end()) label = found->second;
    } else if (!test_bit(in_main, code)) {
      label = outer_.at(code);
    }
    ++(label == main ? main_ : outer[label]).self_loops;
  }
  MessageLists<Share> outgoing(world);
  for (const auto& [label, totals] : outer) {
    outgoing.add(graph.layout.blocks.block_of(GlobalVertex{label}), {label, totals});
  }
  for (const Share& share : outgoing.send()) {
    totals_[share.label].add(share.totals);
  }
  std::int64_t sums[] = {main_.endpoints, main_.self_loops, main_.vertices,
                         static_cast<std::int64_t>(totals_.size()), own_searched_in_main};
  world.sum(std::span<std::int64_t>(sums));
  main_ = {sums[0], sums[1], sums[2]};
  searched_in_main_ = sums[4];
  count_ = sums[3] + (main_.vertices > 0 ? 1 : 0);
  largest_.look_at(main_);
  for (const auto& [label, totals] : totals_) largest_.look_at(totals);
  largest_.agree(world);
}

std::int64_t Components::label_at_owner(const Location& location) const {
  if (location.kind == Location::Kind::isolated) return none;
  if (location.kind == Location::Kind::searched) {
    const auto found = outer_.find(static_cast<std::uint32_t>(location.working));
    return found == outer_.end() ? main : found->second;
  }
  const auto leaf = static_cast<std::uint32_t>(location.working);
  if (test_bit(leaves_in_main_, leaf)) return main;
  const auto found = std::find_if(outer_leaves_.begin(), outer_leaves_.end(),
                                  [&](const OuterLeaf& outer) { return outer.leaf == leaf; });
  return found == outer_leaves_.end() ? none : found->label;
}

std::int64_t Components::label_of(const Communicator& world, const Location& location) const {
  const auto owner = static_cast<int>(location.owner);
  const std::int64_t label = world.rank() == owner ? label_at_owner(location) : none;
  return world.size() == 1 ? label : world.broadcast(label, owner);
}

TraversedEdges Components::edges_of(const Communicator& world, std::int64_t label) const {
  if (label == main) return main_.edges();
  std::int64_t sums[] = {0, 0};
  const auto found = totals_.find(label);
  if (found != totals_.end()) {
    sums[0] = found->second.endpoints;
    sums[1] = found->second.self_loops;
  }
  world.sum(std::span<std::int64_t>(sums));
  return {sums[0] / 2, sums[1]};
}

std::span<const Components::OuterLeaf> Components::outer_leaves(std::int64_t label) const {
  const auto by_label = [](const OuterLeaf& a, const OuterLeaf& b) { return a.label < b.label; };
  const auto [first, end] =
      std::equal_range(outer_leaves_.begin(), outer_leaves_.end(), OuterLeaf{label, 0}, by_label);
  return {first, end};
}

}  // namespace isobath
