// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/threads.hpp"

namespace isobath {

/// Arcs dealt by target into ranges of targets so narrow that whatever is then done with a range stays in
/// cache, without locked operations. Inside a range they stand in the order in which they were given. 6 bytes
/// an arc.
class DealtArcs {
 public:
  /// @param num_targets  more than any target, at most 2^32
  /// @param give  give(part, parts, is_last, add) calls add(source, target) for every arc of share `part` of
  /// `parts`, in
  ///              order; the shares of all parts, one after the other, are all arcs. Called by all threads,
  ///              each with its own part, twice: arcs are counted, then dealt, when is_last is true
  template <class Give>
  DealtArcs(std::int64_t num_targets, Give&& give);

  std::size_t num_ranges() const { return begin_.size() - 1; }
  std::size_t range_of(std::int64_t target) const { return static_cast<std::size_t>(target >> shift_); }
  /// Targets of a range.
  std::uint32_t first_target(std::size_t range) const { return static_cast<std::uint32_t>(range << shift_); }
  std::uint32_t end_target(std::size_t range) const {
    const std::int64_t end = static_cast<std::int64_t>(range + 1) << shift_;
    return static_cast<std::uint32_t>(end < num_targets_ ? end : num_targets_);
  }
  /// Arcs before the range.
  std::uint64_t begin(std::size_t range) const { return begin_[range]; }
  std::size_t size(std::size_t range) const { return begin_[range + 1] - begin_[range]; }
  std::uint64_t num_arcs() const { return begin_.back(); }
  /// Sources of the arcs of a range; may be overwritten by whoever has read them.
  std::span<std::uint32_t> sources(std::size_t range) {
    return {source_.data() + begin_[range], size(range)};
  }
  std::span<const std::uint32_t> sources(std::size_t range) const {
    return {source_.data() + begin_[range], size(range)};
  }
  /// Their targets, counted from the first of the range.
  std::span<const std::uint16_t> targets(std::size_t range) const {
    return {target_.data() + begin_[range], size(range)};
  }
  /// Targets are not asked for any more.
  void forget_targets() { target_ = {}; }

  /// What this thread does with ranges that are then done with: visit(range) for its share of neighbouring
  /// ones, whose memory goes back to the system meanwhile. Inside a parallel region, by all threads.
  template <class Visit>
  void use_up(Visit&& visit);

 private:
  class Dealer;
  static int shift_for(std::int64_t num_targets);

  std::int64_t num_targets_;
  int shift_;                         // a range has 2^shift_ targets, the last one perhaps fewer
  std::vector<std::uint64_t> begin_;  // per range, and the end
  LargeArray<std::uint32_t> source_;
  LargeArray<std::uint16_t> target_;
};

/// One thread's way into the ranges. Its arcs of a range have a place of their own there, which a first pass
/// over the same arcs has counted; they are written a cache line at a time.
class DealtArcs::Dealer {
 public:
  Dealer(DealtArcs& arcs, std::size_t ranges) : arcs_(arcs), lines_(ranges) {}

  void count(std::uint32_t target) { ++lines_[target >> arcs_.shift_].at; }
  /// Between the passes: how many were counted; then where they go.
  std::uint64_t counted(std::size_t range) const { return lines_[range].at; }
  void place(std::size_t range, std::uint64_t begin) { lines_[range].at = lines_[range].begin = begin; }

  void deal(std::uint32_t source, std::uint32_t target) {
    Line& line = lines_[target >> arcs_.shift_];
    const std::uint64_t k = line.at++ % line_arcs;
    line.source[k] = source;
    line.target[k] = static_cast<std::uint16_t>(target & ((1U << arcs_.shift_) - 1));
    if (k == line_arcs - 1) write(line, line_arcs);
  }
  void flush() {
    for (Line& line : lines_) write(line, line.at % line_arcs);
  }

 private:
  static constexpr std::uint64_t line_arcs = 16;
  struct alignas(128) Line {
    std::uint32_t source[line_arcs];
    std::uint16_t target[line_arcs];
    std::uint64_t at = 0;     // where the next arc goes
    std::uint64_t begin = 0;  // where the first one that is not written goes, at the latest
  };

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

  DealtArcs& arcs_;
  std::vector<Line> lines_;
};

template <class Give>
DealtArcs::DealtArcs(std::int64_t num_targets, Give&& give)
    : num_targets_(num_targets), shift_(shift_for(num_targets)) {
  const std::size_t ranges =
      num_targets == 0 ? 0 : static_cast<std::size_t>(((num_targets - 1) >> shift_) + 1);
  begin_.resize(ranges + 1);
  std::vector<Dealer*> dealers(static_cast<std::size_t>(max_threads()), nullptr);
#pragma omp parallel
  {
    Dealer dealer(*this, ranges);
    dealers[static_cast<std::size_t>(thread_id())] = &dealer;
    give(thread_id(), num_threads(), false,
         [&](std::uint32_t, std::uint32_t target) { dealer.count(target); });
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
    give(thread_id(), num_threads(), true,
         [&](std::uint32_t source, std::uint32_t target) { dealer.deal(source, target); });
    dealer.flush();
  }
}

template <class Visit>
void DealtArcs::use_up(Visit&& visit) {
  // Neighbouring ranges to each thread: they may be smaller than huge pages, which can only be given back
  // whole.
  const auto [first, end] = static_share(static_cast<std::int64_t>(num_ranges()), thread_id(), num_threads());
  const auto give_back = [](void* done, const void* used_up) {
    return arena::release_pages(done, static_cast<std::size_t>(static_cast<const std::byte*>(used_up) -
                                                               static_cast<std::byte*>(done)));
  };
  const bool has_targets = target_.size() != 0;
  void* sources_done = source_.data() + begin_[static_cast<std::size_t>(first)];
  void* targets_done = has_targets ? target_.data() + begin_[static_cast<std::size_t>(first)] : nullptr;
  for (auto range = static_cast<std::size_t>(first); range < static_cast<std::size_t>(end); ++range) {
    visit(range);
    sources_done = give_back(sources_done, source_.data() + begin_[range + 1]);
    if (has_targets) targets_done = give_back(targets_done, target_.data() + begin_[range + 1]);
  }
}

}  // namespace isobath
