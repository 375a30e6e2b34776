// SPDX-License-Identifier: Apache-2.0
#include "bfs/team_model.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bfs/fair_cycle.hpp"

namespace isobath::test {
namespace {

constexpr int most_ranks = 2;
constexpr int most_threads = 3;

enum class Status : std::uint8_t { absent, running, throwing, left };

struct Thread {
  Status status = Status::absent;
  std::uint8_t memory = 0;
  Answers answers;  // of the turn that it is in
  friend bool operator==(const Thread&, const Thread&) = default;
};

/// One rank: what its threads share, and where its messages are.
struct Rank {
  std::uint8_t taken = 0;
  std::uint8_t scanned = 0;
  std::uint8_t unsent = 0;     // as Channel counts them
  std::uint8_t full = 0;       // handed over
  std::uint8_t to_send = 0;    // waiting their turn
  std::uint8_t under_way = 0;  // sends begun, received by nobody
  std::uint8_t received = 0;   // at the other end; the sender does not know yet
  bool failed = false;
  bool sent_end = false;
  bool closed = false;
  std::array<Thread, most_threads> threads;
  friend bool operator==(const Rank&, const Rank&) = default;
};

using State = std::array<Rank, most_ranks>;
static_assert(std::has_unique_object_representations_v<State>);

struct HashOfState {
  std::size_t operator()(const State& state) const {
    const auto bytes = std::bit_cast<std::array<char, sizeof(State)>>(state);
    return std::hash<std::string_view>()({bytes.data(), bytes.size()});
  }
};

bool all_left(const Rank& rank) {
  return std::ranges::none_of(rank.threads, [](const Thread& thread) {
    return thread.status == Status::running || thread.status == Status::throwing;
  });
}

class Team {
 public:
  explicit Team(const Scenario& scenario) : scenario_(scenario) {}

  State start() const {
    State state{};
    for (int r = 0; r < scenario_.ranks; ++r) {
      for (int t = 0; t < scenario_.threads; ++t) state[at(r)].threads[at(t)].status = Status::running;
    }
    return state;
  }

  /// Those who may act: every thread, the network or what closes a round, one of these per rank.
  static constexpr int actors = most_ranks * (most_threads + 1);

  /// What may come of it when `actor` acts; nothing where it cannot.
  std::vector<State> after(const State& state, int actor) const {
    const int r = actor / (most_threads + 1);
    const int t = actor % (most_threads + 1);
    if (r >= scenario_.ranks) return {};
    if (t < most_threads) return after_thread(state, r, t);
    return scenario_.ranks == 1 ? delivered(state) : after_closing(state, r);
  }

  std::string complaint(const State& end) const {
    for (int r = 0; r < scenario_.ranks; ++r) {
      const Rank& rank = end[at(r)];
      if (!all_left(rank)) return "a thread can do nothing: " + text(end);
      if (rank.failed) continue;
      if (rank.scanned != scenario_.scans) return "columns are left: " + text(end);
      if (scenario_.ranks > 1 && (!rank.closed || rank.unsent > 0)) return "messages are left: " + text(end);
    }
    return {};
  }

