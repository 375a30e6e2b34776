// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/first_exception.hpp"
#include "base/groups.hpp"
#include "base/reciprocal.hpp"
#include "base/threads.hpp"
#include "graph/codes.hpp"
#include "graph/dealt_arcs.hpp"
#include "graph/positions.hpp"
#include "graph/rounds.hpp"
#include "graph/target_ranges.hpp"

namespace isobath {

/// Where arcs go: sources, and targets in their range.
struct ArcPlace {
  static constexpr bool are_wide = false;

  std::uint32_t* sources = nullptr;
  std::uint16_t* targets = nullptr;

  /// Where arcs stand in arrays, from this one on.
  static ArcPlace in(ArcArrays& arrays, std::size_t at) {
    return {arrays.sources.data() + at, arrays.targets.data() + at};
  }
  void advance(std::size_t arcs) {
    sources += arcs;
    targets += arcs;
  }
  DealtArcs::Part part(std::size_t arcs) const { return {{sources, arcs}, targets, nullptr}; }
};

/// The same of wide arcs: sources are their low bits.
struct WideArcPlace {
  static constexpr bool are_wide = true;

  std::uint32_t* sources = nullptr;
  std::uint16_t* targets = nullptr;
  std::uint8_t* source_highs = nullptr;

  static WideArcPlace in(ArcArrays& arrays, std::size_t at) {
    return {arrays.sources.data() + at, arrays.targets.data() + at, arrays.source_highs.data() + at};
  }
  void advance(std::size_t arcs) {
    sources += arcs;
    targets += arcs;
    source_highs += arcs;
  }
  DealtArcs::Part part(std::size_t arcs) const { return {{sources, arcs}, targets, source_highs}; }
};

/// Arcs on their way into memory, a line of the cache of sources at a time.
struct ArcLine {
  using Place = ArcPlace;
  static constexpr std::uint32_t size = 16;

  std::uint32_t source[size];
  std::uint16_t target[size];

  /// @param target  in its range
  void put(std::uint32_t k, const RoutedArc& arc, std::uint16_t in_range, PositionSplit /*split*/) {
    source[k] = arc.source;
    target[k] = in_range;
  }
  void write(const Place& to) const {
    std::memcpy(to.sources, source, sizeof source);
    std::memcpy(to.targets, target, sizeof target);
  }
};

struct WideArcLine {
  using Place = WideArcPlace;
  static constexpr std::uint32_t size = ArcLine::size;

  ArcLine low;
  std::uint8_t source_high[size];

  void put(std::uint32_t k, const WideArc& arc, std::uint16_t in_range, PositionSplit split) {
    low.source[k] = split.low(source_of(arc));
    low.target[k] = in_range;
    source_high[k] = split.high(source_of(arc));
  }
  void write(const Place& to) const {
    low.write({to.sources, to.targets});
    std::memcpy(to.source_highs, source_high, sizeof source_high);
  }
};

/// What arcs of either form are dealt in.
template <class Arc>
using LineOf = std::conditional_t<std::is_same_v<Arc, RoutedArc>, ArcLine, WideArcLine>;

/// Room for arcs whose number is not known, handed out in slabs: from one array as long as no more come than
/// are expected.
class ArcRoom {
 public:
  static constexpr std::size_t slab_arcs = std::size_t{1} << 15;
  ArcRoom(std::size_t expected, bool are_wide);
  /// Called by several threads. @tparam Place  of arcs that are wide, or not, as they were said to be
  template <class Place>
  Place take_slab();
  std::vector<ArcArrays> arrays() && { return std::move(arrays_); }

 private:
  std::mutex mutex_;
  bool are_wide_;
  std::vector<ArcArrays> arrays_;
  std::size_t used_ = 0;  // of the last one
};

/// Arcs dealt by target into ranges as they come, so that they need not stand in a list until it is known how
/// many go to each. Every thread has a chain of blocks for each range that it has met, each block half as
/// long as those before it together, up to 2,048 arcs: what no arc stands in is about a sixth of the arcs, or
/// 6 KB for a thread and range, whichever is less. See docs/explanation/construction.md.
///
/// Where ranges are so many that a thread's open lines, one for each, leave the second cache, each range has
/// one thread: arcs of a round are grouped by it first. So there is one chain and one open line for a range,
/// not one for each thread, and its blocks grow to 512 arcs: unused is a sixth of the arcs, or 1.5 KB for a
/// range, whichever is less.
///
/// @tparam Arc  RoutedArc, or WideArc where positions are wide: their sources have a byte of high bits apart
template <class Arc>
class ArrivingArcs {
 public:
  class Dealer;
  /// @param num_targets  more than any target
  /// @param expected     arcs; more may come
  /// @param parts        of the targets, each of which is gone through by itself
  /// @param most_lines   ranges that every thread deals into; of more each has one thread
  /// @param split        of sources, where they are wide
  ArrivingArcs(std::int64_t num_targets, std::size_t expected, int parts = 1,
               std::size_t most_lines = TargetRanges::in_second_cache, PositionSplit split = PositionSplit());
  ~ArrivingArcs();

  /// Deals arcs of a round, with all threads.
  /// @param most  as many, or more than there are
  /// @param give  give(part, parts, is_last, add) calls add(arc) for every arc of share `part` of `parts`.
  ///              Called by all threads, each with its own part: once, or twice for the same arcs in the same
  ///              order; is_last is true the last time
  template <class Give>
  void deal(std::size_t most, Give&& give) {
    if (owners_ == 1) {
      deal_at_once(give);
    } else {
      deal_by_owner(most, give);
    }
  }
  /// All that were dealt; at the end, once.
  DealtArcs dealt();

