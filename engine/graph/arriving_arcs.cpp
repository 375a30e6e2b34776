// SPDX-License-Identifier: Apache-2.0
#include "graph/arriving_arcs.hpp"

#include <algorithm>
#include <utility>

#include "base/threads.hpp"

namespace isobath {

ArcRoom::ArcRoom(std::size_t expected, bool are_wide) : are_wide_(are_wide) {
  arrays_.emplace_back(std::max(expected, slab_arcs), are_wide);
}

template <class Place>
Place ArcRoom::take_slab() {
  constexpr std::size_t more = std::size_t{1} << 20;  // arcs: whole huge pages
  const std::lock_guard lock(mutex_);
  if (arrays_.back().sources.size() - used_ < slab_arcs) {
    arrays_.emplace_back(more, are_wide_);
    used_ = 0;
  }
  const std::size_t at = std::exchange(used_, used_ + slab_arcs);
  return Place::in(arrays_.back(), at);
}

template <class Arc>
void ArrivingArcs<Arc>::Dealer::open_block(Line& line) {
  const std::uint32_t whole_lines = line.room / 2 / line_arcs * line_arcs;
  const std::uint32_t arcs = std::clamp(whole_lines, first_block, max_block_);
  if (left_in_slab_ < arcs) {  // what is left is less than a block
    slab_ = room_.template take_slab<Place>();
    left_in_slab_ = ArcRoom::slab_arcs;
  }
  line.next = slab_;
  line.left = arcs;
  line.room = std::min(line.room + arcs, 2 * max_block_);
  blocks_.push_back({slab_, static_cast<std::uint32_t>(&line - lines_.data()), arcs});
  slab_.advance(arcs);
  left_in_slab_ -= arcs;
}

template <class Arc>
void ArrivingArcs<Arc>::Dealer::flush() {
  std::vector<std::uint32_t> unused(lines_.size());  // of the last block of every range
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    Line& line = lines_[k];
    const std::uint32_t count = line.count;
    if (count > 0) write(line);  // and what stands behind, which nobody will look at
    unused[k] = line.left + (count > 0 ? line_arcs - count : 0);
  }
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    block->arcs -= std::exchange(unused[block->line], 0U);
  }
}

template <class Arc>
ArrivingArcs<Arc>::ArrivingArcs(std::int64_t num_targets, std::size_t expected, int parts,
                                std::size_t most_lines, PositionSplit split)
    : ranges_(num_targets, std::int64_t{max_threads()} * parts),
      split_(split),
      has_one_chain_(ranges_.count() > most_lines),
      owners_(has_one_chain_ ? static_cast<std::size_t>(max_threads()) : 1),
      by_owners_(static_cast<std::uint32_t>(owners_)),
      room_(expected + room_around(expected), Dealer::Place::are_wide),
      dealers_(static_cast<std::size_t>(max_threads())),
      groups_(owners_) {}

template <class Arc>
ArrivingArcs<Arc>::~ArrivingArcs() = default;

template <class Arc>
std::uint32_t ArrivingArcs<Arc>::max_block() const {
  return has_one_chain_ ? Dealer::max_block_of_range : Dealer::max_block_of_thread;
}

/// What is taken beyond the arcs, at the most: the rest of open blocks, and of slabs. Where it is less,
/// memory stays untouched.
template <class Arc>
std::size_t ArrivingArcs<Arc>::room_around(std::size_t expected) const {
  const auto threads = static_cast<std::size_t>(max_threads());
  const std::size_t chains = (has_one_chain_ ? 1 : threads) * ranges_.count();
  return std::min(Dealer::first_block * chains + expected, max_block() * chains) +
         threads * ArcRoom::slab_arcs;
}

template <class Arc>
typename ArrivingArcs<Arc>::Dealer& ArrivingArcs<Arc>::dealer(std::size_t whose) {
  std::unique_ptr<Dealer>& its = dealers_[whose];
  if (!its) {
    its = owners_ == 1 ? std::make_unique<Dealer>(ranges_, split_, 0, 1, max_block(), room_)
                       : std::make_unique<Dealer>(ranges_, split_, whose, owners_, max_block(), room_);
  }
  return *its;
}

template <class Arc>
DealtArcs ArrivingArcs<Arc>::dealt() {
  std::vector<std::size_t> first_part(ranges_.count() + 2);  // of every range one place further on
  for (const auto& dealer : dealers_) {
    if (!dealer) continue;
    dealer->flush();
    for (const typename Dealer::Block& block : dealer->blocks()) ++first_part[dealer->range_of(block) + 2];
  }
  for (std::size_t k = 2; k < first_part.size(); ++k) first_part[k] += first_part[k - 1];
  std::vector<DealtArcs::Part> parts(first_part.back());
  for (const auto& dealer : dealers_) {
    if (!dealer) continue;
    for (const typename Dealer::Block& block : dealer->blocks()) {
      parts[first_part[dealer->range_of(block) + 1]++] = block.place.part(block.arcs);
    }
  }
  first_part.pop_back();
  dealers_.clear();
  return {ranges_, std::move(room_).arrays(), std::move(parts), std::move(first_part), split_};
}

template class ArrivingArcs<RoutedArc>;
template class ArrivingArcs<WideArc>;

}  // namespace isobath
