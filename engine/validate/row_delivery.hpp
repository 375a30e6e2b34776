// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "validate/edge_copy.hpp"

namespace isobath {

/// Takes a number of each vertex from its owner to the rank that has its row: 4 bytes a vertex, which go to
/// one rank alone. Where each goes is the same every time, and told once.
class RowDelivery {
 public:
  /// Collective. `world` outlives this.
  /// @param own_places  of this rank's vertices (EdgeCopy::places)
  RowDelivery(const Communicator& world, const DealtRows& dealt, std::span<const std::uint32_t> own_places);

  /// By any thread. Of this rank's vertex; what has no place goes nowhere.
  void put(std::size_t vertex, std::uint32_t number) {
    std::atomic_ref(leaving_[slots_[vertex]]).store(number, std::memory_order_relaxed);
  }
  /// Collective. Every row here gets the number that was put for its vertex.
  void deliver(std::span<std::uint32_t> by_row);

 private:
  const Communicator& world_;
  ExchangeCounts counts_;
  LargeArray<std::uint32_t> slots_;     // of own vertices: where in what leaves
  LargeArray<std::uint32_t> leaving_;   // by rank; one more for all that go nowhere
  LargeArray<std::uint32_t> arriving_;  // by rank
  LargeArray<std::uint32_t> rows_;      // of what arrives
};

}  // namespace isobath
