// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "comm/messages/small_messages.hpp"
#include "overlap/aggregation_message.hpp"
#include "overlap/aggregation_tree.hpp"

namespace isobath {

/// An aggregator: combines and passes on until every worker has said stop, and then tells them that it has
/// stopped. Returns the messages it received.
std::int64_t serve_aggregation(SmallMessages& messages, const AggregationShape& shape);

/// A worker's side of the aggregation trees: collective operations over the workers that advance on the
/// aggregators, while this rank computes. All workers start the same operations in the same order; buffers
/// stay as they are until an operation is complete. Vectors are cut into pieces; at most `window` of them are
/// under way, and more are sent by test() and wait().
class OffloadClient {
 public:
  /// Number of an operation.
  using Handle = std::uint32_t;

  /// @param messages  of all workers and aggregators; outlives the object
  /// @param window  pieces under way, > 0
  OffloadClient(SmallMessages& messages, const AggregationShape& shape, int window = 64);

  /// Collective over the workers, as the three below. `send` and `receive` are of equal length.
  Handle start_allreduce(std::span<const std::byte> send, std::span<std::byte> receive, TreeType type,
                         TreeOperator combine);
  /// `receive` is used on the root rank alone.
  Handle start_reduce(std::span<const std::byte> send, std::span<std::byte> receive, TreeType type,
                      TreeOperator combine, int root_rank);
  Handle start_bcast(std::span<std::byte> values, int root_rank);
  Handle start_barrier();

  /// Makes progress; is it complete?
  bool test(Handle handle);
  void wait(Handle handle);
  /// Collective. After the last operation of a round: the aggregators return from serve_aggregation().
  /// Returns when all of them said so: a piece of the next round, for which they serve again, cannot come to
  /// one that still waits for another worker's stop. A worker that is told earlier may begin the next round
  /// before others are told; what they hear of it is kept until they begin it too, so one client has all
  /// rounds.
  void stop();

 private:
  struct Operation {
    PieceHeader header;
    std::span<const std::byte> send;
    std::span<std::byte> receive;
    std::int64_t to_send = 0;  // pieces
    std::int64_t sent = 0;
    std::int64_t to_receive = 0;
    std::int64_t received = 0;

    bool is_complete() const { return sent == to_send && received == to_receive; }
  };
  Handle begin(Operation operation);
  void send_pieces(Operation& operation);
  void take(std::span<const std::byte> message);
  static void store(Operation& operation, std::span<const std::byte> message);

  SmallMessages* messages_;
  AggregationShape shape_;
  int window_;
  std::vector<int> leaf_of_tree_;
  Handle next_ = 0;
  std::uint32_t stops_ = 0;
  std::map<Handle, Operation> under_way_;
  std::map<Handle, std::vector<std::vector<std::byte>>> early_;  // of operations that others started before
};

}  // namespace isobath
