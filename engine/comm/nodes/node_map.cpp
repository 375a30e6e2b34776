// SPDX-License-Identifier: Apache-2.0
#include "comm/nodes/node_map.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "comm/nodes/rank_list.hpp"

namespace isobath {
namespace {

/// Equal names become equal numbers, in the order of first appearance.
template <class Name>
std::vector<int> numbered(const std::vector<Name>& names) {
  std::unordered_map<Name, int> number_of;
  std::vector<int> numbers;
  for (const Name& name : names) {
    numbers.push_back(number_of.try_emplace(name, static_cast<int>(number_of.size())).first->second);
  }
  return numbers;
}

}  // namespace

int NodeMap::nodes() const {
  return node_of_rank.empty() ? 0 : *std::max_element(node_of_rank.begin(), node_of_rank.end()) + 1;
}

NodeMap parse_node_map(std::string_view text, int ranks, std::string_view variable) {
  const std::string form = fmt::format(
      "set it to {} whole numbers from 0 on, the node of each rank, as in 0,0,1,1, or unset it", ranks);
  const std::vector<double> numbers = parse_rank_list(variable, text, ranks, form);
  for (const double number : numbers) {
    const bool is_node = number >= 0 && number <= std::numeric_limits<int>::max() &&
                         number == static_cast<double>(static_cast<int>(number));
    if (!is_node)
      throw UsageError(fmt::format("{} is '{}', but {} is no node; {}", variable, text, number, form));
  }
  return {.node_of_rank = numbered(numbers), .is_override = true};
}

NodeMap node_map_of(const Communicator& world, const std::string& host_key) {
  return {.node_of_rank = numbered(world.allgather(host_key)), .is_override = false};
}

NodeMap make_node_map(const Communicator& world, const std::string& host_key) {
  const std::string text = text_of_rank_0(world, node_map_variable);
  if (!text.empty()) return parse_node_map(text, world.size());
  return node_map_of(world, host_key);
}

}  // namespace isobath
