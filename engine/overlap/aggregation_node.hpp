// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "overlap/aggregation_message.hpp"
#include "overlap/aggregation_tree.hpp"

namespace isobath {

/// One aggregator in one tree: what it does with each message, and what it sends on. No MPI, no time. Pieces
/// of children are kept until all are there and then combined in the order of the children, whatever the
/// order in which they came: the same sums give the same bits, always.
class AggregationNode {
 public:
  /// A message to a rank.
  struct Outgoing {
    int to;
    PieceMessage message;
  };

  explicit AggregationNode(TreePlace place) : place_(std::move(place)) {}

  /// Adds to `out` what a message from `source` (the parent or a child) brings about.
  /// @throws InternalError for a message of anybody else, or a piece that came before
  void arrived(int source, std::span<const std::byte> message, std::vector<Outgoing>& out);

  /// Pieces that wait for some child.
  std::size_t incomplete() const { return gathering_.size(); }

 private:
  struct Gathering {
    int missing;
    std::vector<std::vector<std::byte>> payloads;  // of each child
    std::vector<bool> has_come;
  };
  void gather(std::size_t child, const PieceHeader& header, std::span<const std::byte> payload,
              std::vector<Outgoing>& out);
  void pass_up(const PieceHeader& header, std::span<const std::byte> payload,
               std::vector<Outgoing>& out) const;
  void pass_down(const PieceHeader& header, std::span<const std::byte> payload,
                 std::vector<Outgoing>& out) const;

  TreePlace place_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Gathering> gathering_;  // by operation and piece
};

}  // namespace isobath
