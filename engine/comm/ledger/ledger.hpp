// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase.hpp"
#include "comm/ledger/call_kind.hpp"
#include "comm/ledger/call_ledger.hpp"
#include "comm/ledger/size_buckets.hpp"
#include "comm/nodes/clock_offsets.hpp"

namespace isobath {

/// The parts of a run whose communication is told apart, in their order.
enum class RunPart : unsigned char { generate, construct, search, validate };
inline constexpr std::array<std::string_view, 4> run_part_names = {"generate", "construct", "search",
                                                                   "validate"};
constexpr std::string_view name_of(RunPart part) { return run_part_names[static_cast<std::size_t>(part)]; }

/// What went to one rank and came from it.
struct PeerTraffic {
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;
  std::int64_t bytes_received = 0;

  PeerTraffic& operator+=(const PeerTraffic& other) {
    bytes_sent += other.bytes_sent;
    messages += other.messages;
    bytes_received += other.bytes_received;
    return *this;
  }
};

/// What is added up of calls. Bytes and messages are those of Traffic.
struct CallTotals {
  std::int64_t calls = 0;
  std::int64_t messages = 0;
  std::int64_t bytes_sent = 0;
  std::int64_t bytes_received = 0;
  std::int64_t off_node_bytes = 0;  // of bytes_sent, to ranks of other nodes
  std::int64_t kept_bytes = 0;      // own segments of collectives
  double seconds = 0;               // inside the calls

  CallTotals& operator+=(const CallTotals& other);
};

/// The calls of one kind on one communicator in one phase of one level.
struct LedgerCell {
  int level = -1;
  Phase phase = Phase::start;
  CallKind kind = CallKind::barrier;
  int communicator = 0;
  CallTotals totals;
};

/// A collective call, as this rank's clock saw it.
struct CollectiveCall {
  std::size_t cell = 0;
  double entry = 0;    // when this rank came to it
  double seconds = 0;  // until it left
};

/// What a part of the run adds up to.
struct PartTotals {
  double seconds = 0;  // wall time of the part on this rank
  std::array<CallTotals, num_call_kinds> calls;
  std::optional<SizeHistograms> sizes;
  /// To and from each rank of the program, by phase; empty where a phase had no call.
  std::array<std::vector<PeerTraffic>, num_phases> peers;
};

/// Everything that one rank communicates, added up while it happens: by level, phase, call and communicator,
/// and by peer. One *entry* at a time is written, a search for example: clear(), begin(), enter() at every
/// change of phase, end(). Then it can be read, and committed to the totals of its part, or forgotten.
/// Outside of begin() and end() calls are not counted.
///
/// Between begin() and end() nothing is allocated once an entry of that size has been written.
class Ledger final : public CallLedger {
 public:
  struct Settings {
    int rank = 0;                   // of the program
    std::vector<int> node_of_rank;  // of each rank of the program
    SizeBuckets buckets;
    Clock clock;  // empty: now_seconds()
  };
  explicit Ledger(Settings settings);

  // What the owner says.

  /// Forgets the entry.
  void clear();
  void begin(RunPart part) noexcept;
  /// From now on calls belong to this phase of this level (-1: outside levels). A level is any number by
  /// which the owner knows it again.
  void enter(int level, Phase phase) noexcept;
  void end() noexcept;
  /// Adds the entry to the totals of its part.
  void commit();

  // What communicators say.

  int communicator(std::span<const int> world_ranks) override;
  void entered(CallKind kind, int communicator) noexcept override;
  void sent(int peer, std::int64_t bytes) noexcept override;
  void received(int peer, std::int64_t bytes) noexcept override;
  void kept(std::int64_t bytes) noexcept override;
  void left() noexcept override;

  // What can be read.

  /// The cells of the entry, in the order in which they were met.
  std::span<const LedgerCell> cells() const { return cells_; }
  /// The collective calls of the entry in their order; those of one communicator are in the same order on all
  /// of its ranks.
  std::span<const CollectiveCall> collectives() const { return collectives_; }
  const SizeHistograms& sizes() const { return sizes_; }
  /// The phases of the entry in which there were calls.
  std::size_t num_places() const { return places_.size(); }
  int level_of_place(std::size_t place) const { return places_[place].level; }
  Phase phase_of_place(std::size_t place) const { return places_[place].phase; }
  /// To and from each rank of the program in one of these.
  std::span<const PeerTraffic> peers_of_place(std::size_t place) const {
    return std::span(peers_).subspan(place * ranks(), ranks());
  }

  const PartTotals& totals(RunPart part) const { return totals_[static_cast<std::size_t>(part)]; }

  int num_communicators() const { return static_cast<int>(communicators_.size()); }
  std::span<const int> world_ranks(int communicator) const {
    return communicators_[static_cast<std::size_t>(communicator)];
  }
  int rank() const { return settings_.rank; }
  std::span<const int> node_of_rank() const { return settings_.node_of_rank; }
  const Clock& clock() const { return settings_.clock; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// A phase of a level, once a call was made in it.
  struct Place {
    int level = -1;
    Phase phase = Phase::start;
    std::size_t last_cell = none;  // from there cells are linked
  };
  /// Messages of equal size in one call.
  struct EqualMessages {
    std::int64_t bytes = 0;
    std::int64_t count = 0;
  };

  std::size_t ranks() const { return settings_.node_of_rank.size(); }
  void announce() const noexcept;
  std::size_t place();
  std::size_t cell_of(CallKind kind, int communicator);
  void count_sizes(const LedgerCell& cell, double seconds);

  Settings settings_;
  int own_node_ = 0;
  std::array<std::array<std::string, num_phases>, run_part_names.size()> region_names_;
  std::vector<std::vector<int>> communicators_;

  // the entry
  bool counting_ = false;
  RunPart part_ = RunPart::generate;
  double began_ = 0;
  double seconds_ = 0;
  int level_ = -1;
  Phase phase_ = Phase::start;
  std::size_t place_ = none;
  std::vector<Place> places_;
  std::vector<std::size_t> place_at_;  // by level and phase
  std::vector<PeerTraffic> peers_;     // of each place, ranks() of them
  std::vector<LedgerCell> cells_;
  std::vector<std::size_t> next_cell_;
  std::vector<CollectiveCall> collectives_;
  SizeHistograms sizes_;

  // the call that lasts
  std::size_t cell_ = none;
  const int* world_rank_of_ = nullptr;
  PeerTraffic* peer_of_ = nullptr;
  double entry_ = 0;
  CallTotals call_;
  std::vector<EqualMessages> messages_;

  std::array<PartTotals, run_part_names.size()> totals_;
};

}  // namespace isobath
