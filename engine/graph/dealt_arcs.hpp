// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/threads.hpp"
#include "graph/positions.hpp"
#include "graph/target_ranges.hpp"

namespace isobath {

/// Memory for `count` values, with anything in it: that of `room` where it suffices, whose pages the system
/// need not clear again.
inline LargeArray<std::uint32_t> room_for(std::size_t count, LargeArray<std::uint32_t> room) {
  if (room.size() < count) {
    room = {};
    return LargeArray<std::uint32_t>(count);
  }
  room.shrink(count);
  return room;
}

/// Room for arcs: sources and, at the same places, targets in their range.
struct ArcArrays {
  /// @param are_wide  sources have bytes of high bits
  explicit ArcArrays(std::size_t arcs, bool are_wide = false)
      : sources(arcs), targets(arcs), source_highs(are_wide ? arcs : 0) {}
  /// @param room  for as many, with anything in it
  explicit ArcArrays(LargeArray<std::uint32_t> room) : sources(std::move(room)), targets(sources.size()) {}
  LargeArray<std::uint32_t> sources;  // low bits, where they are wide
  LargeArray<std::uint16_t> targets;
  LargeArray<std::uint8_t> source_highs;
};

/// Arcs dealt by target into ranges of targets, whatever is then done with them without locked operations. 6
/// bytes an arc; 7 where sources are wide positions (PositionForm).
class DealtArcs {
 public:
  /// Some of the arcs of a range. Sources may be overwritten by whoever has read them.
  struct Part {
    std::span<std::uint32_t> sources;  // low bits, where they are wide
    const std::uint16_t* target;       // counted from the first of the range; nullptr where forgotten
    const std::uint8_t* source_high;   // nullptr where sources are not wide

    std::span<const std::uint16_t> targets() const {
      return {target, target == nullptr ? 0 : sources.size()};
    }
  };

  /// Ranges lie one after the other, each in one part, in which arcs stand in the order in which they are
  /// given.
  /// @param num_targets  more than any target, at most 2^32
  /// @param give  give(part, parts, is_last, add) calls add(source, target) for every arc of share `part` of
  /// `parts`, in
  ///              order; the shares of all parts, one after the other, are all arcs. Called by all threads,
  ///              each with its own part, twice: arcs are counted, then dealt, when is_last is true
  /// @param room  memory for their sources, with anything in it: taken where it is large enough
  template <class Give>
  DealtArcs(std::int64_t num_targets, Give&& give, LargeArray<std::uint32_t> room = {});
  /// Parts of all ranges lie anywhere in the arrays (ArrivingArcs).
  /// @param parts       by range
  /// @param first_part  of every range, and the end
  /// @param split       of their sources, where these are wide
  DealtArcs(const TargetRanges& ranges, std::vector<ArcArrays> arrays, std::vector<Part> parts,
            std::vector<std::size_t> first_part, PositionSplit split = PositionSplit());

  std::size_t num_ranges() const { return ranges_.count(); }
  std::size_t range_of(std::int64_t target) const { return ranges_.of(target); }
  /// Targets of a range.
  std::size_t first_target(std::size_t range) const { return ranges_.first(range); }
  std::size_t end_target(std::size_t range) const { return ranges_.end(range); }
  /// Arcs before the range.
  std::uint64_t begin(std::size_t range) const { return begin_[range]; }
  std::size_t size(std::size_t range) const { return begin_[range + 1] - begin_[range]; }
  std::uint64_t num_arcs() const { return begin_.back(); }
  /// The arcs of a range.
  std::span<const Part> parts(std::size_t range) const {
    return std::span(parts_).subspan(first_part_[range], first_part_[range + 1] - first_part_[range]);
  }

  /// use(source_at), where source_at(i) is the source of the i-th arc of a part. Code that asks often is
  /// compiled for both forms.
  template <class Use>
  decltype(auto) with_sources(const Part& part, Use&& use) const {
    const std::uint32_t* const sources = part.sources.data();
    if (part.source_high == nullptr) return use([sources](std::size_t i) { return sources[i]; });
    return use([sources, highs = part.source_high, split = split_](std::size_t i) {
      return split.joined(sources[i], highs[i]);
    });
  }

