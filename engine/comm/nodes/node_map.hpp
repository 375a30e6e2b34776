// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Which ranks share a machine. Nodes are numbered from 0 in the order in which ranks meet them.
struct NodeMap {
  std::vector<int> node_of_rank;
  bool is_override = false;  // from the environment, not from the machines

  int nodes() const;
};

inline constexpr const char* node_map_variable = "ISOBATH_NODE_MAP";

/// Nodes as the text of a variable names them, one whole number per rank with commas between ("0,0,1,1");
/// ranks of equal number share a node. @throws UsageError where there are not `ranks` numbers or one is none
NodeMap parse_node_map(std::string_view text, int ranks, std::string_view variable = node_map_variable);

/// Collective. Ranks of equal `host_key` share a node.
NodeMap node_map_of(const Communicator& world, const std::string& host_key);

/// Collective. The same, but ISOBATH_NODE_MAP of rank 0, where it is set, says
/// otherwise, so that one machine can be looked at as several. @throws UsageError as parse_node_map()
NodeMap make_node_map(const Communicator& world, const std::string& host_key);

}  // namespace isobath
