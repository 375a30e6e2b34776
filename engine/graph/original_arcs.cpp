// SPDX-License-Identifier: Apache-2.0
#include "graph/original_arcs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "base/bitmap.hpp"
#include "base/expects.hpp"
#include "base/threads.hpp"
#include "graph/sort_row.hpp"

namespace isobath {
namespace {

constexpr std::int64_t max_ranges = 2048;  // their open lines fit the second-level cache
constexpr int max_shift = 16;              // a vertex of a range has 16 bits

int shift_for(std::int64_t num_vertices) {
  int shift = 0;
  while (shift < max_shift && (num_vertices >> shift) > max_ranges) ++shift;
  return shift;
}

}  // namespace

/// One thread's way into the ranges. Its arcs of a range have a place of their own there, which a first pass
/// over the same edges has counted; they are written a cache line at a time.
class OriginalArcs::Dealer {
 public:
  Dealer(OriginalArcs& arcs, std::size_t ranges) : arcs_(arcs), lines_(ranges) {}

  /// First pass.
  void count(std::span<const Edge> edges) {
    const int shift = arcs_.shift_;
    for (const auto& [u, v] : edges) {
      if (u == v) {
        loops_.push_back(static_cast<std::uint32_t>(raw(u)));
        continue;
      }
      ++lines_[static_cast<std::size_t>(raw(u) >> shift)].at;
      ++lines_[static_cast<std::size_t>(raw(v) >> shift)].at;
    }
  }
  /// Between the passes: how many were counted; then where they go.
  std::uint64_t counted(std::size_t range) const { return lines_[range].at; }
  void place(std::size_t range, std::uint64_t begin) { lines_[range].at = lines_[range].begin = begin; }

  /// Second pass.
  void deal(std::span<const Edge> edges) {
    for (const auto& [u, v] : edges) {
      if (u == v) continue;
      const auto a = static_cast<std::uint32_t>(raw(u));
      const auto b = static_cast<std::uint32_t>(raw(v));
      add(a, b);
      add(b, a);
    }
  }
  void flush() {
    for (Line& line : lines_) write(line, line.at % line_arcs);
  }

  const std::vector<std::uint32_t>& loops() const { return loops_; }

 private:
  static constexpr std::uint64_t line_arcs = 16;
  struct alignas(128) Line {
    std::uint32_t source[line_arcs];
    std::uint16_t target[line_arcs];
    std::uint64_t at = 0;     // where the next arc goes
    std::uint64_t begin = 0;  // where the first one that is not written goes, at the latest
  };

  void add(std::uint32_t source, std::uint32_t target) {
    Line& line = lines_[target >> arcs_.shift_];
    const std::uint64_t k = line.at++ % line_arcs;
    line.source[k] = source;
    line.target[k] = static_cast<std::uint16_t>(target & ((1U << arcs_.shift_) - 1));
    if (k == line_arcs - 1) write(line, line_arcs);
  }
  /// The first `end` of a line, less those before its begin: lines are cut where cache lines end.
  void write(Line& line, std::uint64_t end) {
    const std::uint64_t first = line.at - end;
    if (end == line_arcs && line.begin <= first) {  // hardly ever not; the sizes are constants here
      std::memcpy(arcs_.source_.data() + first, line.source, sizeof line.source);
      std::memcpy(arcs_.target_.data() + first, line.target, sizeof line.target);
      return;
    }
    for (std::uint64_t k = line.begin > first ? line.begin - first : 0; k < end; ++k) {
      arcs_.source_[first + k] = line.source[k];
      arcs_.target_[first + k] = line.target[k];
    }
  }