  /// Neither targets nor what sources were are asked for any more: these may have been overwritten.
  void forget_arcs();
  /// The memory of the sources, when nobody asks for them any more, with anything in it. Nothing where
  /// use_up() gave it back, and not all of it where more came than was expected.
  LargeArray<std::uint32_t> take_room() {
    return lie_by_range_ ? LargeArray<std::uint32_t>() : std::move(arrays_.front().sources);
  }

  /// What this thread does with ranges that are then done with: visit(range) for its share of neighbouring
  /// ones, whose memory goes back to the system meanwhile where they lie one after the other. Inside a
  /// parallel region, by all threads.
  template <class Visit>
  void use_up(Visit&& visit);

 private:
  class Dealer;

  TargetRanges ranges_;
  std::vector<ArcArrays> arrays_;
  std::vector<Part> parts_;              // by range
  std::vector<std::size_t> first_part_;  // per range, and the end
  std::vector<std::uint64_t> begin_;     // per range, and the end
  bool lie_by_range_;
  PositionSplit split_;
};

/// Has a part fetched while another is looked at: where parts lie anywhere, nobody else knows which comes
/// next.
inline void prefetch_part(const DealtArcs::Part& part) {
  const auto fetch = [](const void* begin, std::size_t bytes) {
    constexpr std::size_t most = 256;  // from there on the processor foresees what comes
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < std::min(most, bytes); at += line) {
      __builtin_prefetch(static_cast<const std::byte*>(begin) + at);
    }
  };
  fetch(part.sources.data(), part.sources.size_bytes());
  fetch(part.target, part.targets().size_bytes());
  if (part.source_high != nullptr) fetch(part.source_high, part.sources.size());
}

/// Calls visit(part) for all parts of a range.
template <class Visit>
void for_each_part(std::span<const DealtArcs::Part> parts, Visit&& visit) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k + 1 < parts.size()) prefetch_part(parts[k + 1]);
    visit(parts[k]);
  }
}

/// A way through the sources of a range, from part to part.
class SourceCursor {
 public:
  explicit SourceCursor(std::span<const DealtArcs::Part> parts) : parts_(parts) {}
  /// Overwrites the next ones.
  void write(const std::uint32_t* from, std::size_t count) {
    step(count, [&](std::span<std::uint32_t> to) {
      std::copy_n(from, to.size(), to.begin());
      from += to.size();
    });
  }
  void read(std::uint32_t* to, std::size_t count) {
    step(count, [&](std::span<const std::uint32_t> from) { to = std::ranges::copy(from, to).out; });
  }

 private:
  template <class Run>
  void step(std::size_t count, Run&& run) {
    while (count > 0) {
      const std::span<std::uint32_t> rest = parts_.front().sources.subspan(at_);
      const std::size_t now = std::min(count, rest.size());
      run(rest.first(now));
      count -= now;
      at_ += now;
      if (now == rest.size()) {
        parts_ = parts_.subspan(1);
        at_ = 0;
        if (parts_.size() > 1) prefetch_part(parts_[1]);
      }
    }
  }

  std::span<const DealtArcs::Part> parts_;
  std::size_t at_ = 0;
};

/// One thread's way into the ranges. Its arcs of a range have a place of their own there, which a first pass
/// over the same arcs has counted; they are written a cache line at a time.
class DealtArcs::Dealer {
 public:
  explicit Dealer(DealtArcs& arcs) : arcs_(arcs), lines_(arcs.num_ranges()) {}

  void count(std::uint32_t target) { ++lines_[arcs_.ranges_.of(target)].at; }
  /// Between the passes: how many were counted; then where they go.
  std::uint64_t counted(std::size_t range) const { return lines_[range].at; }
  void place(std::size_t range, std::uint64_t begin) { lines_[range].at = lines_[range].begin = begin; }

