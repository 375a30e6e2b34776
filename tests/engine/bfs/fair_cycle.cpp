// SPDX-License-Identifier: Apache-2.0
#include "bfs/fair_cycle.hpp"

#include <algorithm>
#include <limits>

namespace isobath::test {
namespace {

constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();

/// Strongly connected components (R. Tarjan 1972), without recursion.
class Components {
 public:
  explicit Components(const Moves& moves)
      : moves_(moves), order_(moves.states(), unseen), lowest_(moves.states()), of_(moves.states(), unseen) {
    for (std::size_t state = 0; state < moves.states(); ++state) {
      if (order_[state] == unseen) walk(state);
    }
  }
  const std::vector<std::vector<std::size_t>>& all() const { return all_; }
  std::size_t of(std::size_t state) const { return of_[state]; }

 private:
  struct Place {
    std::size_t state;
    std::size_t tried;  // moves
  };

  void enter(std::size_t state) {
    order_[state] = lowest_[state] = entered_++;
    open_.push_back(state);
    way_.push_back({state, 0});
  }

  void walk(std::size_t start) {
    enter(start);
    while (!way_.empty()) {
      Place& place = way_.back();
      const std::size_t state = place.state;
      if (place.tried < moves_.from(state).size()) {
        const std::size_t to = moves_.from(state)[place.tried++].to;
        if (order_[to] == unseen) {
          enter(to);
        } else if (of_[to] == unseen) {
          lowest_[state] = std::min(lowest_[state], order_[to]);
        }
        continue;
      }
      way_.pop_back();
      if (!way_.empty()) lowest_[way_.back().state] = std::min(lowest_[way_.back().state], lowest_[state]);
      if (lowest_[state] == order_[state]) close(state);
    }
  }

  void close(std::size_t root) {
    all_.emplace_back();
    for (std::size_t state = unseen; state != root;) {
      state = open_.back();
      open_.pop_back();
      of_[state] = all_.size() - 1;
      all_.back().push_back(state);
    }
  }

  const Moves& moves_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> lowest_;
  std::vector<std::size_t> of_;
  std::vector<std::size_t> open_;
  std::vector<Place> way_;
  std::vector<std::vector<std::size_t>> all_;
  std::size_t entered_ = 0;
};

/// Can it stay among these states for ever, when everybody acts who can all the time?
bool is_fair_cycle(const Moves& moves, const Components& components, std::span<const std::size_t> states) {
  std::vector<bool> acts(static_cast<std::size_t>(moves.actors()));   // without leaving
  std::vector<bool> rests(static_cast<std::size_t>(moves.actors()));  // cannot act in one of the states
  bool stays = false;
  for (const std::size_t state : states) {
    std::vector<bool> can(acts.size());
    for (const Moves::Move& move : moves.from(state)) {
      const auto actor = static_cast<std::size_t>(move.actor);
      can[actor] = true;
      if (components.of(move.to) != components.of(state)) continue;
      acts[actor] = true;
      stays = true;
    }
    for (std::size_t actor = 0; actor < can.size(); ++actor) rests[actor] = rests[actor] || !can[actor];
  }
  for (std::size_t actor = 0; actor < acts.size(); ++actor) stays = stays && (acts[actor] || rests[actor]);
  return stays;
}

}  // namespace

std::optional<std::size_t> find_fair_cycle(const Moves& moves) {
  const Components components(moves);
  for (const std::vector<std::size_t>& states : components.all()) {
    if (is_fair_cycle(moves, components, states)) return states.front();
  }
  return std::nullopt;
}

}  // namespace isobath::test
