// SPDX-License-Identifier: Apache-2.0
#include "collectives/cases.hpp"

namespace isobath {
namespace {

/// The root rank's vector of `block` elements goes to all, in one buffer.
Layout bcast_layout(const Setting& setting, int rank) {
  const int root = setting.root_rank;
  Layout made;
  made.arguments.receive_count = setting.block;
  made.receive_elements = setting.block;
  made.sends_from_receive_buffer = true;
  if (rank == root) made.sent = {{.count = setting.block, .source = root}};
  made.expected = {{.count = setting.block, .source = root}};
  return made;
}

}  // namespace

std::vector<Case> bcast_cases() {
  return {{.collective = Collective::bcast,
           .has_root = true,
           .layout = bcast_layout,
           .contribution = [](const Setting& setting) { return setting.block; },
           .wire = [](const Setting& s) { return s.ranks > 1 ? s.block : 0; }}};
}

}  // namespace isobath
