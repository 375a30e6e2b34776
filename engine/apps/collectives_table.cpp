// SPDX-License-Identifier: Apache-2.0
#include "apps/collectives_table.hpp"

#include <algorithm>
#include <cstdint>
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

/// Times that count, over all ranks, in order of size.
std::vector<std::int64_t> ordered_times(const CollectiveRecord& record) {
  std::vector<std::int64_t> times = record.slowest_nanoseconds;
  if (times.empty() && !record.entry_nanoseconds.empty()) {
    std::vector<std::int64_t> first = record.entry_nanoseconds[0];
    std::vector<std::int64_t> last = record.exit_nanoseconds[0];
    for (std::size_t rank = 1; rank < record.entry_nanoseconds.size(); ++rank) {
      for (std::size_t i = 0; i < first.size(); ++i) {
        first[i] = std::min(first[i], record.entry_nanoseconds[rank][i]);
        last[i] = std::max(last[i], record.exit_nanoseconds[rank][i]);
      }
    }
    times = joint_times(parse_cadence(record.cadence), first, last);
  }
  std::vector<std::int64_t> counting;
  for (int i = record.warm_up_repetitions; i < static_cast<int>(times.size()); ++i) {
    if (std::ranges::count(record.invalid, i) == 0) counting.push_back(times[static_cast<std::size_t>(i)]);
  }
  std::ranges::sort(counting);
  return counting;
}

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