 private:
  template <class Give>
  void deal_at_once(Give&& give);
  template <class Give>
  void deal_by_owner(std::size_t most, Give&& give);

  std::size_t range_of(const Arc& arc) const { return ranges_.of(static_cast<std::int64_t>(target_of(arc))); }
  /// Ranges are dealt out to owners in turn.
  std::size_t line_of(std::size_t range) const {
    return by_owners_.quotient_of(static_cast<std::uint32_t>(range));
  }
  std::size_t owner_of(std::size_t range) const { return range - line_of(range) * owners_; }
  std::uint32_t max_block() const;
  std::size_t room_around(std::size_t expected) const;
  /// That of a thread, or of an owner of ranges: the same one each time.
  Dealer& dealer(std::size_t whose);

  TargetRanges ranges_;
  PositionSplit split_;
  bool has_one_chain_;          // of blocks for a range, not one for each thread
  std::size_t owners_;          // of ranges: threads; 1 where all have all of them
  NarrowReciprocal by_owners_;  // divides by these, where they are several
  ArcRoom room_;
  std::vector<std::unique_ptr<Dealer>> dealers_;  // by thread; or by owner
  Groups groups_;                                 // arcs of a round by owner
  RoundBuffer<Arc> grouped_;
};

/// One thread's way into its ranges, a cache line at a time.
template <class Arc>
class ArrivingArcs<Arc>::Dealer {
 public:
  using Place = typename LineOf<Arc>::Place;

  /// @param first, step  its ranges: the first, and every step-th from there
  /// @param max_block    arcs of the longest block, whole lines
  Dealer(const TargetRanges& ranges, PositionSplit split, std::size_t first, std::size_t step,
         std::uint32_t max_block, ArcRoom& room)
      : ranges_(ranges),
        split_(split),
        first_range_(first),
        step_(step),
        max_block_(max_block),
        room_(room),
        lines_((ranges.count() - first + step - 1) / step) {}

  /// @param at  of the arc's range, among those of the dealer
  void deal(const Arc& arc, std::size_t at) {
    Line& line = lines_[at];
    const std::uint32_t k = line.count++;
    line.arcs.put(k, arc, ranges_.in_range(target_of(arc)), split_);
    if (k == line_arcs / 2 && line.left != 0) {  // where the line goes is in nobody's cache
      __builtin_prefetch(line.next.sources, 1);
      __builtin_prefetch(line.next.targets, 1);
    }
    if (k == line_arcs - 1) write(line);
  }
  /// Writes what stands in lines. Nothing may be dealt afterwards.
  void flush();

  /// A part of a range that is not empty, by the order in which they were begun.
  struct Block {
    Place place;
    std::uint32_t line;  // see range_of()
    std::uint32_t arcs;
  };
  const std::vector<Block>& blocks() const { return blocks_; }
  std::size_t range_of(const Block& block) const { return first_range_ + block.line * step_; }

  static constexpr std::uint32_t first_block = 32;            // arcs, whole lines
  static constexpr std::uint32_t max_block_of_thread = 2048;  // where a range has a chain for each thread
  static constexpr std::uint32_t max_block_of_range = 512;    // where it has one

 private:
  static constexpr std::uint32_t line_arcs = LineOf<Arc>::size;
  struct alignas(128) Line {
    LineOf<Arc> arcs;
    Place next;               // of the open block
    std::uint32_t count = 0;  // in the line
    std::uint32_t left = 0;   // room in the open block
    std::uint32_t room = 0;   // in all blocks, up to twice the longest one
  };

  void write(Line& line) {
    if (line.left == 0) open_block(line);
    line.arcs.write(line.next);
    line.next.advance(line_arcs);
    line.left -= line_arcs;
    line.count = 0;
  }
  void open_block(Line& line);

  TargetRanges ranges_;
  PositionSplit split_;
  std::size_t first_range_;
  std::size_t step_;
  std::uint32_t max_block_;
  ArcRoom& room_;
  std::vector<Line> lines_;  // by range
  std::vector<Block> blocks_;
  Place slab_;
  std::size_t left_in_slab_ = 0;
};

template <class Arc>
template <class Give>
void ArrivingArcs<Arc>::deal_at_once(Give&& give) {
  FirstException failure;
#pragma omp parallel
  failure.guard([&] {
    Dealer& mine = dealer(static_cast<std::size_t>(thread_id()));
    give(thread_id(), num_threads(), true, [&](const Arc& arc) { mine.deal(arc, range_of(arc)); });
  });
  failure.rethrow();
}

template <class Arc>
template <class Give>
void ArrivingArcs<Arc>::deal_by_owner(std::size_t most, Give&& give) {
  const std::span<Arc> grouped = grouped_.first(most);
  FirstException failure;
#pragma omp parallel
  groups_.group(
      [&](std::span<std::int64_t> at) {
        give(thread_id(), num_threads(), false, [&](const Arc& arc) { ++at[owner_of(range_of(arc))]; });
      },
      [](std::size_t) {},
      [&](std::span<std::int64_t> at) {
        failure.guard([&] {
          give(thread_id(), num_threads(), true,
               [&](Arc arc) { grouped[static_cast<std::size_t>(at[owner_of(range_of(arc))]++)] = arc; });
        });
      });
  failure.rethrow();
#pragma omp parallel for schedule(static)
  for (std::size_t owner = 0; owner < owners_; ++owner) {
    failure.guard([&] {
      const std::span<const Arc> arcs = groups_.of(grouped, owner);
      if (arcs.empty()) return;
      Dealer& of_owner = dealer(owner);
      for (const Arc& arc : arcs) of_owner.deal(arc, line_of(range_of(arc)));
    });
  }
  failure.rethrow();
}

}  // namespace isobath
