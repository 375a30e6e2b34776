// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/phase.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// How a personalised exchange travels whose counts only its senders know (docs/explanation/exchanges.md).
enum class ExchangeKind { alltoallv, pairwise, sparse, neighbour, one_sided, persistent, two_level, eager };

inline constexpr std::array<std::string_view, 8> exchange_names = {
    "alltoallv", "pairwise", "sparse", "neighbour", "one-sided", "persistent", "two-level", "eager"};

constexpr std::string_view name_of(ExchangeKind kind) {
  return exchange_names[static_cast<std::size_t>(kind)];
}

/// A personalised exchange among the ranks of a communicator, made once and run many times. Its calls,
/// messages and bytes count in that communicator, whatever handles it uses inside; on one rank there are
/// none. Memory for what arrives is kept from run to run and grows to the largest run so far.
class Exchange {
 public:
  /// What one rank sent: called once for every source that sent at least one byte, the own rank included, in
  /// any order. The bytes are valid during the call, and begin at a multiple of 8 where all lengths of the
  /// run are multiples of 8. An exception ends the exchange, and with it the use of the communicator.
  using Arrived = std::function<void(int source, std::span<const std::byte> bytes)>;

  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// Collective. `outgoing[r]` goes to rank r; nothing is sent for an empty one where the kind allows it.
  /// Tells the observer Phase::count where counts travel alone and Phase::fold where data does; two_level
  /// tells them once per hop. `arrived` is called in Phase::fold, outside of MPI calls, and must not use the
  /// communicator.
  virtual void run(std::span<const std::span<const std::byte>> outgoing, const Arrived& arrived,
                   PhaseObserver& observer) = 0;
};

/// Collective. @param comm  outlives the exchange
/// @param node_of_rank  node of each rank of `comm`, for two_level, the same on all ranks; may be empty for
/// the
///     other kinds
/// @throws UsageError, on all ranks, where two_level meets nodes of different numbers of ranks
std::unique_ptr<Exchange> make_exchange(ExchangeKind kind, const Communicator& comm,
                                        std::span<const int> node_of_rank = {});

}  // namespace isobath