  OriginalArcs& arcs_;
  std::vector<Line> lines_;
  std::vector<std::uint32_t> loops_;
};

OriginalArcs::OriginalArcs(const EdgeStream& edges)
    : num_vertices_(edges.num_vertices()), shift_(shift_for(num_vertices_)) {
  const auto ranges = static_cast<std::size_t>(((num_vertices_ - 1) >> shift_) + 1);
  begin_.resize(ranges + 1);
  std::vector<Dealer*> dealers(static_cast<std::size_t>(max_threads()), nullptr);
#pragma omp parallel
  {
    Dealer dealer(*this, ranges);
    dealers[static_cast<std::size_t>(thread_id())] = &dealer;
    const auto [first, end] = static_share(edges.size(), thread_id(), num_threads());
    for_each_batch(edges, first, end, [&](std::span<const Edge> batch) { dealer.count(batch); });
#pragma omp barrier
#pragma omp single
    {
      std::uint64_t at = 0;
      for (std::size_t range = 0; range < ranges; ++range) {
        begin_[range] = at;
        for (Dealer* const each : dealers) {
          if (each != nullptr) each->place(range, std::exchange(at, at + each->counted(range)));
        }
      }
      begin_[ranges] = at;
      source_ = LargeArray<std::uint32_t>(at);
      target_ = LargeArray<std::uint16_t>(at);
    }
    for_each_batch(edges, first, end, [&](std::span<const Edge> batch) { dealer.deal(batch); });
    dealer.flush();
#pragma omp critical(isobath_original_arcs)
    self_loops_at_.insert(self_loops_at_.end(), dealer.loops().begin(), dealer.loops().end());
  }
  std::sort(self_loops_at_.begin(), self_loops_at_.end());
}

std::uint32_t OriginalArcs::end_vertex(std::size_t range) const {
  return static_cast<std::uint32_t>(std::min(num_vertices_, static_cast<std::int64_t>(range + 1) << shift_));
}

Endpoints OriginalArcs::endpoints() {
  Endpoints result;
  result.of = LargeArray<Endpoint>(static_cast<std::size_t>(num_vertices_));
  std::atomic<bool> has_overflow = false;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t range = 0; range < num_ranges(); ++range) {
    Endpoint* const of = result.of.data() + first_vertex(range);
    bool are_counted = true;
    for (std::uint64_t i = begin_[range]; i < begin_[range + 1]; ++i) {
      are_counted &= of[target_[i]].meet(source_[i]);
    }
    if (!are_counted) has_overflow.store(true, std::memory_order_relaxed);
  }
  if (has_overflow) refuse_copies();
  result.self_loops_at = std::move(self_loops_at_);
  return result;
}

void OriginalArcs::find_first_heavy(Numbering& numbering) const {
  const std::uint32_t num_heavy = numbering.num_heavy();
  LargeArray<Word> is_heavy(
      words_for(static_cast<std::size_t>(num_vertices_)));  // stays in cache, codes do not
  for (std::uint32_t working = 0; working < num_heavy; ++working)
    set_bit(is_heavy.span(), numbering.original[working]);
  std::uint32_t* const code = numbering.code.data();
#pragma omp parallel
  {
    std::vector<std::uint32_t> least;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t range = 0; range < num_ranges(); ++range) {
      const std::uint32_t first = first_vertex(range);
      least.assign(end_vertex(range) - first, num_heavy);
      for (std::uint64_t i = begin_[range]; i < begin_[range + 1]; ++i) {
        const std::uint32_t source = source_[i];
        const std::uint32_t* const heavy =
            test_bit(is_heavy.span(), source) ? code + source : &num_heavy;  // no branch
        least[target_[i]] = std::min(least[target_[i]], *heavy);
      }
      for (std::size_t i = 0; i < least.size(); ++i) {
        const std::size_t v = first + i;
        if (code[v] < Numbering::leaf && !test_bit(is_heavy.span(), v)) code[v] = least[i];
      }
    }
  }
}

/// What one thread needs to sort a range, kept from range to range.
struct OriginalArcs::Scratch {
  std::vector<std::uint64_t> row_end;
  LargeArray<std::uint32_t> keys;
  std::vector<std::uint32_t> sort;
  bool keep_duplicates = false;
};

