// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace isobath {

/// For tables whose entries have a name: whether each of `names` has an entry, and each entry a name among
/// them. To be asserted where a table is defined, so that a name without an entry does not compile.
template <class Table, class Names>
constexpr bool are_named(const Table& table, const Names& names) {
  if (std::size(table) != std::size(names)) return false;
  return std::all_of(std::begin(names), std::end(names), [&](std::string_view name) {
    return std::any_of(std::begin(table), std::end(table),
                       [&](const auto& entry) { return entry.name == name; });
  });
}

/// The entry of this name; no other one is ever given in its place.
/// @param kind  what the entries are, for the sentence: "search plan"
/// @throws UsageError naming all entries where there is none
template <class Table>
const auto& entry_named(const Table& table, std::string_view name, std::string_view kind) {
  const auto entry = std::find_if(std::begin(table), std::end(table),
                                  [&](const auto& candidate) { return candidate.name == name; });
  if (entry != std::end(table)) return *entry;
  std::string all;
  for (const auto& known : table) all += (all.empty() ? "" : ", ") + std::string(known.name);
  throw UsageError("there is no " + std::string(kind) + " '" + std::string(name) + "'; there are " + all);
}

}  // namespace isobath
