// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/bitmap.hpp"
#include "base/error.hpp"
#include "comm/ledger/call_ledger.hpp"
#include "comm/ledger/counted_call.hpp"
#include "comm/ledger/traffic.hpp"
#include "comm/ledger/waiting.hpp"

namespace isobath {

/// An MPI call failed; says which, with the library's own words.
struct MpiError : Error {
  explicit MpiError(const std::string& sentence) : Error(ExitCode::environment, sentence) {}
};

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t extent>
inline constexpr bool is_span<std::span<T, extent>> = true;

/// What may travel: plain values, sent as bytes (all ranks run the same binary on the same architecture).
/// Pointers and spans are plain too, but mean nothing to another rank.
template <class T>
concept Transferable = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !is_span<T>;

/// Bytes per MPI call, 1 .. 2^31 - 1; larger transfers go in pieces. Tests set it tiny so that every piece
/// path runs (a reduction carries at least one element per call). Where the library offers large-count calls
/// (MPI 4) they are used instead, unless they are declined. The same on all ranks: it decides how many
/// messages a transfer has.
struct CountLimit {
  std::int64_t bytes_per_call = (std::int64_t{1} << 31) - (std::int64_t{1} << 20);
  bool prefer_large_counts = true;
};

/// Layout of a personalised exchange, in elements: `send_counts[r]` from `send_offsets[r]` go to rank r.
struct ExchangeCounts {
  std::vector<std::int64_t> send_counts;
  std::vector<std::int64_t> send_offsets;
  std::vector<std::int64_t> receive_counts;
  std::vector<std::int64_t> receive_offsets;
  std::int64_t receive_total = 0;
};

class Calls;

/// An owning handle of an MPI communicator: rank, size, and typed collective operations. All calls are made
/// by one thread (MPI_THREAD_FUNNELED). Every operation counts its bytes and messages in traffic(), and
/// throws MpiError where the library reports an error.
class Communicator {
 public:
  /// This process alone, rank 0 of 1; needs no MPI.
  Communicator() = default;
  /// Collective. Takes a duplicate of `comm`, so that our messages meet nobody else's.
  explicit Communicator(MPI_Comm comm, CountLimit limit = {});
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  /// Frees the handle; leaves it where MPI has ended already, or while an exception passes: the other ranks
  /// may be inside a collective, and freeing may wait for them.
  ~Communicator();

  int rank() const { return rank_; }
  int size() const { return size_; }
  MPI_Comm handle() const { return handle_; }
  const CountLimit& limit() const { return limit_; }

  /// Collective. Ranks of equal colour (>= 0) together, ordered by key. The new one inherits the count limit,
  /// the watcher and the ledger; its traffic starts at zero.
  Communicator split(int colour, int key) const;
  /// Ends all ranks of the program at once, not only those here, with this exit code. Does not return.
  [[noreturn]] void abort(ExitCode code) const;

  /// Collective.
  void barrier() const;

  /// Collective. Element-wise over all ranks; `values` is overwritten by the result on every rank.
  void sum(std::span<std::int64_t> values) const;
  void sum(std::span<double> values) const;
  void min(std::span<std::int64_t> values) const;
  void max(std::span<std::int64_t> values) const;
  void min(std::span<double> values) const;
  void max(std::span<double> values) const;
  std::int64_t sum(std::int64_t value) const {
    sum(std::span(&value, 1));
    return value;
  }
  std::int64_t min(std::int64_t value) const {
    min(std::span(&value, 1));
    return value;
  }
  std::int64_t max(std::int64_t value) const {
    max(std::span(&value, 1));
    return value;
  }
  double sum(double value) const {
    sum(std::span(&value, 1));
    return value;
  }
  double min(double value) const {
    min(std::span(&value, 1));
    return value;
  }
  double max(double value) const {
    max(std::span(&value, 1));
    return value;
  }
  bool any(bool value) const { return max(std::int64_t{value}) != 0; }

  /// Collective. From `root_rank` to all.
  template <Transferable T>
  void broadcast(std::span<T> values, int root_rank) const {
    broadcast_bytes(std::as_writable_bytes(values), root_rank);
  }
  template <Transferable T>
  T broadcast(T value, int root_rank) const {
    broadcast(std::span<T>(&value, 1), root_rank);
    return value;
  }
  std::string broadcast(std::string text, int root_rank) const;

  /// Collective. One value of each rank, in rank order, on every rank.
  template <Transferable T>
  std::vector<T> allgather(const T& value) const {
    std::vector<T> all(static_cast<std::size_t>(size_));
    allgather_bytes(std::as_bytes(std::span<const T>(&value, 1)), std::as_writable_bytes(std::span<T>(all)));
    return all;
  }
  /// Collective. Everybody's text on every rank, in rank order.
  std::vector<std::string> allgather(const std::string& text) const;

