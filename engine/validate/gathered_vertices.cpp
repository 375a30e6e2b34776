// SPDX-License-Identifier: Apache-2.0
#include "validate/gathered_vertices.hpp"

namespace isobath {
namespace {

constexpr std::uint32_t no_parent = std::numeric_limits<std::uint32_t>::max();

}  // namespace

GatheredVertices::GatheredVertices(const Communicator& world, const BlockPartition& partition,
                                   std::int64_t own_edges, VertexFacts way)
    : world_(world),
      partition_(partition),
      are_gathered_(gathers(way, partition.num_vertices(), world.sum(own_edges), world.size())) {
  if (!are_gathered_) return;
  for (int rank = 0; rank < world.size(); ++rank) sizes_.push_back(partition.size(rank));
  parents_ = LargeArray<std::uint32_t>(static_cast<std::size_t>(partition.num_vertices()));
  united_.resize(static_cast<std::size_t>(world.size() * num_words(world.rank())));
}

void GatheredVertices::share_parents(std::span<const GlobalVertex> own_parents) {
  const std::span<std::uint32_t> mine = own(parents_.span());
  const auto limit = static_cast<std::uint64_t>(partition_.num_vertices());
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < mine.size(); ++v) {
    const auto parent = static_cast<std::uint64_t>(raw(own_parents[v]));
    mine[v] = parent < limit ? static_cast<std::uint32_t>(parent) : no_parent;
  }
  share(parents_.span());
}

/// Blocks end anywhere: a word that two ranks have vertices in goes to both.
void GatheredVertices::unite_own(std::span<Word> of_all) {
  const std::int64_t own_words = num_words(world_.rank());
  ExchangeCounts counts;
  for (int rank = 0; rank < world_.size(); ++rank) {
    counts.send_counts.push_back(num_words(rank));
    counts.send_offsets.push_back(first_word(rank));
    counts.receive_counts.push_back(own_words);
    counts.receive_offsets.push_back(rank * own_words);
  }
  counts.receive_total = world_.size() * own_words;
  world_.alltoallv<Word>(of_all, counts, united_);
  const std::span<Word> mine = of_all.subspan(static_cast<std::size_t>(first_word(world_.rank())),
                                              static_cast<std::size_t>(own_words));
  for (std::size_t from = 0; from < united_.size(); from += mine.size()) {
    for (std::size_t word = 0; word < mine.size(); ++word) mine[word] |= united_[from + word];
  }
}

std::int64_t GatheredVertices::first_word(int rank) const {
  return partition_.first(rank) / static_cast<std::int64_t>(word_bits);
}

std::int64_t GatheredVertices::num_words(int rank) const {
  if (partition_.size(rank) == 0) return 0;
  return (partition_.first(rank) + partition_.size(rank) - 1) / static_cast<std::int64_t>(word_bits) -
         first_word(rank) + 1;
}

}  // namespace isobath
