// SPDX-License-Identifier: Apache-2.0
#include "comm/ledger/ledger.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/expects.hpp"
#include "comm/ledger/region.hpp"

namespace isobath {
namespace {

// Room that is there from the start, so that a search of usual size finds it even where none came before.
constexpr std::size_t usual_levels = 64;
constexpr std::size_t usual_places = 128;
constexpr std::size_t usual_cells = 512;
constexpr std::size_t usual_collectives = 4096;
constexpr std::size_t usual_peers = std::size_t{1} << 16;

}  // namespace

CallTotals& CallTotals::operator+=(const CallTotals& other) {
  calls += other.calls;
  messages += other.messages;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  off_node_bytes += other.off_node_bytes;
  kept_bytes += other.kept_bytes;
  seconds += other.seconds;
  return *this;
}

Ledger::Ledger(Settings settings) : settings_(std::move(settings)), sizes_(settings_.buckets) {
  ISOBATH_EXPECTS(settings_.rank >= 0 && static_cast<std::size_t>(settings_.rank) < ranks());
  if (!settings_.clock) settings_.clock = now_seconds;
  own_node_ = settings_.node_of_rank[static_cast<std::size_t>(settings_.rank)];
  places_.reserve(usual_places);
  place_at_.assign((usual_levels + 1) * num_phases, none);
  peers_.reserve(std::min(usual_peers, usual_places * ranks()));
  cells_.reserve(usual_cells);
  next_cell_.reserve(usual_cells);
  collectives_.reserve(usual_collectives);
  messages_.reserve(ranks());
  for (std::size_t part = 0; part < run_part_names.size(); ++part) {
    for (std::size_t phase = 0; phase < num_phases; ++phase) {
      region_names_[part][phase] = std::string(run_part_names[part]) + '/' + std::string(phase_names[phase]);
    }
  }
}

int Ledger::communicator(std::span<const int> world_ranks) {
  communicators_.emplace_back(world_ranks.begin(), world_ranks.end());
  return num_communicators() - 1;
}

void Ledger::clear() {
  ISOBATH_EXPECTS(!counting_);
  for (const Place& place : places_) {
    place_at_[static_cast<std::size_t>(place.level + 1) * num_phases +
              static_cast<std::size_t>(place.phase)] = none;
  }
  places_.clear();
  peers_.clear();
  cells_.clear();
  next_cell_.clear();
  collectives_.clear();
  sizes_.clear();
  seconds_ = 0;
  level_ = -1;
  phase_ = Phase::start;
  place_ = none;
}

void Ledger::begin(RunPart part) noexcept {
  part_ = part;
  counting_ = true;
  announce();
  began_ = settings_.clock();
}

void Ledger::enter(int level, Phase phase) noexcept {
  level_ = level;
  phase_ = phase;
  place_ = none;
  if (counting_) announce();
}

/// A profiler that is preloaded shall know the same places.
void Ledger::announce() const noexcept {
  announce_region(region_names_[static_cast<std::size_t>(part_)][static_cast<std::size_t>(phase_)].c_str(),
                  level_);
}

void Ledger::end() noexcept {
  if (!counting_) return;
  seconds_ += settings_.clock() - began_;
  counting_ = false;
  announce_region(nullptr, -1);
}

void Ledger::commit() {
  ISOBATH_EXPECTS(!counting_);
  PartTotals& totals = totals_[static_cast<std::size_t>(part_)];
  totals.seconds += seconds_;
  for (const LedgerCell& cell : cells_) totals.calls[static_cast<std::size_t>(cell.kind)] += cell.totals;
  if (!totals.sizes) totals.sizes.emplace(settings_.buckets);
  *totals.sizes += sizes_;
  for (std::size_t place = 0; place < num_places(); ++place) {
    std::vector<PeerTraffic>& sum = totals.peers[static_cast<std::size_t>(places_[place].phase)];
    sum.resize(ranks());
    const std::span<const PeerTraffic> peers = peers_of_place(place);
    for (std::size_t rank = 0; rank < ranks(); ++rank) sum[rank] += peers[rank];
  }
}

/// The current place, made where this is its first call.
std::size_t Ledger::place() {
  if (place_ != none) return place_;
  const std::size_t at = static_cast<std::size_t>(level_ + 1) * num_phases + static_cast<std::size_t>(phase_);
  if (at >= place_at_.size()) place_at_.resize(2 * (at + 1), none);
  if (place_at_[at] == none) {
    place_at_[at] = places_.size();
    places_.push_back({.level = level_, .phase = phase_});
    peers_.resize(peers_.size() + ranks());
  }
  place_ = place_at_[at];
  return place_;
}

std::size_t Ledger::cell_of(CallKind kind, int communicator) {
  Place& here = places_[place()];
  for (std::size_t cell = here.last_cell; cell != none; cell = next_cell_[cell]) {
    if (cells_[cell].kind == kind && cells_[cell].communicator == communicator) return cell;
  }
  cells_.push_back(
      {.level = level_, .phase = phase_, .kind = kind, .communicator = communicator, .totals = {}});
  next_cell_.push_back(here.last_cell);
  here.last_cell = cells_.size() - 1;
  return here.last_cell;
}

void Ledger::entered(CallKind kind, int communicator) noexcept {
  if (!counting_) return;
  cell_ = cell_of(kind, communicator);
  world_rank_of_ = communicators_[static_cast<std::size_t>(communicator)].data();
  peer_of_ = peers_.data() + place_ * ranks();
  call_ = CallTotals{.calls = 1};
  messages_.clear();
  entry_ = settings_.clock();
}

void Ledger::sent(int peer, std::int64_t bytes) noexcept {
  if (!counting_) return;
  const auto rank = static_cast<std::size_t>(world_rank_of_[peer]);
  peer_of_[rank].bytes_sent += bytes;
  ++peer_of_[rank].messages;
  call_.bytes_sent += bytes;
  ++call_.messages;
  if (settings_.node_of_rank[rank] != own_node_) call_.off_node_bytes += bytes;
  if (!messages_.empty() && messages_.back().bytes == bytes) {
    ++messages_.back().count;
  } else {
    messages_.push_back({bytes, 1});
  }
}

void Ledger::received(int peer, std::int64_t bytes) noexcept {
  if (!counting_) return;
  peer_of_[static_cast<std::size_t>(world_rank_of_[peer])].bytes_received += bytes;
  call_.bytes_received += bytes;
}

void Ledger::kept(std::int64_t bytes) noexcept {
  if (counting_) call_.kept_bytes += bytes;
}

void Ledger::left() noexcept {
  if (!counting_) return;
  call_.seconds = settings_.clock() - entry_;
  LedgerCell& cell = cells_[cell_];
  cell.totals += call_;
  if (is_collective(cell.kind)) collectives_.push_back({cell_, entry_, call_.seconds});
  if (call_.bytes_sent != 0 || call_.kept_bytes != 0) count_sizes(cell, call_.seconds);
}

void Ledger::count_sizes(const LedgerCell& cell, double seconds) {
  sizes_.add(cell.kind, SizeMeaning::own_segment, call_.kept_bytes, 1, seconds);
  if (call_.bytes_sent == 0) return;
  sizes_.add(cell.kind, SizeMeaning::call_total, call_.bytes_sent, 1, seconds);
  const double per_byte = seconds / static_cast<double>(call_.bytes_sent);
  for (const auto& [bytes, count] : messages_) {
    sizes_.add(cell.kind, SizeMeaning::per_peer, bytes, count, per_byte * static_cast<double>(bytes * count));
  }
}

}  // namespace isobath
