// SPDX-License-Identifier: Apache-2.0
#include "graph500/communication_records.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/expects.hpp"

namespace isobath {
namespace {

constexpr int first_rounds = 32;  // to measure an offset, and to measure it again
constexpr int later_rounds = 8;

enum class CommunicatorKind : unsigned char { world, row, column, other };
constexpr std::array<std::string_view, 4> communicator_names = {"world", "row", "column", "other"};

Communicator without_ledger(const Communicator& world) {
  Communicator quiet = world.split(0, world.rank());
  quiet.keep(nullptr);
  return quiet;
}

CommunicatorKind kind_of(const Ledger& ledger, int communicator, GridShape shape) {
  if (communicator == 0) return CommunicatorKind::world;
  std::vector<int> row;
  std::vector<int> column;
  const int own = ledger.rank();
  for (int col = 0; col < shape.cols; ++col) row.push_back(shape.rank_at(shape.row_of(own), col));
  for (int r = 0; r < shape.rows; ++r) column.push_back(shape.rank_at(r, shape.col_of(own)));
  const std::span<const int> ranks = ledger.world_ranks(communicator);
  if (shape.cols > 1 && std::ranges::equal(ranks, row)) return CommunicatorKind::row;
  if (shape.rows > 1 && std::ranges::equal(ranks, column)) return CommunicatorKind::column;
  return CommunicatorKind::other;
}

/// Level, phase, call and communicator in one number, in the order in which records list them.
std::uint64_t key_of(const LedgerCell& cell, CommunicatorKind communicator) {
  const auto level = static_cast<std::uint64_t>(cell.level + 1);
  return level << 24 | static_cast<std::uint64_t>(cell.phase) << 16 |
         static_cast<std::uint64_t>(cell.kind) << 8 | static_cast<std::uint64_t>(communicator);
}

int level_of_key(std::uint64_t key) { return static_cast<int>(key >> 24) - 1; }
Phase phase_of_key(std::uint64_t key) { return static_cast<Phase>(key >> 16 & 0xFF); }
CallKind call_of_key(std::uint64_t key) { return static_cast<CallKind>(key >> 8 & 0xFF); }

/// Collective. The keys that any rank has, ascending. Mostly all ranks have the same, which one number of
/// each tells.
std::vector<std::uint64_t> union_of(const Communicator& comm, std::vector<std::uint64_t> keys) {
  const auto sort = [&keys] {
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  };
  sort();
  std::uint64_t digest = keys.size();
  for (const std::uint64_t key : keys) digest = (digest ^ key) * 0x9E3779B97F4A7C15U;
  const std::vector<std::uint64_t> digests = comm.allgather(digest);
  if (std::ranges::count(digests, digest) == comm.size()) return keys;
  keys = comm.allgatherv<std::uint64_t>(keys);
  sort();
  return keys;
}

/// How many, from the first, contain all that were counted.
std::int64_t used_buckets(std::span<const SizeCount> counted) {
  const auto last =
      std::find_if(counted.rbegin(), counted.rend(), [](const SizeCount& one) { return one.count != 0; });
  return counted.rend() - last;
}

/// Seconds cross ranks as whole nanoseconds, together with the counts.
std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }
double seconds_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

/// The number by which records know a level of the timeline.
int level_number(const Timeline& timeline, int place) {
  return place < 0 ? -1 : static_cast<int>(timeline.levels[static_cast<std::size_t>(place)].level);
}

/// Over the ranks, one number of each.
template <class Rank, class NumberOf>
Spread spread_of(const std::vector<Rank>& ranks, NumberOf&& number_of) {
  Spread spread{number_of(ranks[0]), 0, number_of(ranks[0])};
  double sum = 0;
  for (const Rank& rank : ranks) {
    spread.min = std::min(spread.min, number_of(rank));
    spread.max = std::max(spread.max, number_of(rank));
    sum += number_of(rank);
  }
  spread.mean = std::clamp(sum / static_cast<double>(ranks.size()), spread.min, spread.max);
  return spread;
}

template <class T>
using CellMember = T CallCellRecord::*;

/// The sums over cells of a level, for each phase that its times have.
template <class T>
ByPhase<T> by_phase(const LevelRecord& level, const std::vector<CallCellRecord>& cells,
                    CellMember<T> member) {
  ByPhase<T> phases;
  for (const auto& [phase, seconds] : level.phases) {
    T sum = 0;
    for (const CallCellRecord& cell : cells) {
      if (cell.level == level.level && cell.phase == phase) sum += cell.*member;
    }
    phases.emplace_back(phase, sum);
  }
  return phases;
}

}  // namespace

