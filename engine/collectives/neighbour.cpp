// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/cases.hpp"

namespace isobath {

std::vector<int> neighbours_of(const std::vector<int>& extents, int rank) {
  std::vector<int> found(2 * extents.size(), -1);
  int stride = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const int coordinate = rank / stride % extents[d];
    const std::size_t at = 2 * (extents.size() - 1 - d);  // MPI names the slowest dimension first
    if (coordinate > 0) found[at] = rank - stride;
    if (coordinate + 1 < extents[d]) found[at + 1] = rank + stride;
    stride *= extents[d];
  }
  return found;
}

namespace {

/// Where there is no neighbour, regular calls still have room for its block, which stays as it was.
std::int64_t neighbour_count(const Setting& setting, int source, int destination) {
  const Counts& counts = setting.counts;
  if (counts.elements.empty()) return setting.block;
  if (source < 0 || destination < 0) return 0;
  return counts.at(source, counts.columns == 1 ? 0 : destination);
}

void expect(Layout& made, const Setting& setting, int rank, bool is_personal) {
  const std::vector<int> neighbours = neighbours_of(setting.extents, rank);
  BareArguments& arguments = made.arguments;
  for (const int neighbour : neighbours) {
    arguments.receive_counts.push_back(neighbour_count(setting, neighbour, rank));
  }
  arguments.receive_count = setting.block;
  arguments.receive_offsets = offsets_of(arguments.receive_counts);
  made.receive_elements = sum_of(arguments.receive_counts);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const bool exists = neighbours[i] >= 0;
    made.expected.push_back({.kind = exists ? ExpectedBlock::Kind::moved : ExpectedBlock::Kind::untouched,
                             .offset = arguments.receive_offsets[i],
                             .count = arguments.receive_counts[i],
                             .source = neighbours[i],
                             .destination = is_personal ? rank : 0});
  }
}

/// Every rank's block goes to all its neighbours.
Layout neighbour_allgather_layout(const Setting& setting, int rank) {
  Layout made;
  made.send_elements = neighbour_count(setting, rank, rank);
  made.arguments.send_count = made.send_elements;
  made.sent = {{.count = made.send_elements, .source = rank}};
  expect(made, setting, rank, false);
  return made;
}

/// A block from every rank to each of its neighbours.
Layout neighbour_alltoall_layout(const Setting& setting, int rank) {
  const std::vector<int> neighbours = neighbours_of(setting.extents, rank);
  Layout made;
  BareArguments& arguments = made.arguments;
  for (const int neighbour : neighbours)
    arguments.send_counts.push_back(neighbour_count(setting, rank, neighbour));
  arguments.send_count = setting.block;
  arguments.send_offsets = offsets_of(arguments.send_counts);
  made.send_elements = sum_of(arguments.send_counts);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    if (neighbours[i] < 0) continue;
    made.sent.push_back({.offset = arguments.send_offsets[i],
                         .count = arguments.send_counts[i],
                         .source = rank,
                         .destination = neighbours[i]});
  }
  expect(made, setting, rank, true);
  return made;
}

struct Volume {
  std::int64_t sent = 0;
  std::int64_t received = 0;
};

/// To and from its neighbours, if each gets a block of its own.
Volume volume_of(const Setting& setting, int rank) {
  Volume volume;
  for (const int neighbour : neighbours_of(setting.extents, rank)) {
    if (neighbour < 0) continue;
    volume.sent += neighbour_count(setting, rank, neighbour);
    volume.received += neighbour_count(setting, neighbour, rank);
  }
  return volume;
}

std::int64_t neighbour_allgather_contribution(const Setting& setting) {
  return setting.counts.elements.empty() ? setting.block : std::ranges::max(setting.counts.elements);
}

std::int64_t neighbour_alltoall_contribution(const Setting& setting) {
  std::int64_t most = 0;
  for (int rank = 0; rank < setting.ranks; ++rank) most = std::max(most, volume_of(setting, rank).sent);
  return most;
}

/// What comes in of all neighbours; what goes out may be one block that travels on.
std::int64_t neighbour_allgather_wire(const Setting& setting) {
  std::int64_t most = 0;
  for (int rank = 0; rank < setting.ranks; ++rank) most = std::max(most, volume_of(setting, rank).received);
  return most;
}

std::int64_t neighbour_alltoall_wire(const Setting& setting) {
  return std::max(neighbour_allgather_wire(setting), neighbour_alltoall_contribution(setting));
}

}  // namespace

std::vector<Case> neighbour_cases() {
  const Case allgather{.collective = Collective::neighbor_allgather,
                       .counts = Case::CountForm::from_each,
                       .has_neighbours = true,
                       .layout = neighbour_allgather_layout,
                       .contribution = neighbour_allgather_contribution,
                       .wire = neighbour_allgather_wire};
  Case allgatherv = allgather;
  allgatherv.collective = Collective::neighbor_allgatherv;
  allgatherv.is_irregular = true;
  const Case alltoall{.collective = Collective::neighbor_alltoall,
                      .counts = Case::CountForm::pairs,
                      .has_neighbours = true,
                      .layout = neighbour_alltoall_layout,
                      .contribution = neighbour_alltoall_contribution,
                      .wire = neighbour_alltoall_wire};
  Case alltoallv = alltoall;
  alltoallv.collective = Collective::neighbor_alltoallv;
  alltoallv.is_irregular = true;
  Case alltoallw = alltoallv;
  alltoallw.collective = Collective::neighbor_alltoallw;
  return {allgather, allgatherv, alltoall, alltoallv, alltoallw};
}

}  // namespace isobath
