// SPDX-License-Identifier: Apache-2.0
#include "overlap/offload.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/expects.hpp"
#include "overlap/aggregation_node.hpp"
#include "overlap/combine.hpp"

namespace isobath {
namespace {

/// The bytes of a vector that belong to one piece.
template <class Byte>
std::span<Byte> piece_of(std::span<Byte> vector, std::uint32_t piece) {
  const std::size_t first = std::min(piece * most_payload_bytes, vector.size());
  return vector.subspan(first, std::min(most_payload_bytes, vector.size() - first));
}

/// Until the library has taken over all that was sent.
void flush(SmallMessages& messages) {
  while (!messages.all_sent()) {
  }
}

}  // namespace

std::int64_t serve_aggregation(SmallMessages& messages, const AggregationShape& shape) {
  std::vector<std::optional<AggregationNode>> nodes;
  for (int tree = 0; tree < shape.trees; ++tree) {
    const std::optional<TreePlace> place = place_of(shape, tree, messages.comm().rank());
    nodes.push_back(place ? std::optional<AggregationNode>(*place) : std::nullopt);
  }
  std::vector<AggregationNode::Outgoing> out;
  std::int64_t received = 0;
  PieceHeader stop;
  for (int stopped = 0; stopped < shape.workers; ++received) {
    const SmallMessages::Arrived arrived = messages.receive();
    const PieceHeader header = header_of(arrived.bytes);
    if (header.kind == TreeOperation::stop) {
      ISOBATH_EXPECTS(stopped == 0 || header.operation == stop.operation);
      stop = header;
      ++stopped;
      continue;
    }
    out.clear();
    nodes.at(header.tree).value().arrived(arrived.source, arrived.bytes, out);
    for (const AggregationNode::Outgoing& one : out) messages.send(one.to, one.message.bytes());
  }
  for (int worker = 0; worker < shape.workers; ++worker) {
    messages.send(worker, PieceMessage(stop, {}).bytes());
  }
  flush(messages);
  return received;
}

OffloadClient::OffloadClient(SmallMessages& messages, const AggregationShape& shape, int window)
    : messages_(&messages), shape_(shape), window_(window) {
  ISOBATH_EXPECTS(window > 0 && messages.comm().rank() < shape.workers);
  ISOBATH_EXPECTS(shape.workers + shape.aggregators == messages.comm().size() && shape.trees <= 255);
  for (int tree = 0; tree < shape.trees; ++tree) {
    leaf_of_tree_.push_back(leaf_of(shape, tree, messages.comm().rank()));
  }
}

OffloadClient::Handle OffloadClient::start_allreduce(std::span<const std::byte> send,
                                                     std::span<std::byte> receive, TreeType type,
                                                     TreeOperator combine) {
  ISOBATH_EXPECTS(send.size() == receive.size() && send.size() % bytes_of(type) == 0);
  ISOBATH_EXPECTS(is_defined(type, combine));
  const std::int64_t pieces = pieces_for(std::ssize(send));
  return begin({.header = {.kind = TreeOperation::allreduce, .combine = combine, .type = type},
                .send = send,
                .receive = receive,
                .to_send = pieces,
                .to_receive = pieces});
}

OffloadClient::Handle OffloadClient::start_reduce(std::span<const std::byte> send,
                                                  std::span<std::byte> receive, TreeType type,
                                                  TreeOperator combine, int root_rank) {
  const bool is_root = messages_->comm().rank() == root_rank;
  ISOBATH_EXPECTS(root_rank >= 0 && root_rank < shape_.workers && send.size() % bytes_of(type) == 0);
  ISOBATH_EXPECTS(is_defined(type, combine) && (!is_root || send.size() == receive.size()));
  const std::int64_t pieces = pieces_for(std::ssize(send));
  return begin({.header = {.root_rank = static_cast<std::uint32_t>(root_rank),
                           .kind = TreeOperation::reduce,
                           .combine = combine,
                           .type = type},
                .send = send,
                .receive = receive,
                .to_send = pieces,
                .to_receive = is_root ? pieces : 0});
}

OffloadClient::Handle OffloadClient::start_bcast(std::span<std::byte> values, int root_rank) {
  ISOBATH_EXPECTS(root_rank >= 0 && root_rank < shape_.workers);
  const std::int64_t pieces = pieces_for(std::ssize(values));
  // The root hears its own pieces back, which tells it how far they are.
  return begin({.header = {.root_rank = static_cast<std::uint32_t>(root_rank), .kind = TreeOperation::bcast},
                .send = values,
                .receive = values,
                .to_send = messages_->comm().rank() == root_rank ? pieces : 0,
                .to_receive = pieces});
}

OffloadClient::Handle OffloadClient::start_barrier() {
  return begin(
      {.header = {.kind = TreeOperation::barrier}, .send = {}, .receive = {}, .to_send = 1, .to_receive = 1});
}

OffloadClient::Handle OffloadClient::begin(Operation operation) {
  const Handle handle = next_++;
  operation.header.operation = handle;
  Operation& begun = under_way_.emplace(handle, operation).first->second;
  if (const auto early = early_.find(handle); early != early_.end()) {
    for (const std::vector<std::byte>& message : early->second) store(begun, message);
    early_.erase(early);
  }
  send_pieces(begun);
  return handle;
}

void OffloadClient::send_pieces(Operation& operation) {
  // Whoever hears nothing back (of reduce) is held back by nobody.
  const std::int64_t end = operation.to_receive == 0
                               ? operation.to_send
                               : std::min(operation.to_send, operation.received + window_);
  for (; operation.sent < end; ++operation.sent) {
    PieceHeader header = operation.header;
    header.piece = static_cast<std::uint32_t>(operation.sent);
    header.tree = static_cast<std::uint8_t>(operation.sent % shape_.trees);
    messages_->send(leaf_of_tree_[header.tree],
                    PieceMessage(header, piece_of(operation.send, header.piece)).bytes());
  }
}

void OffloadClient::store(Operation& operation, std::span<const std::byte> message) {
  const PieceHeader header = header_of(message);
  const std::span<std::byte> place = piece_of(operation.receive, header.piece);
  const std::span<const std::byte> payload = payload_of(message);
  ISOBATH_EXPECTS(header.kind == operation.header.kind && payload.size() == place.size());
  if (!payload.empty()) std::memcpy(place.data(), payload.data(), payload.size());
  ++operation.received;
}

void OffloadClient::take(std::span<const std::byte> message) {
  const Handle handle = header_of(message).operation;
  if (const auto found = under_way_.find(handle); found != under_way_.end()) {
    store(found->second, message);
    send_pieces(found->second);
  } else {
    early_[handle].emplace_back(message.begin(), message.end());
  }
}

bool OffloadClient::test(Handle handle) {
  while (const std::optional<SmallMessages::Arrived> arrived = messages_->poll()) take(arrived->bytes);
  const auto found = under_way_.find(handle);
  if (found == under_way_.end()) return true;  // it was seen to be complete before
  if (!found->second.is_complete()) return false;
  under_way_.erase(found);
  return true;
}

void OffloadClient::wait(Handle handle) {
  while (!test(handle)) take(messages_->receive().bytes);
}

void OffloadClient::stop() {
  ISOBATH_EXPECTS(under_way_.empty());
  const PieceHeader own{.operation = ++stops_, .kind = TreeOperation::stop};
  for (int aggregator = 0; aggregator < shape_.aggregators; ++aggregator) {
    messages_->send(shape_.workers + aggregator, PieceMessage(own, {}).bytes());
  }
  flush(*messages_);
  for (int told = 0; told < shape_.aggregators;) {
    const SmallMessages::Arrived arrived = messages_->receive();
    const PieceHeader header = header_of(arrived.bytes);
    if (header.kind == TreeOperation::stop) {
      ISOBATH_EXPECTS(header.operation == stops_);
      ++told;
    } else {
      take(arrived.bytes);  // of the next round, of a worker that has heard of all aggregators already
    }
  }
}

}  // namespace isobath