/// Arcs of a range between searched vertices, as working numbers, into their rows in `scratch.keys`: the row
/// of a vertex has room for all its end points and ends at row_end.
std::uint64_t OriginalArcs::translate(std::size_t range, const Numbering& numbering, Scratch& scratch) const {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  constexpr std::uint64_t ahead = 32;  // look-ups of neighbours wait for memory: ask for them early
  const std::uint32_t first = first_vertex(range);
  const std::uint32_t* const code = numbering.code.data();
  std::vector<std::uint64_t>& at = scratch.row_end;
  at.assign(end_vertex(range) - first, none);
  std::uint64_t room = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::uint32_t row = code[first + i];
    if (row < Numbering::leaf) at[i] = std::exchange(room, room + numbering.degree[row]);
  }
  if (scratch.keys.size() < room) scratch.keys = LargeArray<std::uint32_t>(room);
  std::uint32_t* const keys = scratch.keys.data();
  const std::span<const std::uint32_t> source(source_.data() + begin_[range],
                                              begin_[range + 1] - begin_[range]);
  const std::uint16_t* const target = target_.data() + begin_[range];
  const std::uint64_t last = source.empty() ? 0 : source.size() - 1;
  for (std::uint64_t i = 0; i < source.size(); ++i) {
    __builtin_prefetch(code + source[std::min(i + ahead, last)]);
    const std::uint32_t key = code[source[i]];
    std::uint64_t& row_end = at[target[i]];
    if (key < Numbering::leaf && row_end != none) keys[row_end++] = key;
  }
  return room;
}

/// Sorts the rows of a range; what remains of them replaces its arcs, one row after the other in original
/// order.
void OriginalArcs::sort_range(std::size_t range, const Numbering& numbering, int key_bits, Scratch& scratch,
                              LargeArray<std::uint64_t>& length) {
  translate(range, numbering, scratch);
  const std::uint32_t first = first_vertex(range);
  std::uint32_t* out = source_.data() + begin_[range];
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < scratch.row_end.size(); ++i) {
    const std::uint32_t row = numbering.code[first + i];
    if (row >= Numbering::leaf) continue;
    std::uint32_t* const keys = scratch.keys.data() + begin;
    const auto met = static_cast<std::uint32_t>(scratch.row_end[i] - begin);
    begin += numbering.degree[row];
    const std::uint32_t count = sort_unique(keys, met, key_bits, scratch.sort, scratch.keep_duplicates);
    out = std::copy_n(keys, count, out);
    length[row + 1] = count;
  }
}

void OriginalArcs::copy_range(std::size_t range, const Numbering& numbering, Rows& rows) const {
  const std::uint32_t* from = source_.data() + begin_[range];
  for (std::uint32_t v = first_vertex(range); v < end_vertex(range); ++v) {
    const std::uint32_t row = numbering.code[v];
    if (row >= Numbering::leaf) continue;
    const std::uint32_t count = rows.length(row);
    std::copy_n(from, count, rows.neighbour.data() + rows.start[row]);
    from += count;
  }
}

Rows OriginalArcs::into_rows(const Numbering& numbering, bool keep_duplicates) {
  // As wide as the layout of a single rank: whole pieces, rows behind the last vertex are empty.
  const std::size_t num_rows = numbering.degree.size();
  const auto key_bits = static_cast<int>(std::bit_width(num_rows));
  Rows rows;
  rows.start = LargeArray<std::uint64_t>(num_rows + 1);
#pragma omp parallel
  {
    Scratch scratch;
    scratch.keep_duplicates = keep_duplicates;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t range = 0; range < num_ranges(); ++range) {
      sort_range(range, numbering, key_bits, scratch, rows.start);
    }
  }
  target_ = {};
  for (std::size_t row = 0; row < num_rows; ++row) rows.start[row + 1] += rows.start[row];
  rows.neighbour = LargeArray<std::uint32_t>(rows.start[num_rows]);
#pragma omp parallel
  {
    // Neighbouring ranges to each thread: they may be smaller than huge pages, which can only be given back
    // whole.
    const auto [first, end] =
        static_share(static_cast<std::int64_t>(num_ranges()), thread_id(), num_threads());
    void* done = source_.data() + begin_[static_cast<std::size_t>(first)];
    for (auto range = static_cast<std::size_t>(first); range < static_cast<std::size_t>(end); ++range) {
      copy_range(range, numbering, rows);
      const auto* const copied = reinterpret_cast<const std::byte*>(source_.data() + begin_[range + 1]);
      done = arena::release_pages(done, static_cast<std::size_t>(copied - static_cast<std::byte*>(done)));
    }
  }
  source_ = {};
  return rows;
}

}  // namespace isobath
