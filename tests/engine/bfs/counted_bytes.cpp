// SPDX-License-Identifier: Apache-2.0
#include "bfs/counted_bytes.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isobath::test {

AuditedBytes CountedBytes::of_all_ranks(const Communicator& world) const {
  // A table of all levels and phases: which phases a rank enters may differ from rank to rank.
  const Level highest = own_.empty() ? reference::outside_levels : own_.rbegin()->first.first;
  const auto levels = static_cast<std::size_t>(world.max(std::int64_t{highest}) + 2);
  std::vector<std::int64_t> own(levels * num_phases);
  for (const auto& [step, sent] : own_) {
    own[static_cast<std::size_t>(step.first + 1) * num_phases + static_cast<std::size_t>(step.second)] = sent;
  }
  const auto ranks = static_cast<std::size_t>(world.size());
  const std::vector<std::int64_t> table = world.allgatherv<std::int64_t>(own);
  AuditedBytes all;
  for (std::size_t at = 0; at < own.size(); ++at) {
    std::vector<std::int64_t> bytes(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) bytes[rank] = table[rank * own.size() + at];
    if (std::ranges::all_of(bytes, [](std::int64_t sent) { return sent == 0; })) continue;
    all[{static_cast<Level>(at / num_phases) - 1, static_cast<Phase>(at % num_phases)}] = bytes;
  }
  return all;
}

AuditedBytes as_counted(const std::vector<reference::TrafficLine>& lines) {
  AuditedBytes bytes;
  for (const reference::TrafficLine& line : lines) bytes[{line.level, line.phase}] = line.bytes_of_rank;
  return bytes;
}

std::string difference(const AuditedBytes& expected, const AuditedBytes& counted) {
  AuditedBytes all = expected;
  all.insert(counted.begin(), counted.end());
  const auto of = [](const AuditedBytes& bytes, const AuditedStep& step) {
    const auto found = bytes.find(step);
    return found == bytes.end() ? std::vector<std::int64_t>{} : found->second;
  };
  for (const auto& [step, ignored] : all) {
    if (of(expected, step) == of(counted, step)) continue;
    return fmt::format("level {}, phase {}: expected [{}], counted [{}]", step.first, name_of(step.second),
                       fmt::join(of(expected, step), " "), fmt::join(of(counted, step), " "));
  }
  return {};
}

}  // namespace isobath::test
