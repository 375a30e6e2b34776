// SPDX-License-Identifier: Apache-2.0
#include "validate/edge_copy.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/expects.hpp"
#include "base/first_exception.hpp"
#include "base/threads.hpp"
#include "validate/edge_checks.hpp"
#include "validate/vertex_index.hpp"

namespace isobath {
namespace {

constexpr std::size_t rows_of_piece = std::size_t{1} << 14;

/// Calls visit(thread, edges) for batches of this rank's edges, every thread going through its own share.
template <class Visit>
void for_each_batch_of_threads(const EdgeStream& edges, const Visit& visit) {
  FirstException exception;
#pragma omp parallel
  exception.guard([&] {
    const auto thread = static_cast<std::size_t>(thread_id());
    const auto share = static_share(edges.size(), thread_id(), num_threads());
    for_each_batch(edges, share.first, share.second,
                   [&](std::span<const Edge> batch) { visit(thread, batch); });
  });
  exception.rethrow();
}

/// Of two threads that add at the same moment one may be lost. The order of the rows need not be exact, and
/// an addition that nothing may disturb takes ten times as long.
void add_roughly(std::uint32_t& count) {
  const std::atomic_ref shared(count);
  shared.store(shared.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

/// Where the edges of 2^14 rows each are before they are in their rows.
struct EdgeCopy::Pieces {
  std::vector<std::size_t> first;  // of each piece, and the end
  LargeArray<std::uint16_t> rows;  // of each edge, within the piece
};

EdgeCopy::EdgeCopy(const EdgeStream& edges) : places_(static_cast<std::size_t>(edges.num_vertices())) {
  ISOBATH_EXPECTS(can_hold(edges.num_vertices()));
  count_ends(edges);
  const std::size_t num_rows = number_by_degree();
  starts_ = LargeArray<std::size_t>(num_rows + 1);
  Pieces pieces;
  deal(edges, num_rows, pieces);
  lay_rows(pieces);
}

/// Ends of edges at each vertex, about, where the places will be.
void EdgeCopy::count_ends(const EdgeStream& edges) {
  for_each_batch_of_threads(edges, [&](std::size_t, std::span<const Edge> batch) {
    expect_vertices_exist(batch, edges.num_vertices());
    for (const Edge& edge : batch) {
      if (edge.u == edge.v) continue;
      add_roughly(places_[index(edge.u)]);
      add_roughly(places_[index(edge.v)]);
    }
  });
}

/// Turns ends into places, most ends first; equal ones stay in the order of vertices, so that what is read by
/// vertex lies nearly in order by place too. Returns the number of places.
std::size_t EdgeCopy::number_by_degree() {
  constexpr std::size_t many = 4096;  // vertices with as many are few, and sorted
  std::vector<std::pair<std::uint32_t, std::uint32_t>> hubs;
  std::array<std::uint32_t, many> next{};
  const auto num_vertices = static_cast<std::uint32_t>(places_.size());
  for (std::uint32_t v = 0; v < num_vertices; ++v) {
    const std::uint32_t ends = places_[v];
    if (ends >= many) {
      hubs.emplace_back(ends, v);
    } else {
      ++next[ends];
    }
  }
  std::sort(hubs.begin(), hubs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  auto place = static_cast<std::uint32_t>(hubs.size());
  for (std::size_t ends = many - 1; ends > 0; --ends) place += std::exchange(next[ends], place);
  for (std::uint32_t v = 0; v < num_vertices; ++v) {
    const std::uint32_t ends = places_[v];
    if (ends < many) places_[v] = ends == 0 ? no_place : next[ends]++;
  }
  for (std::size_t i = 0; i < hubs.size(); ++i) places_[hubs[i].second] = static_cast<std::uint32_t>(i);
  return place;
}

/// Takes every edge to the piece of its row; keeps the self-loops.
void EdgeCopy::deal(const EdgeStream& edges, std::size_t num_rows, Pieces& pieces) {
  const std::size_t num_pieces = (num_rows + rows_of_piece - 1) / rows_of_piece;
  const auto threads = static_cast<std::size_t>(max_threads());
  std::vector<std::vector<std::size_t>> next(threads, std::vector<std::size_t>(num_pieces));
  std::vector<std::vector<std::uint32_t>> loops(threads);
  for_each_batch_of_threads(edges, [&](std::size_t thread, std::span<const Edge> batch) {
    std::size_t* const count = next[thread].data();
    for (const Edge& edge : batch) {
      if (edge.u == edge.v) {
        loops[thread].push_back(static_cast<std::uint32_t>(raw(edge.u)));
        continue;
      }
      ++count[std::max(places_[index(edge.u)], places_[index(edge.v)]) / rows_of_piece];
    }
  });
  std::size_t place = 0;
  for (std::size_t piece = 0; piece < num_pieces; ++piece) {
    pieces.first.push_back(place);
    for (auto& of_thread : next) place += std::exchange(of_thread[piece], place);
  }
  pieces.first.push_back(place);
  pieces.rows = LargeArray<std::uint16_t>(place);
  neighbours_ = LargeArray<std::uint32_t>(place);
  for_each_batch_of_threads(edges, [&](std::size_t thread, std::span<const Edge> batch) {
    std::size_t* const at = next[thread].data();
    for (const Edge& edge : batch) {
      if (edge.u == edge.v) continue;
      const std::uint32_t u = places_[index(edge.u)];
      const std::uint32_t v = places_[index(edge.v)];
      const std::uint32_t row = std::max(u, v);
      const std::size_t to = at[row / rows_of_piece]++;
      pieces.rows[to] = static_cast<std::uint16_t>(row % rows_of_piece);
      neighbours_[to] = std::min(u, v);
    }
  });
  for (const auto& of_thread : loops) {
    self_loops_.insert(self_loops_.end(), of_thread.begin(), of_thread.end());
  }
}

/// Takes the edges of each piece to their rows.
void EdgeCopy::lay_rows(const Pieces& pieces) {
  const std::size_t num_pieces = pieces.first.size() - 1;
  starts_[num_rows()] = neighbours_.size();
#pragma omp parallel
  {
    std::vector<std::size_t> next(rows_of_piece);
    std::vector<std::uint32_t> dealt;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t piece = 0; piece < num_pieces; ++piece) {
      const std::size_t first = pieces.first[piece];
      const std::size_t end = pieces.first[piece + 1];
      const std::size_t first_row = piece * rows_of_piece;
      const std::size_t rows = std::min(rows_of_piece, num_rows() - first_row);
      std::fill(next.begin(), next.end(), 0);
      for (std::size_t i = first; i < end; ++i) ++next[pieces.rows[i]];
      std::size_t place = first;
      for (std::size_t row = 0; row < rows; ++row) {
        starts_[first_row + row] = place;
        place += std::exchange(next[row], place);
      }
      dealt.assign(neighbours_.data() + first, neighbours_.data() + end);
      for (std::size_t i = first; i < end; ++i) neighbours_[next[pieces.rows[i]]++] = dealt[i - first];
    }
  }
}

/// Each neighbour remembers the row that met it last.
std::int64_t EdgeCopy::distinct_edges() const {
  const auto rows = static_cast<std::int64_t>(num_rows());
  std::int64_t distinct = 0;
#pragma omp parallel reduction(+ : distinct)
  {
    std::vector<std::uint32_t> met_in(num_rows(), no_place);
#pragma omp for schedule(dynamic, 4096)
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto place = static_cast<std::uint32_t>(i);
      for (const std::uint32_t neighbour : row(place)) {
        distinct += met_in[neighbour] != place ? 1 : 0;
        met_in[neighbour] = place;
      }
    }
  }
  return distinct;
}

namespace {

class EdgesByRows final : public EdgeStream {
 public:
  explicit EdgesByRows(const EdgeCopy& copy) : copy_(copy), vertex_at_(copy.num_rows()) {
    const std::span<const std::uint32_t> places = copy.places();
    for (std::size_t v = 0; v < places.size(); ++v) {
      if (places[v] != EdgeCopy::no_place) vertex_at_[places[v]] = static_cast<std::uint32_t>(v);
    }
  }

  std::int64_t size() const override { return static_cast<std::int64_t>(copy_.starts().back()); }
  std::int64_t num_vertices() const override { return static_cast<std::int64_t>(copy_.places().size()); }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    if (edges.empty()) return;
    const std::span<const std::size_t> starts = copy_.starts();
    auto at = static_cast<std::size_t>(first);
    auto place =
        static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), at) - starts.begin()) - 1;
    for (Edge& edge : edges) {
      while (starts[place + 1] == at) ++place;
      edge = {GlobalVertex{vertex_at_[place]},
              GlobalVertex{vertex_at_[copy_.row(place)[at - starts[place]]]}};
      ++at;
    }
  }

 private:
  const EdgeCopy& copy_;
  LargeArray<std::uint32_t> vertex_at_;
};

}  // namespace

std::unique_ptr<EdgeStream> EdgeCopy::by_rows() const { return std::make_unique<EdgesByRows>(*this); }

}  // namespace isobath
