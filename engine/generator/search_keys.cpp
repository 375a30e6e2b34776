// SPDX-License-Identifier: Apache-2.0
#include "generator/search_keys.hpp"

#include <cstddef>
#include <unordered_set>

#include "base/expects.hpp"

namespace isobath {

SearchKeyCandidates::SearchKeyCandidates(const KroneckerParameters& parameters)
    : num_vertices_(parameters.num_vertices()),
      initial_(MrgState::from_seeds(parameters.seed1, parameters.seed2)) {
  check(parameters);
}

GlobalVertex SearchKeyCandidates::operator[](std::int64_t i) const {
  // Positions advance by two a candidate, and a position is two draws of the stream.
  MrgState state = initial_.skipped(2, 0, 4 * static_cast<std::uint64_t>(i));
  const double first = state.draw_double();
  const double second = state.draw_double();
  return GlobalVertex{static_cast<std::int64_t>((first + second) * static_cast<double>(num_vertices_)) %
                      num_vertices_};
}

std::vector<GlobalVertex> sample_search_keys(const KroneckerParameters& parameters, int wanted,
                                             const HasNeighbour& has_neighbour) {
  const SearchKeyCandidates candidates(parameters);
  const std::size_t keys_wanted = wanted < 0 ? 0 : static_cast<std::size_t>(wanted);
  std::vector<GlobalVertex> keys;
  // A candidate asked about once is accepted or isolated: either way no later equal one changes anything.
  std::unordered_set<std::int64_t> asked;
  std::int64_t next = 0;
  while (keys.size() < keys_wanted && next < candidates.size()) {
    // Up to three quarters of all vertices are isolated, so one batch of this size nearly always suffices.
    const std::size_t batch_size = 64 + 8 * (keys_wanted - keys.size());
    std::vector<GlobalVertex> batch;
    for (; batch.size() < batch_size && next < candidates.size(); ++next) {
      const GlobalVertex candidate = candidates[next];
      if (asked.insert(raw(candidate)).second) batch.push_back(candidate);
    }
    const std::vector<char> answers = has_neighbour(batch);
    ISOBATH_EXPECTS(answers.size() == batch.size());
    for (std::size_t i = 0; i < batch.size() && keys.size() < keys_wanted; ++i) {
      if (answers[i] != 0) keys.push_back(batch[i]);
    }
  }
  return keys;
}

}  // namespace isobath
