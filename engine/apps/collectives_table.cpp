// SPDX-License-Identifier: Apache-2.0
#include "apps/collectives_table.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collectives/algorithms.hpp"
#include "collectives/cases.hpp"
#include "timing/joint_times.hpp"
#include "timing/median_interval.hpp"

namespace isobath {
namespace {

/// Of one communicator: entries and exits of all ranks become one time of each batch.
std::vector<BatchTime> batches_of(const CollectiveRecord& record) {
  if (record.entry_nanoseconds.empty()) return {};
  std::vector<std::int64_t> begins = record.entry_nanoseconds[0];
  std::vector<std::int64_t> ends = record.exit_nanoseconds[0];
  const bool is_first = parse_timed_from(record.timed_from) == TimedFrom::first_entry;
  for (std::size_t rank = 1; rank < record.entry_nanoseconds.size(); ++rank) {
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::int64_t entry = record.entry_nanoseconds[rank][i];
      begins[i] = is_first ? std::min(begins[i], entry) : std::max(begins[i], entry);
      ends[i] = std::max(ends[i], record.exit_nanoseconds[rank][i]);
    }
  }
  std::vector<int> starts = record.batch_starts;
  if (starts.empty()) {
    starts.resize(begins.size());
    std::iota(starts.begin(), starts.end(), 0);
  }
  std::vector<BatchTime> batches = batch_times(starts, begins, ends);
  for (std::size_t b = 0; b < record.slowest_nanoseconds.size(); ++b) {
    batches[b].nanoseconds = record.slowest_nanoseconds[b];
  }
  return batches;
}

}  // namespace

std::vector<std::int64_t> ordered_times(const CollectiveRecord& record) {
  std::vector<std::int64_t> counting;
  for (const BatchTime& batch : batches_of(record)) {
    const bool is_invalid = std::ranges::any_of(record.invalid, [&](int repetition) {
      return batch.first <= repetition && repetition < batch.first + batch.calls;
    });
    if (batch.first >= record.warm_up_repetitions && !is_invalid) counting.push_back(batch.per_call());
  }
  std::ranges::sort(counting);
  return counting;
}

namespace {

std::string microseconds(double nanoseconds) { return fmt::format("{:.2f}", nanoseconds / 1000); }

std::string size_of(const CollectiveRecord& record) {
  return record.collective == "barrier" ? "-" : std::to_string(record.size_bytes);
}

void list_algorithms(std::string& text, Collective collective, Form form, const ControlVariables& variables,
                     const std::vector<std::string>& names) {
  for (const std::string& name : algorithm_variables(collective, form, names)) {
    const std::optional<ControlVariable> variable = variables.find(name);
    if (!variable) continue;
    text += fmt::format("    {}{}\n", name, variable->is_writable ? "" : " (for the launch only)");
    text += variable->choices.empty()
                ? fmt::format("      now {}; a number\n", variable->value)
                : fmt::format("      now {}; {}\n", variable->value, fmt::join(variable->choices, ", "));
  }
}

}  // namespace

std::string collectives_table_head() {
  return fmt::format("{:<22}{:<12}{:>11}{:>11}{:>9}{:>9}{:>6}\n", "collective", "form", "bytes", "median us",
                     "from", "to", "n");
}

std::string collectives_table_row(const CollectiveRecord& record) {
  const std::string begin =
      fmt::format("{:<22}{:<12}{:>11}", record.collective, record.form, size_of(record));
  if (record.not_runnable) return fmt::format("{}  not runnable:\n    {}\n", begin, *record.not_runnable);
  const std::vector<std::int64_t> times = ordered_times(record);
  if (times.empty()) return fmt::format("{}  no valid repetition\n", begin);
  const auto range = median_interval_ranks(times.size());
  const std::string from = range ? microseconds(static_cast<double>(times[range->first])) : "-";
  const std::string to = range ? microseconds(static_cast<double>(times[range->second])) : "-";
  std::string row =
      fmt::format("{}{:>11}{:>9}{:>9}{:>6}\n", begin, microseconds(median_of(times)), from, to, times.size());
  if (record.data_check_failure) row += fmt::format("    WRONG CONTENTS: {}\n", *record.data_check_failure);
  return row;
}

std::string list_of_collectives() {
  const ControlVariables variables;
  const std::vector<std::string> names = variables.names();
  std::string text = "Collectives, how they can be called here, and the algorithms that the library names:\n";
  for (const Case& one : all_cases()) {
    text += fmt::format("{}{}\n", name_of(one.collective), one.is_irregular ? " (irregular counts)" : "");
    for (const OwnAlgorithm& own : own_algorithms()) {
      if (std::ranges::count(own.collectives, one.collective) == 0) continue;
      text += fmt::format("  {}, in the library's place\n", own.name);
    }
    for (const std::string_view form_name : form_names()) {
      const Form form = parse_form(form_name);
      const std::optional<std::string> small = call_name(one.collective, form, false);
      const std::optional<std::string> large = call_name(one.collective, form, true);
      text += fmt::format("  {:<12}{}{}\n", form_name, small.value_or("not in this MPI library"),
                          large ? ", " + *large : "");
      list_algorithms(text, one.collective, form, variables, names);
    }
  }
  return text;
}

}  // namespace isobath