  void deal(std::uint32_t source, std::uint32_t target) {
    Line& line = lines_[arcs_.ranges_.of(target)];
    const std::uint64_t at = line.at++;
    const std::uint64_t k = at % line_arcs;
    line.source[k] = source;
    line.target[k] = arcs_.ranges_.in_range(target);
    if (k == line_arcs / 2) {  // where the line goes is in nobody's cache
      const ArcArrays& arrays = arcs_.arrays_.front();
      __builtin_prefetch(arrays.sources.data() + (at - k), 1);
      __builtin_prefetch(arrays.targets.data() + (at - k), 1);
    }
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
    ArcArrays& arrays = arcs_.arrays_.front();
    const std::uint64_t first = line.at - end;
    if (end == line_arcs && line.begin <= first) {  // hardly ever not; the sizes are constants here
      std::memcpy(arrays.sources.data() + first, line.source, sizeof line.source);
      std::memcpy(arrays.targets.data() + first, line.target, sizeof line.target);
      return;
    }
    for (std::uint64_t k = line.begin > first ? line.begin - first : 0; k < end; ++k) {
      arrays.sources[first + k] = line.source[k];
      arrays.targets[first + k] = line.target[k];
    }
  }

  DealtArcs& arcs_;
  std::vector<Line> lines_;
};

template <class Give>
DealtArcs::DealtArcs(std::int64_t num_targets, Give&& give, LargeArray<std::uint32_t> room)
    : ranges_(num_targets), lie_by_range_(true) {
  begin_.resize(num_ranges() + 1);
  std::vector<Dealer*> dealers(static_cast<std::size_t>(max_threads()), nullptr);
#pragma omp parallel
  {
    Dealer dealer(*this);
    dealers[static_cast<std::size_t>(thread_id())] = &dealer;
    give(thread_id(), num_threads(), false,
         [&](std::uint32_t, std::uint32_t target) { dealer.count(target); });
#pragma omp barrier
#pragma omp single
    {
      std::uint64_t at = 0;
      for (std::size_t range = 0; range < num_ranges(); ++range) {
        begin_[range] = at;
        for (Dealer* const each : dealers) {
          if (each != nullptr) each->place(range, std::exchange(at, at + each->counted(range)));
        }
      }
      begin_[num_ranges()] = at;
      arrays_.emplace_back(room_for(at, std::move(room)));
    }
    give(thread_id(), num_threads(), true,
         [&](std::uint32_t source, std::uint32_t target) { dealer.deal(source, target); });
    dealer.flush();
  }
  for (std::size_t range = 0; range < num_ranges(); ++range) {
    first_part_.push_back(range);
    parts_.push_back({arrays_.front().sources.span().subspan(begin(range), size(range)),
                      arrays_.front().targets.data() + begin(range), nullptr});
  }
  first_part_.push_back(num_ranges());
}

template <class Visit>
void DealtArcs::use_up(Visit&& visit) {
  // Neighbouring ranges to each thread: they may be smaller than huge pages, which can only be given back
  // whole.
  const auto [first, end] = static_share(static_cast<std::int64_t>(num_ranges()), thread_id(), num_threads());
  if (!lie_by_range_) {
    for (auto range = static_cast<std::size_t>(first); range < static_cast<std::size_t>(end); ++range) {
      visit(range);
    }
    return;
  }
  const auto give_back = [](void* done, const void* used_up) {
    return arena::release_pages(done, static_cast<std::size_t>(static_cast<const std::byte*>(used_up) -
                                                               static_cast<std::byte*>(done)));
  };
  ArcArrays& arrays = arrays_.front();
  const bool has_targets = arrays.targets.size() != 0;
  void* sources_done = arrays.sources.data() + begin_[static_cast<std::size_t>(first)];
  void* targets_done =
      has_targets ? arrays.targets.data() + begin_[static_cast<std::size_t>(first)] : nullptr;
  for (auto range = static_cast<std::size_t>(first); range < static_cast<std::size_t>(end); ++range) {
    visit(range);
    sources_done = give_back(sources_done, arrays.sources.data() + begin_[range + 1]);
    if (has_targets) targets_done = give_back(targets_done, arrays.targets.data() + begin_[range + 1]);
  }
}

}  // namespace isobath
