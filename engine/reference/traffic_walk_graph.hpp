// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/vertex.hpp"
#include "reference/traffic_walk.hpp"

namespace isobath::reference {

/// The graph that a plan searches, in one piece, and who owns which vertex. A vertex is *searched* when it is
/// neither a leaf that was left out nor isolated without a number.
class WalkedGraph {
 public:
  WalkedGraph(std::int64_t num_vertices, std::span<const Edge> edges, const TrafficRules& rules);

  /// Searched neighbours of a searched vertex, ascending; duplicates as the rules have them, no self-loops.
  std::span<const std::uint32_t> neighbours(std::uint32_t v) const {
    return std::span(neighbour_).subspan(start_[v], start_[v + 1] - start_[v]);
  }
  /// End points at v: duplicates counted, self-loops not.
  std::int64_t endpoints(std::uint32_t v) const { return endpoints_[v]; }
  bool is_left_out(std::uint32_t v) const { return only_neighbour_[v] >= 0; }
  /// Whether it has a number, as all searched vertices have.
  bool is_numbered(std::uint32_t v) const { return is_numbered_[v] != 0; }
  /// Of a leaf that was left out.
  std::uint32_t only_neighbour(std::uint32_t v) const {
    return static_cast<std::uint32_t>(only_neighbour_[v]);
  }

  int rank_of(std::uint32_t v) const { return col_of(v) * rows_ + row_of(v); }
  int row_of(std::uint32_t v) const { return row_[v]; }
  int col_of(std::uint32_t v) const { return col_[v]; }
  /// Among the searched vertices of its block.
  std::uint32_t number(std::uint32_t v) const { return number_[v]; }

  std::int64_t num_vertices() const { return static_cast<std::int64_t>(endpoints_.size()); }
  /// Vertices with a number, over all blocks and in one.
  std::int64_t numbered() const;
  std::int64_t numbered(int block) const { return numbered_[static_cast<std::size_t>(block)]; }

  /// The hubs of the plan `hybrid`, those of most end points first, ascending among equals; none where the
  /// rules have none.
  std::span<const std::uint32_t> hubs() const { return hubs_; }

  /// Whether vertices stand by their first hub, on several grid columns.
  bool is_by_hub() const { return !followers_.empty(); }
  /// Where they do: the families of the hub at a place of hubs(), on all ranks. Empty behind the hubs whose
  /// families are worth a look.
  std::span<const std::uint32_t> followers(std::size_t place) const { return followers_[place]; }

  /// Vertices of the blocks of a grid column, numbered or not.
  std::int64_t column_span(int col) const { return column_span_[static_cast<std::size_t>(col)]; }

  /// Whether a vertex hangs together with the vertex of most end points, through searched vertices.
  bool is_in_main_component(std::uint32_t v) const { return in_main_[v] != 0; }

 private:
  void fill_rows(std::span<const Edge> edges);
  void sort_rows();
  void find_leaves();
  void drop_arcs(const TrafficRules& rules);
  void deal_blocks(const TrafficRules& rules);
  void find_main_component();

  using Lists = std::vector<std::vector<std::uint32_t>>;  // of vertices, by rank or by head
  void number_blocks(const TrafficRules& rules);
  void choose_hubs(std::int64_t searched, const TrafficRules& rules);
  void sort_by_class(Lists& members) const;
  void sort_by_first_heavy(Lists& members) const;
  void sort_by_first_hub(Lists& members);
  void add_families(const Lists& of_head);
  std::vector<std::int64_t> first_neighbour_of(std::span<const std::uint32_t> order) const;

  int rows_;
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> neighbour_;
  std::vector<std::int64_t> endpoints_;
  std::vector<std::int64_t> only_neighbour_;  // -1 where the vertex is no leaf, or leaves stay in
  std::vector<std::uint16_t> row_;
  std::vector<std::uint16_t> col_;
  std::vector<std::int64_t> column_span_;
  std::vector<std::uint32_t> hubs_;
  Lists followers_;  // by place of their hub
  std::vector<std::uint32_t> number_;
  std::vector<char> is_numbered_;
  std::vector<std::int64_t> numbered_;
  std::vector<char> in_main_;
};

}  // namespace isobath::reference