void put_communication(SearchRecord& search, const SearchCommunication& communication) {
  search.bytes_received = communication.bytes_received;
  search.off_node_bytes = communication.off_node_bytes;
  search.seconds_per_rank = communication.seconds_per_rank;
  search.mpi_seconds_per_rank = communication.mpi_seconds_per_rank;
  search.wait_seconds_per_rank = communication.wait_seconds_per_rank;
  search.clock_error_seconds = communication.clock_error_seconds;
}

void put_communication(LevelRecord& level, const SearchCommunication& communication) {
  const std::vector<CallCellRecord>& cells = communication.cells;
  level.bytes_received = by_phase(level, cells, &CallCellRecord::bytes_received);
  level.calls = by_phase(level, cells, &CallCellRecord::calls);
  level.off_node_bytes = by_phase(level, cells, &CallCellRecord::off_node_bytes);
  level.call_seconds = by_phase(level, cells, &CallCellRecord::seconds_mean);
  level.wait_seconds = by_phase(level, cells, &CallCellRecord::wait_seconds_mean);
}

CommunicationRecords::CommunicationRecords(const Communicator& world, Ledger& ledger, Settings settings)
    : ledger_(ledger),
      settings_(std::move(settings)),
      quiet_(without_ledger(world)),
      waits_(quiet_),
      clock_offset_(measure_clock_offset(quiet_, settings_.clock_of_rank, ledger.clock(), first_rounds)) {}

void CommunicationRecords::align_clocks() {
  clock_offset_ = measure_clock_offset(quiet_, settings_.clock_of_rank, ledger_.clock(), later_rounds);
}

SearchCommunication CommunicationRecords::of_search(const Timeline& timeline, double seconds) {
  const std::vector<double> waits = waits_.of(ledger_, clock_offset_.seconds);
  SearchCommunication search;
  search.clock_error_seconds = clock_offset_.error_seconds;
  search.cells = reduce_cells(timeline, waits);
  for (const CallCellRecord& cell : search.cells) {
    search.bytes_received += cell.bytes_received;
    search.off_node_bytes += cell.off_node_bytes;
  }
  std::array<double, 3> own = {seconds, 0, 0};
  for (const LedgerCell& cell : ledger_.cells()) own[1] += cell.totals.seconds;
  for (const double wait : waits) own[2] += wait;
  for (const std::array<double, 3>& rank : quiet_.allgather(own)) {
    search.seconds_per_rank.push_back(rank[0]);
    search.mpi_seconds_per_rank.push_back(rank[1]);
    search.wait_seconds_per_rank.push_back(rank[2]);
  }
  if (settings_.peer_matrices && has_matrices()) search.peer_matrices = peer_matrices(timeline);
  return search;
}

std::vector<CallCellRecord> CommunicationRecords::reduce_cells(const Timeline& timeline,
                                                               std::span<const double> waits) const {
  std::vector<CommunicatorKind> kinds;
  for (int k = 0; k < ledger_.num_communicators(); ++k) {
    kinds.push_back(kind_of(ledger_, k, settings_.shape));
  }
  const std::span<const LedgerCell> cells = ledger_.cells();
  std::vector<std::uint64_t> own_keys;
  for (const LedgerCell& cell : cells) {
    own_keys.push_back(key_of(cell, kinds[static_cast<std::size_t>(cell.communicator)]));
  }
  const std::vector<std::uint64_t> keys = union_of(quiet_, own_keys);

  // One row per key: sums of counts, of seconds and of waits; of the last two the maximum too.
  constexpr std::size_t columns = 8;
  std::vector<std::int64_t> sums(keys.size() * columns);
  std::vector<std::int64_t> longest(keys.size() * 2);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto row = static_cast<std::size_t>(std::ranges::lower_bound(keys, own_keys[i]) - keys.begin());
    const CallTotals& totals = cells[i].totals;
    const std::int64_t own[columns] = {
        totals.calls,          totals.messages,   totals.bytes_sent,           totals.bytes_received,
        totals.off_node_bytes, totals.kept_bytes, nanoseconds(totals.seconds), nanoseconds(waits[i])};
    for (std::size_t c = 0; c < columns; ++c) sums[row * columns + c] += own[c];
    longest[row * 2] += own[6];
    longest[row * 2 + 1] += own[7];
  }
  quiet_.sum(std::span(sums));
  quiet_.max(std::span(longest));

  std::vector<CallCellRecord> records;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const std::int64_t* const sum = &sums[row * columns];
    records.push_back({.level = level_number(timeline, level_of_key(keys[row])),
                       .phase = phase_of_key(keys[row]),
                       .call = std::string(name_of(call_of_key(keys[row]))),
                       .communicator = std::string(communicator_names[keys[row] & 0xFF]),
                       .calls = sum[0],
                       .messages = sum[1],
                       .bytes_sent = sum[2],
                       .bytes_received = sum[3],
                       .off_node_bytes = sum[4],
                       .kept_bytes = sum[5],
                       .seconds_mean = seconds_of(sum[6]) / quiet_.size(),
                       .seconds_max = seconds_of(longest[row * 2]),
                       .wait_seconds_mean = seconds_of(sum[7]) / quiet_.size(),
                       .wait_seconds_max = seconds_of(longest[row * 2 + 1])});
  }
  return records;
}