  std::string text(const State& state) const {
    std::string words;
    for (int r = 0; r < scenario_.ranks; ++r) {
      const Rank& rank = state[at(r)];
      words += "rank " + std::to_string(r) + ": " + std::to_string(rank.scanned) + " scanned, " +
               std::to_string(rank.unsent) + " unsent;";
      for (int t = 0; t < scenario_.threads; ++t) {
        words += rank.threads[at(t)].status == Status::left ? " left" : " there";
      }
      words += ". ";
    }
    return words;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::vector<State> after_thread(const State& state, int r, int t) const {
    const Thread& thread = state[at(r)].threads[at(t)];
    if (thread.status == Status::throwing) {
      State next = state;
      next[at(r)].failed = true;
      next[at(r)].threads[at(t)] = {.status = Status::left, .memory = 0, .answers = {}};
      return {next};
    }
    if (thread.status != Status::running) return {};
    const Step step = *play(thread, t).next;
    State next = state;
    next[at(r)].threads[at(t)].answers.add(act(step, next, r));
    settle(next[at(r)].threads[at(t)], t);
    std::vector<State> found = {next};
    const bool can_throw = step == Step::hand_over || step == Step::begin_sends;
    if (scenario_.may_throw && can_throw && nobody_threw(state[at(r)])) {
      found.push_back(state);
      found.back()[at(r)].threads[at(t)] = {.status = Status::throwing, .memory = 0, .answers = {}};
    }
    return found;
  }

  static bool nobody_threw(const Rank& rank) {
    return !rank.failed && std::ranges::none_of(rank.threads, [](const Thread& thread) {
      return thread.status == Status::throwing;
    });
  }

  struct Played {
    std::optional<Step> next;  // none: the turn is over
    bool stays;
    std::uint8_t memory;
  };
  Played play(const Thread& thread, int t) const {
    View view(thread.answers, scenario_.messages_per_scan);
    std::uint8_t memory = thread.memory;
    const bool stays = scenario_.turn(t, scenario_.threads, memory, view);
    return {view.next(), stays, memory};
  }

  /// After an answer: if it was the last of the turn, the thread stands in its next one, or has left.
  void settle(Thread& thread, int t) const {
    for (Played played = play(thread, t); !played.next; played = play(thread, t)) {
      thread = {.status = Status::left, .memory = 0, .answers = {}};
      if (!played.stays) return;
      thread = {.status = Status::running, .memory = played.memory, .answers = {}};
    }
  }

  /// The effect of a step, and its answer.
  int act(Step step, State& state, int r) const {
    Rank& own = state[at(r)];
    switch (step) {
      case Step::ask_failed:
        return own.failed;
      case Step::ask_all_taken:
        return own.taken >= scenario_.scans;
      case Step::ask_all_scanned:
        return own.scanned == scenario_.scans;
      case Step::ask_crowded:
        return own.unsent > scenario_.most_unsent;
      case Step::ask_full:
        return own.full > 0;
      case Step::take:
        return own.taken < scenario_.scans ? ++own.taken : 0;
      case Step::count_unsent:
        return ++own.unsent;
      case Step::hand_over:
        return ++own.full;
      case Step::report_scanned:
        return ++own.scanned;
      case Step::begin_sends:
        return begin_sends(own);
      case Step::complete:
        return complete(state, r);
    }
    throw std::logic_error("no such step");
  }

  int begin_sends(Rank& own) const {
    own.to_send += own.full;
    own.full = 0;
    const int begun = std::min<int>(own.to_send, scenario_.most_under_way - own.under_way - own.received);
    own.to_send -= static_cast<std::uint8_t>(begun);
    own.under_way += static_cast<std::uint8_t>(begun);
    return begun;
  }

  /// Own sends that are through are noticed, and what the other rank sent is received.
  int complete(State& state, int r) const {
    Rank& own = state[at(r)];
    int found = own.received;
    own.unsent -= own.received;
    own.received = 0;
    if (scenario_.ranks > 1) {
      Rank& other = state[at(1 - r)];
      found += other.under_way;
      other.received += other.under_way;
      other.under_way = 0;
    }
    return found;
  }

  std::vector<State> delivered(const State& state) const {
    if (state[0].under_way == 0) return {};
    State next = state;
    --next[0].under_way;
    ++next[0].received;
    return {next};
  }

  /// Channel::close, by the thread that communicates, once all have left the region.
  std::vector<State> after_closing(const State& state, int r) const {
    if (!all_left(state[at(r)]) || state[at(r)].closed) return {};
    State next = state;
    Rank& own = next[at(r)];
    begin_sends(own);
    complete(next, r);
    if (own.to_send == 0) own.sent_end = true;
    const Rank& other = next[at(1 - r)];
    if (own.sent_end && own.unsent == 0 && other.sent_end && other.under_way == 0) own.closed = true;
    return {next};
  }

  const Scenario& scenario_;
};

}  // namespace

void Answers::add(int value) {
  if (count == most) throw std::logic_error("a turn has more steps than the model can keep");
  answer[count++] = static_cast<std::uint8_t>(value);
}

Explored explore(const Scenario& scenario) {
  const Team team(scenario);
  std::vector<State> states = {team.start()};
  std::unordered_map<State, std::size_t, HashOfState> number = {{states[0], 0}};
  Moves moves(Team::actors);
  Explored found;
  for (std::size_t from = 0; from < states.size(); ++from) {
    moves.begin_state();
    for (int actor = 0; actor < Team::actors; ++actor) {
      const std::vector<State> next_states = team.after(states[from], actor);
      for (const State& next : next_states) {
        const auto [place, is_new] = number.try_emplace(next, states.size());
        if (is_new) states.push_back(next);
        moves.add(actor, place->second);
      }
    }
    if (moves.none_here() && found.wrong_end.empty()) found.wrong_end = team.complaint(states[from]);
    for (const Rank& rank : states[from]) found.most_unsent = std::max<int>(found.most_unsent, rank.unsent);
  }
  found.states = std::ssize(states);
  if (const auto cycle = find_fair_cycle(moves)) found.never_ends = "for ever " + team.text(states[*cycle]);
  return found;
}

}  // namespace isobath::test
