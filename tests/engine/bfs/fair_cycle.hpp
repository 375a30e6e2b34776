// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isobath::test {

/// Who can lead from which state to which others. States are added in order of their number.
class Moves {
 public:
  struct Move {
    int actor;
    std::size_t to;
  };

  explicit Moves(int actors) : actors_(actors) {}
  void begin_state() { first_.push_back(moves_.size()); }
  void add(int actor, std::size_t to) { moves_.push_back({actor, to}); }
  bool none_here() const { return first_.back() == moves_.size(); }

  int actors() const { return actors_; }
  std::size_t states() const { return first_.size(); }
  std::span<const Move> from(std::size_t state) const {
    const std::size_t end = state + 1 < first_.size() ? first_[state + 1] : moves_.size();
    return std::span(moves_).subspan(first_[state], end - first_[state]);
  }

 private:
  int actors_;
  std::vector<Move> moves_;
  std::vector<std::size_t> first_;  // of every state
};

/// A state to which it can come back for ever without leaving out anybody who can act all the time (weak
/// fairness); none where every fair way ends.
std::optional<std::size_t> find_fair_cycle(const Moves& moves);

}  // namespace isobath::test