/// Collective. @param peers  of this rank; empty where it had no call
TrafficMatrixRecord CommunicationRecords::matrix(std::span<const PeerTraffic> peers) const {
  const std::span<const int> node_of_rank = ledger_.node_of_rank();
  const bool by_node = is_by_node();
  const auto unit_of = [&](std::size_t rank) {
    return by_node ? static_cast<std::size_t>(node_of_rank[rank]) : rank;
  };
  std::size_t units = 0;
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) units = std::max(units, unit_of(rank) + 1);
  std::vector<std::int64_t> all(2 * units * units);  // bytes, then messages
  const std::size_t row = unit_of(static_cast<std::size_t>(quiet_.rank())) * units;
  for (std::size_t rank = 0; rank < peers.size(); ++rank) {
    all[row + unit_of(rank)] += peers[rank].bytes_sent;
    all[units * units + row + unit_of(rank)] += peers[rank].messages;
  }
  quiet_.sum(std::span(all));

  TrafficMatrixRecord record;
  record.ranks = quiet_.size();
  record.unit = by_node ? "node" : "rank";
  for (std::size_t from = 0; from < units; ++from) {
    const auto bytes = all.begin() + static_cast<std::ptrdiff_t>(from * units);
    const auto messages = bytes + static_cast<std::ptrdiff_t>(units * units);
    record.bytes.emplace_back(bytes, bytes + static_cast<std::ptrdiff_t>(units));
    record.messages.emplace_back(messages, messages + static_cast<std::ptrdiff_t>(units));
  }
  return record;
}

std::vector<TrafficMatrixRecord> CommunicationRecords::peer_matrices(const Timeline& timeline) const {
  std::vector<std::uint64_t> keys;
  std::vector<std::pair<std::uint64_t, std::size_t>> own;
  for (std::size_t place = 0; place < ledger_.num_places(); ++place) {
    LedgerCell cell;
    cell.level = ledger_.level_of_place(place);
    cell.phase = ledger_.phase_of_place(place);
    own.emplace_back(key_of(cell, CommunicatorKind::world), place);
    keys.push_back(own.back().first);
  }
  std::vector<TrafficMatrixRecord> records;
  for (const std::uint64_t key : union_of(quiet_, keys)) {
    const auto here = std::ranges::find(own, key, &std::pair<std::uint64_t, std::size_t>::first);
    TrafficMatrixRecord record =
        matrix(here == own.end() ? std::span<const PeerTraffic>() : ledger_.peers_of_place(here->second));
    record.part = name_of(RunPart::search);
    record.phase = phase_of_key(key);
    record.level = level_number(timeline, level_of_key(key));
    records.push_back(std::move(record));
  }
  return records;
}

/// The parts with entries; the same on all ranks, which commit alike.
std::vector<RunPart> CommunicationRecords::parts() const {
  std::vector<RunPart> parts;
  for (std::size_t part = 0; part < run_part_names.size(); ++part) {
    if (ledger_.totals(static_cast<RunPart>(part)).sizes) parts.push_back(static_cast<RunPart>(part));
  }
  return parts;
}

std::vector<MpiTimeRecord> CommunicationRecords::mpi_times() const {
  struct OfRank {
    double wall = 0;
    std::array<double, num_call_kinds> seconds{};
    std::array<std::int64_t, num_call_kinds> calls{};
    std::array<std::int64_t, num_call_kinds> bytes_sent{};
  };
  std::vector<MpiTimeRecord> records;
  for (const RunPart part : parts()) {
    const PartTotals& totals = ledger_.totals(part);
    OfRank own{.wall = totals.seconds};
    for (std::size_t kind = 0; kind < num_call_kinds; ++kind) {
      own.seconds[kind] = totals.calls[kind].seconds;
      own.calls[kind] = totals.calls[kind].calls;
      own.bytes_sent[kind] = totals.calls[kind].bytes_sent;
    }
    const std::vector<OfRank> ranks = quiet_.allgather(own);
    double all_seconds = 0;
    for (const OfRank& rank : ranks)
      all_seconds += std::accumulate(rank.seconds.begin(), rank.seconds.end(), 0.0);
    for (std::size_t kind = 0; kind < num_call_kinds; ++kind) {
      MpiTimeRecord record;
      double seconds = 0;
      for (const OfRank& rank : ranks) {
        record.calls += rank.calls[kind];
        record.bytes_sent += rank.bytes_sent[kind];
        seconds += rank.seconds[kind];
      }
      if (record.calls == 0) continue;
      record.part = name_of(part);
      record.call = call_names[kind];
      record.seconds_per_rank = spread_of(ranks, [kind](const OfRank& rank) { return rank.seconds[kind]; });
      record.share_of_mpi = all_seconds > 0 ? std::min(1.0, seconds / all_seconds) : 0;
      record.share_of_wall = spread_of(
          ranks, [kind](const OfRank& rank) { return rank.wall > 0 ? rank.seconds[kind] / rank.wall : 0; });
      records.push_back(std::move(record));
    }
  }
  return records;
}