  /// Collective. Pieces of different length, in rank order, on every rank; `counts` (elements per rank) is
  /// known. `all` has room for their sum. `mine` may be the own piece inside `all` (then nothing is copied).
  template <Transferable T>
  void allgatherv(std::span<const T> mine, std::span<const std::int64_t> counts, std::span<T> all) const {
    allgatherv_bytes(std::as_bytes(mine), counts, sizeof(T), std::as_writable_bytes(all));
  }
  /// The same where the counts are not known yet: exchanges them first.
  template <Transferable T>
  std::vector<T> allgatherv(std::span<const T> mine) const {
    const std::vector<std::int64_t> counts = allgather(static_cast<std::int64_t>(mine.size()));
    std::int64_t total = 0;
    for (const std::int64_t count : counts) total += count;
    std::vector<T> all(static_cast<std::size_t>(total));
    allgatherv<T>(mine, counts, all);
    return all;
  }

  /// Collective. Tells every rank what it will receive, and adds up offsets: groups lie one after the other.
  ExchangeCounts exchange_counts(std::span<const std::int64_t> send_counts) const;
  /// Collective. Personalised exchange of elements grouped by destination; they arrive grouped by source.
  template <Transferable T>
  void alltoallv(std::span<const T> send, const ExchangeCounts& counts, std::span<T> receive) const {
    alltoallv_bytes(std::as_bytes(send), counts, sizeof(T), std::as_writable_bytes(receive));
  }
  /// The same with the counts exchanged first and the result allocated.
  template <Transferable T>
  std::vector<T> alltoallv(std::span<const T> send, std::span<const std::int64_t> send_counts) const {
    const ExchangeCounts counts = exchange_counts(send_counts);
    std::vector<T> receive(static_cast<std::size_t>(counts.receive_total));
    alltoallv<T>(send, counts, receive);
    return receive;
  }

  /// Sends to `to` and receives from `from` at once. Both ends of a message know its length: one without
  /// bytes is sent by neither. Collective over the ring it is used in.
  template <Transferable T>
  void send_receive(std::span<const T> send, int to, std::span<T> receive, int from) const {
    send_receive_bytes(std::as_bytes(send), to, std::as_writable_bytes(receive), from);
  }

  /// Bytes and messages since construction; the search reads differences.
  const Traffic& traffic() const { return traffic_; }

  /// From now on `watcher` (nullptr: nobody) is told when a call begins and ends; it outlives this object.
  void watch(CallWatcher* watcher) { watcher_ = watcher; }

  /// From now on `ledger` (nullptr: nobody) is told of every call; it outlives this object.
  void keep(CallLedger* ledger);

  /// For the parts of this layer that make MPI calls of their own on handle(): one call while it lasts.
  /// @param mpi_name  such as "MPI_Isend", stays valid
  CountedCall counted(CallKind kind, const char* mpi_name) const {
    return CountedCall(traffic_, watcher_, ledger_, ledger_id_, kind, mpi_name);
  }

  /// The same for calls that are not counted, such as those that make communicators and windows.
  Waiting waiting(const char* mpi_name, WaitsFor what = WaitsFor::messages) const {
    return Waiting(watcher_, mpi_name, what);
  }

  /// The rank in the program of each rank here.
  const std::vector<int>& world_ranks() const { return world_ranks_; }

 private:
  Communicator(MPI_Comm owned, const Communicator& parent);
  void adopt(MPI_Comm owned);
  void release() noexcept;
  void count_all(CountedCall& call, std::int64_t bytes_each) const;
  /// True on one rank: no MPI call is made, so none is counted.
  bool is_alone() const { return size_ == 1; }
  template <class T>
  void reduce(std::span<T> values, MPI_Datatype type, MPI_Op operation) const;
  void broadcast_bytes(std::span<std::byte> values, int root_rank) const;
  void allgather_bytes(std::span<const std::byte> mine, std::span<std::byte> all) const;
  void allgatherv_bytes(std::span<const std::byte> mine, std::span<const std::int64_t> counts,
                        std::size_t element, std::span<std::byte> all) const;
  void alltoallv_bytes(std::span<const std::byte> send, const ExchangeCounts& counts, std::size_t element,
                       std::span<std::byte> receive) const;
  void send_receive_bytes(std::span<const std::byte> send, int to, std::span<std::byte> receive,
                          int from) const;

  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  CountLimit limit_;
  std::shared_ptr<const Calls> calls_;
  CallWatcher* watcher_ = nullptr;
  CallLedger* ledger_ = nullptr;
  int ledger_id_ = 0;
  std::vector<int> world_ranks_ = {0};
  mutable Traffic traffic_;
};

}  // namespace isobath
