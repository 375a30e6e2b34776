// SPDX-License-Identifier: Apache-2.0
#include "graphfile/file_edges.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/arena.hpp"
#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {
namespace {

class FileEdges final : public WeightedEdgeStream {
 public:
  FileEdges(ListedEdges listed, std::int64_t num_vertices, const VertexIds* ids,
            const AssignedWeights& assigned)
      : num_vertices_(num_vertices),
        edges_(static_cast<std::size_t>(listed.totals.edges)),
        weights_(listed.weighted || assigned.are_assigned() ? edges_.size() : 0) {
    std::vector<std::size_t> first{0};
    for (const EdgePiece& piece : listed.pieces) first.push_back(first.back() + piece.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t k = 0; k < listed.pieces.size(); ++k) {
      const EdgePiece piece = std::move(listed.pieces[k]);
      for (std::size_t i = 0; i < piece.size(); ++i) edges_[first[k] + i] = numbered(piece[i], ids);
      if (assigned.are_assigned()) {
        for (std::size_t i = 0; i < piece.size(); ++i) weights_[first[k] + i] = assigned.of(piece[i]);
      } else {
        std::ranges::copy(piece.weights(), weights_.begin() + (weights_.size() > 0 ? first[k] : 0));
      }
    }
  }

  std::int64_t size() const override { return static_cast<std::int64_t>(edges_.size()); }
  std::int64_t num_vertices() const override { return num_vertices_; }

  void read(std::int64_t first, std::span<Edge> edges) const override {
    expect_inside(first, edges.size());
    const CompactEdge* const from = edges_.data() + first;
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = unpacked(from[i]);
  }

  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    read(first, edges);
    ISOBATH_EXPECTS(weights.size() == edges.size() && weights_.size() == edges_.size());
    std::copy_n(weights_.data() + first, weights.size(), weights.begin());
  }

 private:
  static CompactEdge numbered(const Edge& edge, const VertexIds* ids) {
    const auto number = [&](GlobalVertex v) {
      return static_cast<std::uint32_t>(ids == nullptr ? raw(v) : ids->number_of(raw(v)));
    };
    return {number(edge.u), number(edge.v)};
  }
  void expect_inside(std::int64_t first, std::size_t count) const {
    ISOBATH_EXPECTS(first >= 0 && first + static_cast<std::int64_t>(count) <= size());
  }

  std::int64_t num_vertices_;
  LargeArray<CompactEdge> edges_;
  LargeArray<float> weights_;
};

}  // namespace

std::unique_ptr<WeightedEdgeStream> make_file_edges(ListedEdges listed, std::int64_t num_vertices,
                                                    const VertexIds* ids, const AssignedWeights& assigned) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  if (num_vertices > most) {
    throw RefusedError(
        fmt::format("{} has {} vertices, more than the 2^32 that can be searched; take --numbering "
                    "compact if few of them have edges",
                    listed.path, num_vertices));
  }
  return std::make_unique<FileEdges>(std::move(listed), num_vertices, ids, assigned);
}

}  // namespace isobath