std::vector<MessageSizesRecord> CommunicationRecords::message_sizes() const {
  constexpr std::size_t meanings = size_meaning_names.size();
  const std::vector<RunPart> parts = this->parts();
  if (parts.empty()) return {};
  const SizeBuckets& buckets = ledger_.sizes().buckets();

  // How many buckets, from the first, each call of each part has used anywhere; then these one after the
  // other.
  std::vector<std::int64_t> used;
  for (const RunPart part : parts) {
    for (std::size_t kind = 0; kind < num_call_kinds; ++kind) {
      std::int64_t& most = used.emplace_back();
      for (std::size_t meaning = 0; meaning < meanings; ++meaning) {
        most = std::max(most, used_buckets(ledger_.totals(part).sizes->of(
                                  static_cast<CallKind>(kind), static_cast<SizeMeaning>(meaning))));
      }
    }
  }
  quiet_.max(std::span(used));
  std::vector<MessageSizesRecord> records;
  std::vector<std::size_t> buckets_of;  // each record
  std::vector<std::int64_t> all;        // count, bytes and nanoseconds of each bucket
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] == 0) continue;
    const RunPart part = parts[i / num_call_kinds];
    const auto call = static_cast<CallKind>(i % num_call_kinds);
    for (std::size_t meaning = 0; meaning < meanings; ++meaning) {
      const std::span<const SizeCount> own =
          ledger_.totals(part).sizes->of(call, static_cast<SizeMeaning>(meaning));
      for (std::size_t bucket = 0; bucket < static_cast<std::size_t>(used[i]); ++bucket) {
        const SizeCount counted = own.empty() ? SizeCount{} : own[bucket];
        all.insert(all.end(), {counted.count, counted.bytes, nanoseconds(counted.seconds)});
      }
      MessageSizesRecord& record = records.emplace_back();
      record.part = name_of(part);
      record.call = name_of(call);
      record.meaning = size_meaning_names[meaning];
      buckets_of.push_back(static_cast<std::size_t>(used[i]));
    }
  }
  quiet_.sum(std::span(all));
  const std::int64_t* next = all.data();
  for (std::size_t r = 0; r < records.size(); ++r) {
    MessageSizesRecord& record = records[r];
    for (std::size_t bucket = 0; bucket < buckets_of[r]; ++bucket, next += 3) {
      if (next[0] == 0) continue;
      record.from_bytes.push_back(buckets.from(bucket));
      record.to_bytes.push_back(buckets.to(bucket));
      record.count.push_back(next[0]);
      record.bytes.push_back(next[1]);
      record.seconds.push_back(seconds_of(next[2]));
    }
  }
  std::erase_if(records, [](const MessageSizesRecord& record) { return record.count.empty(); });
  return records;
}

std::vector<TrafficMatrixRecord> CommunicationRecords::traffic_matrices() const {
  if (!has_matrices()) return {};
  std::vector<TrafficMatrixRecord> records;
  for (const RunPart part : parts()) {
    const PartTotals& totals = ledger_.totals(part);
    if (part == RunPart::search) {
      std::array<std::int64_t, num_phases> used{};
      for (std::size_t phase = 0; phase < num_phases; ++phase)
        used[phase] = totals.peers[phase].empty() ? 0 : 1;
      quiet_.max(std::span<std::int64_t>(used));
      for (std::size_t phase = 0; phase < num_phases; ++phase) {
        if (used[phase] == 0) continue;
        TrafficMatrixRecord record = matrix(totals.peers[phase]);
        record.part = name_of(part);
        record.phase = static_cast<Phase>(phase);
        records.push_back(std::move(record));
      }
      continue;
    }
    std::vector<PeerTraffic> sum(static_cast<std::size_t>(quiet_.size()));
    for (const std::vector<PeerTraffic>& peers : totals.peers) {
      for (std::size_t rank = 0; rank < peers.size(); ++rank) sum[rank] += peers[rank];
    }
    TrafficMatrixRecord record = matrix(sum);
    record.part = name_of(part);
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace isobath
