// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/cases.hpp"

namespace isobath {
namespace {

std::int64_t alltoall_count(const Setting& setting, int source, int destination) {
  return setting.counts.elements.empty() ? setting.block : setting.counts.at(source, destination);
}

/// A block from every rank to every rank, its own among them.
Layout alltoall_layout(const Setting& setting, int rank) {
  Layout made;
  BareArguments& arguments = made.arguments;
  for (int peer = 0; peer < setting.ranks; ++peer) {
    arguments.send_counts.push_back(alltoall_count(setting, rank, peer));
    arguments.receive_counts.push_back(alltoall_count(setting, peer, rank));
  }
  arguments.send_count = setting.block;
  arguments.receive_count = setting.block;
  arguments.send_offsets = offsets_of(arguments.send_counts);
  arguments.receive_offsets = offsets_of(arguments.receive_counts);
  made.send_elements = sum_of(arguments.send_counts);
  made.receive_elements = sum_of(arguments.receive_counts);
  for (int peer = 0; peer < setting.ranks; ++peer) {
    const auto p = static_cast<std::size_t>(peer);
    made.sent.push_back({.offset = arguments.send_offsets[p],
                         .count = arguments.send_counts[p],
                         .source = rank,
                         .destination = peer});
    made.expected.push_back({.offset = arguments.receive_offsets[p],
                             .count = arguments.receive_counts[p],
                             .source = peer,
                             .destination = rank});
  }
  return made;
}

std::int64_t alltoall_contribution(const Setting& setting) {
  std::int64_t most = 0;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    std::int64_t sum = 0;
    for (int peer = 0; peer < setting.ranks; ++peer) sum += alltoall_count(setting, rank, peer);
    most = std::max(most, sum);
  }
  return most;
}

/// What one rank sends to others, or gets of them, whichever is more.
std::int64_t alltoall_wire(const Setting& setting) {
  std::int64_t most = 0;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    std::int64_t out = 0;
    std::int64_t in = 0;
    for (int peer = 0; peer < setting.ranks; ++peer) {
      if (peer == rank) continue;
      out += alltoall_count(setting, rank, peer);
      in += alltoall_count(setting, peer, rank);
    }
    most = std::max({most, out, in});
  }
  return most;
}

}  // namespace

std::vector<Case> alltoall_cases() {
  const Case alltoall{.collective = Collective::alltoall,
                      .counts = Case::CountForm::pairs,
                      .layout = alltoall_layout,
                      .contribution = alltoall_contribution,
                      .wire = alltoall_wire};
  Case alltoallv = alltoall;
  alltoallv.collective = Collective::alltoallv;
  alltoallv.is_irregular = true;
  Case alltoallw = alltoallv;
  alltoallw.collective = Collective::alltoallw;
  return {alltoall, alltoallv, alltoallw};
}

}  // namespace isobath
