// SPDX-License-Identifier: Apache-2.0
#include "apps/switches_record.hpp"

#include <algorithm>
#include <string_view>

#include "base/expects.hpp"

namespace isobath {

SwitchesRecord switches_record(const Switches& switches) {
  const auto named = named_switches(switches);
  const auto value = [&](std::string_view name) {
    const auto found = std::find_if(named.begin(), named.end(),
                                    [&](const NamedSwitch& entry) { return entry.name == name; });
    ISOBATH_EXPECTS(found != named.end());
    return found->value;
  };
  SwitchesRecord record;
  record.exchange = value("exchange");
  record.duplicates = value("duplicates");
  record.ids = switches.id_bits;
  record.dedup = value("dedup");
  record.frontier = value("frontier");
  record.fold = value("fold");
  record.relabel = value("relabel");
  record.leaves = value("leaves");
  record.likely_parents = value("likely-parents");
  record.hub_pass = value("hubs");
  record.streams = value("streams");
  record.overlap = value("overlap");
  record.direction = value("direction");
  return record;
}

}  // namespace isobath
