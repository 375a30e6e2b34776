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
#include "validate/owner_exchange.hpp"
#include "validate/vertex_index.hpp"

namespace isobath {
namespace {

constexpr std::size_t rows_of_piece = std::size_t{1} << 14;

/// Of each thread and piece: first how many edges, then where the next one goes.
using ThreadCursors = std::vector<std::vector<std::size_t>>;

/// Turns numbers of edges into cursors, from `next` of each piece on, which moves behind them.
void place_threads(ThreadCursors& cursors, std::vector<std::size_t>& next) {
  for (std::size_t piece = 0; piece < next.size(); ++piece) {
    for (auto& of_thread : cursors) next[piece] += std::exchange(of_thread[piece], next[piece]);
  }
}

/// Calls visit(thread, edges) for batches of [first, end), every thread going through its own share.
template <class Visit>
void for_each_batch_of_threads(const EdgeStream& edges, std::int64_t first, std::int64_t end,
                               const Visit& visit) {
  FirstException exception;
#pragma omp parallel
  exception.guard([&] {
    const auto thread = static_cast<std::size_t>(thread_id());
    const auto share = static_share(end - first, thread_id(), num_threads());
    for_each_batch(edges, first + share.first, first + share.second,
                   [&](std::span<const Edge> batch) { visit(thread, batch); });
  });
  exception.rethrow();
}
template <class Visit>
void for_each_batch_of_threads(const EdgeStream& edges, const Visit& visit) {
  for_each_batch_of_threads(edges, 0, edges.size(), visit);
}

/// Of two threads that add at the same moment one may be lost. The order of the rows need not be exact, and
/// an addition that nothing may disturb takes ten times as long.
void add_roughly(std::uint32_t& count) {
  const std::atomic_ref shared(count);
  shared.store(shared.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

std::size_t DealtRows::rows_of(int of_rank, std::size_t num_places) const {
  const std::size_t blocks = (num_places + block - 1) / block;
  const auto mine = static_cast<std::size_t>(of_rank);
  if (blocks <= mine) return 0;
  const std::size_t own_blocks = (blocks - 1 - mine) / ranks + 1;
  const bool has_last = (blocks - 1) % ranks == mine;
  return own_blocks * block - (has_last ? blocks * block - num_places : 0);
}

/// An edge as it lies in a row: that of its later place.
struct EdgeCopy::PlacedEdge {
  std::uint32_t place;
  std::uint32_t neighbour;
};

/// Where the edges of 2^14 rows each are before they are in their rows.
struct EdgeCopy::Pieces {
  std::vector<std::size_t> first;  // of each piece, and the end
  LargeArray<std::uint16_t> rows;  // of each edge, within the piece
};

EdgeCopy::EdgeCopy(const Communicator& world, const EdgeStream& edges)
    : dealt_{static_cast<std::uint32_t>(world.rank()), static_cast<std::uint32_t>(world.size())},
      places_(static_cast<std::size_t>(edges.num_vertices())) {
  ISOBATH_EXPECTS(can_hold(edges.num_vertices()));
  count_ends(edges);
  add_ends_of_all(world);
  num_places_ = number_by_degree();
  starts_ = LargeArray<std::size_t>(dealt_.rows_of(world.rank(), num_places_) + 1);
  Pieces pieces;
  deal(world, edges, pieces);
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

/// Collective. Equal on every rank afterwards, so that the places are.
void EdgeCopy::add_ends_of_all(const Communicator& world) {
  if (world.size() == 1) return;
  constexpr std::size_t at_a_time = std::size_t{1} << 16;
  std::vector<std::int64_t> ends;
  for (std::size_t first = 0; first < places_.size(); first += at_a_time) {
    const auto part = places_.span().subspan(first, std::min(at_a_time, places_.size() - first));
    ends.assign(part.begin(), part.end());
    world.sum(std::span(ends));
    std::transform(ends.begin(), ends.end(), part.begin(), [](std::int64_t sum) {
      return static_cast<std::uint32_t>(std::min<std::int64_t>(sum, no_place));
    });
  }
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

EdgeCopy::PlacedEdge EdgeCopy::placed(const Edge& edge) const {
  const std::uint32_t u = places_[index(edge.u)];
  const std::uint32_t v = places_[index(edge.v)];
  return {std::max(u, v), std::min(u, v)};
}

/// Collective. Takes every edge to the piece of its row; keeps the self-loops.
void EdgeCopy::deal(const Communicator& world, const EdgeStream& edges, Pieces& pieces) {
  const auto ranks = static_cast<std::size_t>(world.size());
  // Pieces of all ranks lie one rank's after the other's; rank 0 has the most.
  const std::size_t num_pieces = (dealt_.rows_of(0, num_places_) + rows_of_piece - 1) / rows_of_piece;
  const auto threads = static_cast<std::size_t>(max_threads());
  ThreadCursors cursors(threads, std::vector<std::size_t>(ranks * num_pieces));
  std::vector<std::vector<std::uint32_t>> loops(threads);
  for_each_batch_of_threads(edges, [&](std::size_t thread, std::span<const Edge> batch) {
    std::size_t* const count = cursors[thread].data();
    for (const Edge& edge : batch) {
      if (edge.u == edge.v) {
        loops[thread].push_back(static_cast<std::uint32_t>(raw(edge.u)));
        continue;
      }
      const std::uint32_t place = placed(edge).place;
      const std::size_t rank = ranks == 1 ? 0 : static_cast<std::size_t>(dealt_.rank_of(place));
      ++count[rank * num_pieces + dealt_.row_of(place) / rows_of_piece];
    }
  });
  for (const auto& of_thread : loops) {
    self_loops_.insert(self_loops_.end(), of_thread.begin(), of_thread.end());
  }
  std::vector<std::int64_t> num_edges(ranks * num_pieces);
  for (const auto& of_thread : cursors) {
    for (std::size_t piece = 0; piece < num_edges.size(); ++piece) {
      num_edges[piece] += static_cast<std::int64_t>(of_thread[piece]);
    }
  }
  world.sum(std::span(num_edges));
  std::vector<std::size_t> next;
  std::size_t end = 0;
  for (std::size_t piece = 0; piece < num_pieces; ++piece) {
    next.push_back(end);
    end += static_cast<std::size_t>(num_edges[dealt_.rank * num_pieces + piece]);
  }
  pieces.first = next;
  pieces.first.push_back(end);
  pieces.rows = LargeArray<std::uint16_t>(end);
  neighbours_ = LargeArray<std::uint32_t>(end);
  if (ranks > 1) {
    deliver(world, edges, next, pieces);
    return;
  }
  place_threads(cursors, next);
  for_each_batch_of_threads(edges, [&](std::size_t thread, std::span<const Edge> batch) {
    for (const Edge& edge : batch) {
      if (edge.u != edge.v) put(placed(edge), cursors[thread], pieces);
    }
  });
}

/// Collective. Takes every edge to the rank of its row and there to its piece, a chunk at a time.
void EdgeCopy::deliver(const Communicator& world, const EdgeStream& edges, std::vector<std::size_t>& next,
                       Pieces& pieces) {
  OwnerExchange exchange(world, BlockPartition(world.size(), world.size()));  // what is owned are ranks
  const auto rank_of = [&](const PlacedEdge& edge) {
    return GlobalVertex{edge.place == no_place ? world.rank() : dealt_.rank_of(edge.place)};
  };
  const auto chunk = static_cast<std::int64_t>(exchange.chunk());
  const std::int64_t rounds = exchange.rounds(edges.size());
  LargeArray<PlacedEdge> leaving(static_cast<std::size_t>(std::min(chunk, edges.size())));
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * chunk, edges.size());
    const std::int64_t end = std::min(first + chunk, edges.size());
    FirstException exception;
#pragma omp parallel
    exception.guard([&] {
      const auto share = static_share(end - first, thread_id(), num_threads());
      PlacedEdge* to = leaving.data() + share.first;
      for_each_batch(edges, first + share.first, first + share.second, [&](std::span<const Edge> batch) {
        for (const Edge& edge : batch)
          *to++ = edge.u == edge.v ? PlacedEdge{no_place, no_place} : placed(edge);
      });
    });
    exception.rethrow();
    exchange.deliver<PlacedEdge>(
        leaving.span().first(static_cast<std::size_t>(end - first)), rank_of,
        [&](std::span<const PlacedEdge> arrived) { put_arrived(arrived, next, pieces); });
  }
}

/// Takes what arrived to the pieces; self-loops came from here and end here.
void EdgeCopy::put_arrived(std::span<const PlacedEdge> arrived, std::vector<std::size_t>& next,
                           Pieces& pieces) {
  ThreadCursors cursors(static_cast<std::size_t>(max_threads()), std::vector<std::size_t>(next.size()));
#pragma omp parallel
  {
    std::vector<std::size_t>& mine = cursors[static_cast<std::size_t>(thread_id())];
    const auto share = static_share(static_cast<std::int64_t>(arrived.size()), thread_id(), num_threads());
    const std::span<const PlacedEdge> own = arrived.subspan(
        static_cast<std::size_t>(share.first), static_cast<std::size_t>(share.second - share.first));
    for (const PlacedEdge& edge : own) {
      if (edge.place != no_place) ++mine[dealt_.row_of(edge.place) / rows_of_piece];
    }
#pragma omp barrier
#pragma omp single
    place_threads(cursors, next);
    for (const PlacedEdge& edge : own) {
      if (edge.place != no_place) put(edge, mine, pieces);
    }
  }
}

void EdgeCopy::put(PlacedEdge edge, std::vector<std::size_t>& cursors, Pieces& pieces) {
  const std::uint32_t row = dealt_.row_of(edge.place);
  const std::size_t to = cursors[row / rows_of_piece]++;
  pieces.rows[to] = static_cast<std::uint16_t>(row % rows_of_piece);
  neighbours_[to] = edge.neighbour;
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
    std::vector<std::uint32_t> met_in(num_places(), no_place);
#pragma omp for schedule(dynamic, 4096)
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto here = static_cast<std::uint32_t>(i);
      for (const std::uint32_t neighbour : row(here)) {
        distinct += met_in[neighbour] != here ? 1 : 0;
        met_in[neighbour] = here;
      }
    }
  }
  return distinct;
}

namespace {

class EdgesByRows final : public EdgeStream {
 public:
  explicit EdgesByRows(const EdgeCopy& copy) : copy_(copy), vertex_at_(copy.num_places()) {
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
    auto row =
        static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), at) - starts.begin()) - 1;
    for (Edge& edge : edges) {
      while (starts[row + 1] == at) ++row;
      const std::uint32_t place = copy_.dealt().place_of(static_cast<std::uint32_t>(row));
      edge = {GlobalVertex{vertex_at_[place]}, GlobalVertex{vertex_at_[copy_.row(row)[at - starts[row]]]}};
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
