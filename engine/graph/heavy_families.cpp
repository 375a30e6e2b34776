// SPDX-License-Identifier: Apache-2.0
#include "graph/heavy_families.hpp"

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "base/expects.hpp"
#include "base/narrow.hpp"
#include "graph/rows.hpp"
#include "graph/source_places.hpp"

namespace isobath {
namespace {

/// Collective: every rank tells the others its heavy vertices, as own originals by working number.
/// @return those of piece 0, then those of piece 1, and so on
std::vector<std::uint32_t> tell_heavy(const Numbering& numbering,
                                      std::span<const std::uint32_t> heavy_of_piece, const Grid& grid) {
  const std::vector<std::int64_t> counts(heavy_of_piece.begin(), heavy_of_piece.end());
  std::vector<std::uint32_t> told(
      static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
  const std::span<const std::uint32_t> own = numbering.original.span().first(numbering.num_heavy());
  grid.col_comm.allgatherv<std::uint32_t>(own, counts, told);
  return told;
}

SourcePlaces heavy_places(std::span<const std::uint32_t> heavy, std::span<const std::uint32_t> heavy_of_piece,
                          const BlockPartition& blocks) {
  const auto count = narrow<std::uint32_t>(heavy.size(), "heavy vertices of a grid column");
  std::vector<std::size_t> first = {0};  // of every piece, among the heavy ones
  for (const std::uint32_t of_piece : heavy_of_piece) first.push_back(first.back() + of_piece);
  std::vector<SourcePlaces::Placed> placed;
  placed.reserve(count);
  for_each_heavy(heavy_of_piece, [&](std::uint32_t piece, std::uint32_t local) {
    const std::int64_t source = blocks.first(static_cast<int>(piece)) + heavy[first[piece] + local];
    placed.push_back({static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(placed.size())});
  });
  return {static_cast<std::size_t>(blocks.num_vertices()), count, placed};
}

}  // namespace

HeavyFamilies number_by_first_heavy(Numbering& numbering, const OriginalArcs& arcs,
                                    const Endpoints& endpoints, const BlockPartition& blocks,
                                    const Grid& grid) {
  ISOBATH_EXPECTS(grid.shape.cols == 1);
  std::vector<std::uint32_t> heavy_of_piece = grid.col_comm.allgather(numbering.num_heavy());
  const std::vector<std::uint32_t> heavy = tell_heavy(numbering, heavy_of_piece, grid);
  if (heavy.empty()) return {};
  const SourcePlaces places = heavy_places(heavy, heavy_of_piece, blocks);
  const LargeArray<std::uint32_t> first_head = arcs.first_places(0, numbering.num_originals, places);
  return {number_families(numbering, endpoints, first_head.span(), places.count(),
                          {numbering.num_heavy(), class_lower_bound[0]}),
          std::move(heavy_of_piece)};
}

}  // namespace isobath
