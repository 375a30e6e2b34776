// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/vertex.hpp"
#include "generator/compact_edge.hpp"

namespace isobath {

/// Edges of a part of a file, in its order. Vertices that all fit 32 bits take half the room.
class EdgePiece {
 public:
  EdgePiece() = default;
  /// @param weights  empty, or as many as edges
  EdgePiece(std::span<const Edge> edges, std::span<const float> weights);

  std::size_t size() const { return narrow_.size() + wide_.size(); }
  Edge operator[](std::size_t i) const { return wide_.empty() ? unpacked(narrow_[i]) : wide_[i]; }
  std::span<const float> weights() const { return weights_; }
  /// -1 where there is no edge.
  std::int64_t highest_id() const { return highest_id_; }

 private:
  std::vector<CompactEdge> narrow_;
  std::vector<Edge> wide_;  // one of the two is empty
  std::vector<float> weights_;
  std::int64_t highest_id_ = -1;
};

/// What all parts of a file say together; sums and a maximum, so that ranks that read a part each can combine
/// theirs.
struct FileTotals {
  std::int64_t edges = 0;
  std::int64_t highest_id = -1;
  /// Of .sg and .wsg without directions: what arcs up add and arcs down take away; 0 where each has its
  /// mirror image.
  std::uint64_t asymmetry = 0;
};

/// The edges that a file lists, or one part of it, with vertices as the file numbers them (from 0).
struct ListedEdges {
  std::string path;
  bool weighted = false;
  std::deque<EdgePiece> pieces;
  FileTotals totals;                              // of this part
  std::optional<std::int64_t> declared_vertices;  // by a header
  std::optional<std::int64_t> declared_edges;     // of the whole file

  void append(EdgePiece piece);
};

/// Whether the parts together are what the header promised.
/// @throws EnvironmentError where edges are missing or too many, an undirected graph has one-way arcs, or
/// there is no edge at all
void require_as_declared(const ListedEdges& listed, const FileTotals& totals);

}  // namespace isobath
