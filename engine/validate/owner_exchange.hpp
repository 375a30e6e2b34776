// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "base/vertex.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/message_groups.hpp"
#include "partition/block_partition.hpp"
#include "validate/exchange_limits.hpp"

namespace isobath {

/// Messages to the owners of vertices, in bounded chunks: questions that come back answered, and deliveries.
/// Memory is O(chunk), and on a rank that others address more often O(limits.arriving + ranks), even where
/// all of them address one: when all have told how much will arrive, and it is more than the limit anywhere,
/// the chunk travels in as many parts as keep within it. What needs less than a chunk takes no memory for
/// one.
class OwnerExchange {
 public:
  /// @param limits  those of so many ranks where absent
  OwnerExchange(const Communicator& world, const BlockPartition& partition,
                std::optional<ExchangeLimits> limits = {});

  /// Most questions or deliveries of one call; equal on every rank.
  std::size_t chunk() const { return static_cast<std::size_t>(limits_.chunk); }
  /// Collective. Calls that all ranks must make for this rank to get rid of `count` questions.
  std::int64_t rounds(std::int64_t count) const;

  /// Collective. answers[i] = answer_of(x), x being the position of vertex_of(i) on its owner, and answer_of
  /// that of the owner. answer_of is called by several threads at once.
  template <Transferable Answer, class VertexOf, class AnswerOf>
  void ask(std::size_t count, const VertexOf& vertex_of, const AnswerOf& answer_of,
           std::span<Answer> answers);

  /// Collective. Brings each item to the owner of vertex_of(item). Calls receive(items) for what arrived, of
  /// each part; the view is valid until it returns.
  template <Transferable Item, class VertexOf, class Receive>
  void deliver(std::span<const Item> items, const VertexOf& vertex_of, const Receive& receive);

 private:
  template <class VertexOf, class Put>
  void group_by_owner(std::size_t count, const VertexOf& vertex_of, const Put& put);
  int parts_of(const ExchangeCounts& counts) const;
  static ExchangeCounts part_of_exchange(const ExchangeCounts& counts, int part, int parts);
  template <class T>
  static std::span<T> view(std::vector<std::byte>& bytes, std::size_t count);
  template <class T>
  static void make_room(std::vector<T>& items, std::size_t count);

  const Communicator& world_;
  BlockPartition partition_;
  ExchangeLimits limits_;
  MessageGroups groups_;
  std::vector<std::int32_t> owners_;      // per question
  std::vector<std::uint32_t> places_;     // per question: where its answer will be
  std::vector<std::uint32_t> asked_;      // positions on the owner, grouped by owner
  std::vector<std::uint32_t> to_answer_;  // positions here, grouped by who asks
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> incoming_;
};

template <class T>
std::span<T> OwnerExchange::view(std::vector<std::byte>& bytes, std::size_t count) {
  static_assert(alignof(T) <= alignof(std::max_align_t));
  make_room(bytes, count * sizeof(T));
  return {reinterpret_cast<T*>(bytes.data()), count};
}

template <class T>
void OwnerExchange::make_room(std::vector<T>& items, std::size_t count) {
  if (items.size() < count) items.resize(count);
}

template <class VertexOf, class Put>
void OwnerExchange::group_by_owner(std::size_t count, const VertexOf& vertex_of, const Put& put) {
  ISOBATH_EXPECTS(count <= chunk());
  make_room(owners_, count);
#pragma omp parallel
  {
    const auto share = static_share(static_cast<std::int64_t>(count), thread_id(), num_threads());
    const auto first = static_cast<std::size_t>(share.first);
    const auto end = static_cast<std::size_t>(share.second);
    groups_.group(
        [&](std::span<std::int64_t> at) {
          for (std::size_t i = first; i < end; ++i) {
            owners_[i] = partition_.block_of(vertex_of(i));
            ++at[static_cast<std::size_t>(owners_[i])];
          }
        },
        [](std::size_t) {},
        [&](std::span<std::int64_t> at) {
          for (std::size_t i = first; i < end; ++i) {
            put(i, static_cast<std::size_t>(at[static_cast<std::size_t>(owners_[i])]++));
          }
        });
  }
}

template <Transferable Answer, class VertexOf, class AnswerOf>
void OwnerExchange::ask(std::size_t count, const VertexOf& vertex_of, const AnswerOf& answer_of,
                        std::span<Answer> answers) {
  const auto total = static_cast<std::int64_t>(count);
  if (world_.size() == 1) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < total; ++i) {
      const auto at = static_cast<std::size_t>(i);
      answers[at] = answer_of(static_cast<std::size_t>(raw(vertex_of(at))));
    }
    return;
  }
  make_room(places_, count);
  make_room(asked_, count);
  group_by_owner(count, vertex_of, [&](std::size_t i, std::size_t place) {
    places_[i] = static_cast<std::uint32_t>(place);
    asked_[place] = static_cast<std::uint32_t>(raw(vertex_of(i)) - partition_.first(owners_[i]));
  });
  const ExchangeCounts counts = world_.exchange_counts(groups_.counts());
  const std::span<Answer> received = view<Answer>(incoming_, count);
  const int parts = parts_of(counts);
  for (int part = 0; part < parts; ++part) {
    const ExchangeCounts there = part_of_exchange(counts, part, parts);
    const auto arriving = static_cast<std::size_t>(there.receive_total);
    make_room(to_answer_, arriving);
    world_.alltoallv<std::uint32_t>(std::span(asked_).first(count), there,
                                    std::span(to_answer_).first(arriving));
    const std::span<Answer> given = view<Answer>(outgoing_, arriving);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < there.receive_total; ++i) {
      given[static_cast<std::size_t>(i)] = answer_of(to_answer_[static_cast<std::size_t>(i)]);
    }
    const ExchangeCounts back{there.receive_counts, there.receive_offsets, there.send_counts,
                              there.send_offsets, total};
    world_.alltoallv<Answer>(given, back, received);
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < total; ++i) {
    answers[static_cast<std::size_t>(i)] = received[places_[static_cast<std::size_t>(i)]];
  }
}

template <Transferable Item, class VertexOf, class Receive>
void OwnerExchange::deliver(std::span<const Item> items, const VertexOf& vertex_of, const Receive& receive) {
  if (world_.size() == 1) {
    receive(items);
    return;
  }
  const std::span<Item> grouped = view<Item>(outgoing_, items.size());
  group_by_owner(
      items.size(), [&](std::size_t i) { return vertex_of(items[i]); },
      [&](std::size_t i, std::size_t place) { grouped[place] = items[i]; });
  const ExchangeCounts counts = world_.exchange_counts(groups_.counts());
  const int parts = parts_of(counts);
  for (int part = 0; part < parts; ++part) {
    const ExchangeCounts there = part_of_exchange(counts, part, parts);
    const std::span<Item> arrived = view<Item>(incoming_, static_cast<std::size_t>(there.receive_total));
    world_.alltoallv<Item>(grouped, there, arrived);
    receive(std::span<const Item>(arrived));
  }
}

}  // namespace isobath
