// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Messages to ranks that several threads list, each in lists of its own, and that are sent together: for who
/// learns only on the way what it has for whom, and cannot look twice (message_groups.hpp).
template <Transferable Message>
class MessageLists {
 public:
  explicit MessageLists(const Communicator& comm, std::size_t threads = 1)
      : comm_(comm),
        lists_(threads, std::vector<std::vector<Message>>(static_cast<std::size_t>(comm.size()))) {}

  void add(int rank, const Message& message, std::size_t thread = 0) {
    lists_[thread][static_cast<std::size_t>(rank)].push_back(message);
  }

  /// Collective. Sends all, and returns what arrived: by sender, its thread, and in the order of add(). The
  /// lists are empty then, but keep their room.
  std::vector<Message> send() {
    std::vector<Message> grouped;
    std::vector<std::int64_t> counts;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(comm_.size()); ++rank) {
      const std::size_t before = grouped.size();
      for (auto& of_thread : lists_) {
        grouped.insert(grouped.end(), of_thread[rank].begin(), of_thread[rank].end());
        of_thread[rank].clear();
      }
      counts.push_back(static_cast<std::int64_t>(grouped.size() - before));
    }
    return comm_.alltoallv<Message>(grouped, counts);
  }

 private:
  const Communicator& comm_;
  std::vector<std::vector<std::vector<Message>>> lists_;  // by thread and rank
};

}  // namespace isobath
