// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "graph/codes.hpp"
#include "graph/dealt_arcs.hpp"
#include "graph/target_ranges.hpp"

namespace isobath {

/// Where arcs go: sources, and targets in their range.
struct ArcPlace {
  std::uint32_t* sources = nullptr;
  std::uint16_t* targets = nullptr;
  void advance(std::size_t arcs) {
    sources += arcs;
    targets += arcs;
  }
};

/// Room for arcs whose number is not known, handed out in slabs: from one array as long as no more come than
/// are expected.
class ArcRoom {
 public:
  static constexpr std::size_t slab_arcs = std::size_t{1} << 15;
  explicit ArcRoom(std::size_t expected);
  /// Called by several threads.
  ArcPlace take_slab();
  std::vector<ArcArrays> arrays() && { return std::move(arrays_); }

 private:
  std::mutex mutex_;
  std::vector<ArcArrays> arrays_;
  std::size_t used_ = 0;  // of the last one
};

/// Arcs dealt by target into ranges as they come, so that they need not stand in a list until it is known how
/// many go to each. Every thread has a chain of blocks for each range that it has met, each block half as
/// long as those before it together, up to 2,048 arcs: what no arc stands in is about a sixth of the arcs, or
/// 6 KB for a thread and range, whichever is less. See docs/explanation/construction.md.
class ArrivingArcs {
 public:
  class Dealer;
  /// @param num_targets  more than any target, below 2^32
  /// @param expected     arcs; more may come
  /// @param parts        of the targets, each of which is gone through by itself
  ArrivingArcs(std::int64_t num_targets, std::size_t expected, int parts = 1);
  ~ArrivingArcs();

  /// By all threads: the same one each time.
  Dealer& dealer();
  /// All that were dealt; at the end, once.
  DealtArcs dealt();

 private:
  static std::size_t room_around(std::size_t expected, std::size_t ranges);

  TargetRanges ranges_;
  ArcRoom room_;
  std::vector<std::unique_ptr<Dealer>> dealers_;  // by thread
};

/// One thread's way in, a cache line at a time.
class ArrivingArcs::Dealer {
 public:
  Dealer(const TargetRanges& ranges, ArcRoom& room) : ranges_(ranges), room_(room), lines_(ranges.count()) {}

  void deal(const RoutedArc& arc) {
    Line& line = lines_[ranges_.of(arc.target)];
    const std::uint32_t k = line.count++;
    line.source[k] = arc.source;
    line.target[k] = ranges_.in_range(arc.target);
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
    std::size_t range;
    ArcPlace place;
    std::size_t arcs;
  };
  const std::vector<Block>& blocks() const { return blocks_; }

  static constexpr std::uint32_t first_block = 32;  // arcs, whole lines
  static constexpr std::uint32_t max_block = 2048;

 private:
  static constexpr std::uint32_t line_arcs = 16;
  struct alignas(128) Line {
    std::uint32_t source[line_arcs];
    std::uint16_t target[line_arcs];
    ArcPlace next;            // of the open block
    std::uint32_t count = 0;  // in the line
    std::uint32_t left = 0;   // room in the open block
    std::uint32_t room = 0;   // in all blocks, up to twice the longest one
  };

  void write(Line& line) {
    if (line.left == 0) open_block(line);
    std::memcpy(line.next.sources, line.source, sizeof line.source);
    std::memcpy(line.next.targets, line.target, sizeof line.target);
    line.next.advance(line_arcs);
    line.left -= line_arcs;
    line.count = 0;
  }
  void open_block(Line& line);

  TargetRanges ranges_;
  ArcRoom& room_;
  std::vector<Line> lines_;  // by range
  std::vector<Block> blocks_;
  ArcPlace slab_;
  std::size_t left_in_slab_ = 0;
};

}  // namespace isobath
