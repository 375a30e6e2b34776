// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace isobath::profiler {
namespace {

std::size_t hash_of(const CallFacts& facts, int region, int search) {
  auto value = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(facts.site));
  value += static_cast<std::uint64_t>(static_cast<std::uint32_t>(facts.place + 1)) << 32;
  value ^= (static_cast<std::uint64_t>(facts.call) << 48) ^
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(facts.communicator)) << 24) ^
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(region));
  value *= 0x9E3779B97F4A7C15ULL;
  value = (value ^ static_cast<std::uint32_t>(search)) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::size_t>(value ^ (value >> 29));
}

bool is_same(const Cell& cell, const CallFacts& facts, int region, int search) {
  return cell.site == facts.site && cell.place == facts.place && cell.call == facts.call &&
         cell.communicator == facts.communicator && cell.region == region && cell.search == search;
}

void count_size(CallSizes& sizes, SizeMeaning meaning, std::int64_t bytes, std::int64_t count,
                double nanoseconds) {
  SizeCount& bucket = sizes[static_cast<std::size_t>(meaning)][size_bucket(bytes)];
  bucket.count += count;
  bucket.bytes += bytes * count;
  bucket.nanoseconds += nanoseconds;
}

}  // namespace

Recorder::Recorder(Limits limits, std::size_t ranks) : limits_(limits) {
  cells_.reserve(limits.cells + num_calls);
  index_.resize(std::bit_ceil(2 * limits.cells));
  instances_.reserve(limits.instances);
  for (auto& peers : peers_) peers.resize(ranks);
}

int Recorder::add_communicator(Communicator communicator) {
  const auto same = [&](const Communicator& other) { return other.hash == communicator.hash; };
  communicator.occurrence = static_cast<int>(std::ranges::count_if(communicators_, same));
  communicators_.push_back(std::move(communicator));
  return static_cast<int>(communicators_.size()) - 1;
}

int Recorder::add_place(PythonPlace place) {
  const auto known = std::ranges::find(places_, place);
  if (known != places_.end()) return static_cast<int>(known - places_.begin());
  if (places_.size() >= limits_.places) return -1;
  places_.push_back(std::move(place));
  return static_cast<int>(places_.size()) - 1;
}

int Recorder::thread_begins(std::int64_t begin) {
  if (threads_.size() < limits_.threads) threads_.emplace_back();
  ThreadTotals& thread = threads_.back();
  ++thread.threads;
  ++thread.alive;
  thread.begun += begin;
  return static_cast<int>(threads_.size()) - 1;
}

void Recorder::thread_ends(int thread, std::int64_t begin, std::int64_t now) {
  ThreadTotals& totals = threads_[static_cast<std::size_t>(thread)];
  --totals.alive;
  totals.begun -= begin;
  totals.finished += now - begin;
}

std::size_t Recorder::cell_of(const CallFacts& facts) {
  const int region = regions_.current();
  const int search = regions_.search();
  const std::size_t mask = index_.size() - 1;
  for (std::size_t i = hash_of(facts, region, search) & mask;; i = (i + 1) & mask) {
    if (index_[i] == 0) {
      if (cells_.size() >= limits_.cells) return shared_cell(facts);
      Cell cell;
      cell.site = facts.site;
      cell.place = facts.place;
      cell.call = facts.call;
      cell.join = facts.join;
      cell.communicator = facts.communicator;
      cell.region = region;
      cell.search = search;
      cells_.push_back(cell);
      index_[i] = static_cast<std::uint32_t>(cells_.size());
      return cells_.size() - 1;
    }
    const std::size_t found = index_[i] - 1;
    if (is_same(cells_[found], facts, region, search)) return found;
  }
}

/// The cell of all calls of one kind that came when the others were full.
std::size_t Recorder::shared_cell(const CallFacts& facts) {
  ++calls_without_cell_;
  for (std::size_t i = limits_.cells; i < cells_.size(); ++i) {
    if (cells_[i].call == facts.call) return i;
  }
  Cell cell;
  cell.call = facts.call;
  cells_.push_back(cell);
  return cells_.size() - 1;
}

