// SPDX-License-Identifier: Apache-2.0
#include "collectives/cell_record.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace isobath {
namespace {

std::vector<int> indices_where(const std::vector<Repetition>& repetitions, bool (*holds)(const Repetition&)) {
  std::vector<int> found;
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    if (holds(repetitions[i])) found.push_back(static_cast<int>(i));
  }
  return found;
}

/// Collective. By rank, the same number of each.
std::vector<std::vector<std::int64_t>> of_all_ranks(const Communicator& comm,
                                                    const std::vector<std::int64_t>& mine) {
  const std::vector<std::int64_t> all = comm.allgatherv<std::int64_t>(mine);
  std::vector<std::vector<std::int64_t>> rows;
  const auto length = static_cast<std::ptrdiff_t>(mine.size());
  for (std::ptrdiff_t r = 0; r < comm.size(); ++r) {
    rows.emplace_back(all.begin() + r * length, all.begin() + (r + 1) * length);
  }
  return rows;
}

/// Collective. Of each batch, by what the ranks of a communicator know together.
std::vector<std::int64_t> times_of_batches(const Communicator& comm, const CollectiveRecord& record,
                                           const std::vector<int>& starts, std::vector<std::int64_t> entries,
                                           std::vector<std::int64_t> exits) {
  if (parse_timed_from(record.timed_from) == TimedFrom::first_entry) {
    comm.min(std::span(entries));
  } else {
    comm.max(std::span(entries));
  }
  comm.max(std::span(exits));
  std::vector<std::int64_t> times;
  for (const BatchTime& batch : batch_times(starts, entries, exits)) times.push_back(batch.nanoseconds);
  return times;
}

}  // namespace

CollectiveRecord record_of(const Cell& cell) {
  CollectiveRecord record;
  const CollectiveCell& words = cell.words;
  record.collective = words.collective;
  record.form = words.form;
  record.size_bytes = cell.one.has_size ? words.size_bytes : 0;
  record.shape = cell.shape.text();
  record.along = words.along;
  record.together = words.together;
  record.counts = cell.distribution.text();
  record.datatype = words.datatype;
  if (cell.one.is_reduction) record.operation = words.operation;
  if (cell.one.has_root) record.root_rank = words.root_rank;
  record.buffers = words.buffers;
  record.cadence = words.cadence;
  record.alignment = words.alignment;
  record.arrival = words.arrival;
  record.ranks = communicator_size(cell);
  record.call = record.collective;  // until it is known which form of it
  record.communicators = words.together ? communicators(cell.shape, cell.along) : 1;
  return record;
}

void put_sizes(const Cell& cell, const Setting& setting, CollectiveRecord& record) {
  const std::int64_t element = bytes_of(cell.type);
  const CountFacts facts = facts_of(cell, setting);
  record.bytes_per_rank = cell.one.contribution(setting) * element;
  record.wire_bytes = cell.one.wire(setting) * element;
  record.count_facts = {.total_bytes = facts.total * element,
                        .largest_row_bytes = facts.largest_row * element,
                        .largest_column_bytes = facts.largest_column * element,
                        .largest_entry_bytes = facts.largest_entry * element,
                        .fewest_peers = facts.fewest_peers,
                        .most_peers = facts.most_peers,
                        .gini = facts.gini};
  if (cell.distribution.kind == Distribution::Kind::recorded && !setting.counts.elements.empty()) {
    const Counts& counts = setting.counts;
    const std::int64_t all = std::accumulate(counts.elements.begin(), counts.elements.end(), std::int64_t{0});
    record.size_bytes = all * element / std::ssize(counts.elements);
  }
}

void put_repetitions(const Communicator& world, const Communicator& comm, const Repetitions& repetitions,
                     CollectiveRecord& record) {
  std::vector<std::int64_t> entries;
  std::vector<std::int64_t> exits;
  for (const Repetition& one : repetitions.mine) {
    entries.push_back(one.entry_nanoseconds);
    exits.push_back(one.exit_nanoseconds);
  }
  const std::vector<int> starts = repetitions.batch_starts();
  if (record.communicators > 1) {
    std::vector<std::int64_t> times = times_of_batches(comm, record, starts, entries, exits);
    world.max(std::span(times));
    record.slowest_nanoseconds = std::move(times);
  }
  if (record.cadence == name_of(Cadence::streaming)) record.batch_starts = starts;
  const std::int64_t origin = comm.min(entries.empty() ? 0 : entries.front());
  for (std::int64_t& time : entries) time -= origin;
  for (std::int64_t& time : exits) time -= origin;
  record.entry_nanoseconds = of_all_ranks(comm, entries);
  record.exit_nanoseconds = of_all_ranks(comm, exits);
  record.warm_up_repetitions =
      static_cast<int>(std::ranges::count(repetitions.mine, true, &Repetition::is_warm_up));
  record.invalid = indices_where(repetitions.mine, [](const Repetition& one) { return !one.is_valid; });
  record.context_switches =
      indices_where(repetitions.mine, [](const Repetition& one) { return one.was_switched_out; });
  record.stopped_because = name_of(repetitions.why);
}

}  // namespace isobath
