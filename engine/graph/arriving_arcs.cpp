// SPDX-License-Identifier: Apache-2.0
#include "graph/arriving_arcs.hpp"

#include <algorithm>
#include <utility>

#include "base/threads.hpp"

namespace isobath {

ArcRoom::ArcRoom(std::size_t expected) { arrays_.emplace_back(std::max(expected, slab_arcs)); }

ArcPlace ArcRoom::take_slab() {
  constexpr std::size_t more = std::size_t{1} << 20;  // arcs: whole huge pages
  const std::lock_guard lock(mutex_);
  if (arrays_.back().sources.size() - used_ < slab_arcs) {
    arrays_.emplace_back(more);
    used_ = 0;
  }
  const std::size_t at = std::exchange(used_, used_ + slab_arcs);
  return {arrays_.back().sources.data() + at, arrays_.back().targets.data() + at};
}

void ArrivingArcs::Dealer::open_block(Line& line) {
  const std::uint32_t whole_lines = line.room / 2 / line_arcs * line_arcs;
  const std::uint32_t arcs = std::clamp(whole_lines, first_block, max_block_);
  if (left_in_slab_ < arcs) {  // what is left is less than a block
    slab_ = room_.take_slab();
    left_in_slab_ = ArcRoom::slab_arcs;
  }
  line.next = slab_;
  line.left = arcs;
  line.room = std::min(line.room + arcs, 2 * max_block_);
  blocks_.push_back({static_cast<std::size_t>(&line - lines_.data()), slab_, arcs});
  slab_.advance(arcs);
  left_in_slab_ -= arcs;
}

void ArrivingArcs::Dealer::flush() {
  std::vector<std::size_t> unused(lines_.size());  // of the last block of every range
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    Line& line = lines_[k];
    const std::uint32_t count = line.count;
    if (count > 0) write(line);  // and what stands behind, which nobody will look at
    unused[k] = line.left + (count > 0 ? line_arcs - count : 0);
  }
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    block->arcs -= std::exchange(unused[block->line], 0);
  }
}

ArrivingArcs::ArrivingArcs(std::int64_t num_targets, std::size_t expected, int parts, std::size_t most_lines)
    : ranges_(num_targets, std::int64_t{max_threads()} * parts),
      has_one_chain_(ranges_.count() > most_lines),
      owners_(has_one_chain_ ? static_cast<std::size_t>(max_threads()) : 1),
      by_owners_(static_cast<std::uint32_t>(owners_)),
      room_(expected + room_around(expected)),
      dealers_(static_cast<std::size_t>(max_threads())),
      groups_(owners_) {}

ArrivingArcs::~ArrivingArcs() = default;

std::uint32_t ArrivingArcs::max_block() const {
  return has_one_chain_ ? Dealer::max_block_of_range : Dealer::max_block_of_thread;
}

/// What is taken beyond the arcs, at the most: the rest of open blocks, and of slabs. Where it is less,
/// memory stays untouched.
std::size_t ArrivingArcs::room_around(std::size_t expected) const {
  const auto threads = static_cast<std::size_t>(max_threads());
  const std::size_t chains = (has_one_chain_ ? 1 : threads) * ranges_.count();
  return std::min(Dealer::first_block * chains + expected, max_block() * chains) +
         threads * ArcRoom::slab_arcs;
}

ArrivingArcs::Dealer& ArrivingArcs::dealer(std::size_t whose) {
  std::unique_ptr<Dealer>& its = dealers_[whose];
  if (!its) {
    its = owners_ == 1 ? std::make_unique<Dealer>(ranges_, 0, 1, max_block(), room_)
                       : std::make_unique<Dealer>(ranges_, whose, owners_, max_block(), room_);
  }
  return *its;
}

DealtArcs ArrivingArcs::dealt() {
  std::vector<std::size_t> first_part(ranges_.count() + 2);  // of every range one place further on
  for (const auto& dealer : dealers_) {
    if (!dealer) continue;
    dealer->flush();
    for (const Dealer::Block& block : dealer->blocks()) ++first_part[dealer->range_of(block) + 2];
  }
  for (std::size_t k = 2; k < first_part.size(); ++k) first_part[k] += first_part[k - 1];
  std::vector<DealtArcs::Part> parts(first_part.back());
  for (const auto& dealer : dealers_) {
    if (!dealer) continue;
    for (const Dealer::Block& block : dealer->blocks()) {
      const ArcPlace& place = block.place;
      parts[first_part[dealer->range_of(block) + 1]++] = {{place.sources, block.arcs},
                                                          {place.targets, block.arcs}};
    }
  }
  first_part.pop_back();
  dealers_.clear();
  return {ranges_, std::move(room_).arrays(), std::move(parts), std::move(first_part)};
}

}  // namespace isobath