void Recorder::add(const CallFacts& facts, const Traffic& traffic) {
  const std::size_t at = cell_of(facts);
  Cell& cell = cells_[at];
  const std::int64_t nanoseconds = facts.exit - facts.entry;
  std::int64_t sent = 0;
  std::int64_t received = 0;
  for (const Traffic::Item& item : traffic.items()) {
    const bool to_all = item.peer == Traffic::everybody;
    const std::int64_t messages =
        to_all ? communicators_[static_cast<std::size_t>(item.communicator)].others() : 1;
    if (item.is_sent) {
      sent += item.bytes * messages;
      cell.messages += messages;
    } else {
      received += item.bytes * messages;
    }
    add_item(item, facts.traffic_class);
  }
  ++calls_;
  bytes_sent_ += sent;
  nanoseconds_ += nanoseconds;
  scanned_ += traffic.scanned();
  asked_ += facts.asked;
  ThreadTotals& thread = threads_[static_cast<std::size_t>(facts.thread)];
  ++thread.calls;
  thread.bytes_sent += sent;
  thread.bytes_received += received;
  thread.nanoseconds += nanoseconds;
  ++cell.calls;
  cell.bytes_sent += sent;
  cell.bytes_received += received;
  cell.receives_unknown += traffic.receives_unknown();
  cell.kept_bytes += traffic.kept();
  if (traffic.has_argument()) cell.argument_bytes += traffic.argument();
  cell.nanoseconds += nanoseconds;
  cell.max_nanoseconds = std::max(cell.max_nanoseconds, nanoseconds);
  if (sent > 0 || traffic.kept() > 0 || traffic.has_argument()) {
    add_sizes(facts.call, traffic, sent, static_cast<double>(nanoseconds));
  }
  if (facts.join != Join::none && at < limits_.cells) {
    if (instances_.size() < limits_.instances) {
      instances_.push_back({.entry = facts.entry,
                            .exit = facts.exit,
                            .cell = static_cast<int>(at),
                            .root = facts.root,
                            .bytes_sent = sent,
                            .all_calls = calls_,
                            .all_bytes_sent = bytes_sent_,
                            .all_nanoseconds = nanoseconds_});
    } else {
      ++instances_left_out_;
    }
  }
}

void Recorder::add_item(const Traffic::Item& item, TrafficClass traffic_class) {
  Communicator& communicator = communicators_[static_cast<std::size_t>(item.communicator)];
  const auto add = [&](PeerTraffic& peer) {
    if (item.is_sent) {
      peer.bytes_sent += item.bytes;
      ++peer.messages;
    } else {
      peer.bytes_received += item.bytes;
    }
  };
  if (item.peer == Traffic::everybody) {
    add(communicator.each);
    return;
  }
  const int world = communicator.peers[static_cast<std::size_t>(item.peer)];
  auto& peers = peers_[static_cast<std::size_t>(traffic_class)];
  const bool is_known = world >= 0 && static_cast<std::size_t>(world) < peers.size();
  add(is_known ? peers[static_cast<std::size_t>(world)] : outside_);
}

void Recorder::add_sizes(CallId call, const Traffic& traffic, std::int64_t sent, double nanoseconds) {
  auto& storage = sizes_[static_cast<std::size_t>(call)];
  if (!storage) storage = std::make_unique<CallSizes>();
  if (sent > 0) {
    count_size(*storage, SizeMeaning::call_total, sent, 1, nanoseconds);
    const double share = nanoseconds / static_cast<double>(sent);
    for (const Traffic::Item& item : traffic.items()) {
      if (!item.is_sent) continue;
      const bool to_all = item.peer == Traffic::everybody;
      const std::int64_t count =
          to_all ? communicators_[static_cast<std::size_t>(item.communicator)].others() : 1;
      count_size(*storage, SizeMeaning::per_peer, item.bytes, count,
                 share * static_cast<double>(item.bytes * count));
    }
  }
  if (traffic.kept() > 0) count_size(*storage, SizeMeaning::own_segment, traffic.kept(), 1, 0);
  if (traffic.has_argument()) count_size(*storage, SizeMeaning::argument, traffic.argument(), 1, nanoseconds);
}

std::vector<PeerTraffic> Recorder::peers(TrafficClass traffic_class) const {
  std::vector<PeerTraffic> found = peers_[static_cast<std::size_t>(traffic_class)];
  if (traffic_class != TrafficClass::collective) return found;
  for (const Communicator& communicator : communicators_) {
    const PeerTraffic& each = communicator.each;
    if (each.messages == 0 && each.bytes_received == 0) continue;
    for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
      const bool is_self = communicator.has_self() && static_cast<int>(i) == communicator.rank;
      const int world = communicator.peers[i];
      if (is_self || world < 0 || static_cast<std::size_t>(world) >= found.size()) continue;
      PeerTraffic& peer = found[static_cast<std::size_t>(world)];
      peer.bytes_sent += each.bytes_sent;
      peer.messages += each.messages;
      peer.bytes_received += each.bytes_received;
    }
  }
  return found;
}

}  // namespace isobath::profiler
