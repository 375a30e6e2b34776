// SPDX-License-Identifier: Apache-2.0
#include "overlap/aggregation_node.hpp"

#include <algorithm>

#include "base/expects.hpp"
#include "overlap/combine.hpp"

namespace isobath {

void AggregationNode::arrived(int source, std::span<const std::byte> message, std::vector<Outgoing>& out) {
  const PieceHeader header = header_of(message);
  const std::span<const std::byte> payload = payload_of(message);
  if (place_.parent == source) return pass_down(header, payload, out);
  const auto child = std::find(place_.children.begin(), place_.children.end(), source);
  ISOBATH_EXPECTS(child != place_.children.end());
  if (header.kind == TreeOperation::bcast) return pass_up(header, payload, out);
  gather(static_cast<std::size_t>(child - place_.children.begin()), header, payload, out);
}

void AggregationNode::gather(std::size_t child, const PieceHeader& header, std::span<const std::byte> payload,
                             std::vector<Outgoing>& out) {
  const std::size_t children = place_.children.size();
  const auto [at, is_first] = gathering_.try_emplace(
      {header.operation, header.piece}, Gathering{.missing = static_cast<int>(children),
                                                  .payloads = std::vector<std::vector<std::byte>>(children),
                                                  .has_come = std::vector<bool>(children, false)});
  Gathering& piece = at->second;
  ISOBATH_EXPECTS(!piece.has_come[child]);
  piece.has_come[child] = true;
  piece.payloads[child].assign(payload.begin(), payload.end());
  if (--piece.missing > 0) return;
  std::vector<std::byte> combined = std::move(piece.payloads.front());
  for (std::size_t i = 1; i < children && !combined.empty(); ++i) {
    combine_elements(header.type, header.combine, combined, piece.payloads[i]);
  }
  gathering_.erase(at);
  pass_up(header, combined, out);
}

void AggregationNode::pass_up(const PieceHeader& header, std::span<const std::byte> payload,
                              std::vector<Outgoing>& out) const {
  if (!place_.parent) return pass_down(header, payload, out);
  out.push_back({*place_.parent, PieceMessage(header, payload)});
}

void AggregationNode::pass_down(const PieceHeader& header, std::span<const std::byte> payload,
                                std::vector<Outgoing>& out) const {
  const PieceMessage message(header, payload);
  if (header.kind == TreeOperation::reduce) {
    const int child = place_.child_towards.at(header.root_rank);
    ISOBATH_EXPECTS(child >= 0);
    out.push_back({place_.children[static_cast<std::size_t>(child)], message});
    return;
  }
  for (const int child : place_.children) out.push_back({child, message});
}

}  // namespace isobath
