// SPDX-License-Identifier: Apache-2.0
// Every call of every form against the twin that sees the buffers of all ranks at once, byte by byte.
#include <memory>

#include <gtest/gtest.h>

#include "collectives/buffers.hpp"
#include "collectives/cases.hpp"
#include "collectives/cell.hpp"
#include "comm/bare/cartesian.hpp"
#include "comm/bare/collective_calls.hpp"
#include "mpi_main.hpp"
#include "reference/collectives.hpp"

namespace isobath {
namespace {

using reference::AllBuffers;

std::vector<std::int64_t> values_of(std::span<const std::byte> bytes, ElementType type,
                                    std::int64_t elements) {
  std::vector<std::int64_t> values;
  for (std::int64_t k = 0; k < elements; ++k) values.push_back(value_at(bytes, type, k));
  return values;
}

std::span<const std::byte> memory(const std::byte* bytes, std::int64_t elements, ElementType type) {
  return {bytes, static_cast<std::size_t>(elements * bytes_of(type))};
}

/// What every rank of a cell has before the call, made by one rank for all of them.
AllBuffers buffers_of_all(const Case& one, const Setting& setting, std::int64_t stamp) {
  AllBuffers all;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    const Layout layout = one.layout(setting, rank);
    BufferSets sets(layout, Pattern(setting.type, setting.operation), setting.type, 1);
    sets.fill(0, stamp);
    const BareArguments arguments = sets.arguments(0);
    reference::RankBuffers& made = all.emplace_back();
    made.send = values_of(memory(arguments.send, layout.send_elements, setting.type), setting.type,
                          layout.send_elements);
    made.receive = values_of(memory(arguments.receive, layout.receive_elements, setting.type), setting.type,
                             layout.receive_elements);
    made.send_counts = arguments.send_counts;
    made.send_offsets = arguments.send_offsets;
    made.receive_counts = arguments.receive_counts;
    made.receive_offsets = arguments.receive_offsets;
    if (one.has_neighbours) made.neighbours = neighbours_of(setting.extents, rank);
  }
  return all;
}

void perform(Collective collective, const Setting& setting, AllBuffers& all) {
  const int root = setting.root_rank;
  const reference::Combine combine = [&](std::int64_t a, std::int64_t b) {
    return combined(setting.operation, a, b);
  };
  switch (collective) {
    case Collective::barrier:
      return;
    case Collective::bcast:
      return reference::bcast(all, root);
    case Collective::gather:
    case Collective::gatherv:
      return reference::gatherv(all, root);
    case Collective::scatter:
    case Collective::scatterv:
      return reference::scatterv(all, root);
    case Collective::allgather:
    case Collective::allgatherv:
      return reference::allgatherv(all);
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return reference::alltoallv(all);
    case Collective::reduce:
      return reference::reduce(all, root, combine);
    case Collective::allreduce:
      return reference::allreduce(all, combine);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return reference::reduce_scatter(all, combine);
    case Collective::scan:
      return reference::scan(all, combine);
    case Collective::exscan:
      return reference::exscan(all, combine);
    case Collective::neighbor_allgather:
    case Collective::neighbor_allgatherv:
      return reference::neighbor_allgatherv(all);
    case Collective::neighbor_alltoall:
    case Collective::neighbor_alltoallv:
    case Collective::neighbor_alltoallw:
      return reference::neighbor_alltoallv(all);
  }
}

/// Makes the call, and compares what this rank received with the twin's and with what the layout expects.
void compare(const Case& one, const Setting& setting, Form form, bool large_counts) {
  const Communicator& world = test::world();
  const std::string what = one.call_name(form, large_counts).value_or("");
  AllBuffers all = buffers_of_all(one, setting, 5);
  perform(one.collective, setting, all);
  Layout layout = one.layout(setting, world.rank());
  layout.arguments.operation = setting.operation;
  layout.arguments.root_rank = setting.root_rank;
  const std::int64_t received = layout.receive_elements;
  const bool is_undefined = one.collective == Collective::exscan && world.rank() == 0;
  BufferSets sets(std::move(layout), Pattern(setting.type, setting.operation), setting.type, 1);
  sets.fill(0, 5);
  const BareCommunicator comm = one.has_neighbours ? BareCommunicator::cartesian(world, setting.extents)
                                                   : BareCommunicator::duplicate(world);
  const std::unique_ptr<BareCall> call = one.make_call(form, large_counts, sets.arguments(0), comm);
  for (int repetition = 0; repetition < 2; ++repetition) {  // a call may be made again
    ASSERT_EQ(call->run(), MPI_SUCCESS) << what;
    EXPECT_EQ(sets.fault(0).value_or(""), "") << what;
    if (is_undefined) continue;
    EXPECT_EQ(values_of(memory(sets.arguments(0).receive, received, setting.type), setting.type, received),
              [&] {
                std::vector<std::int64_t> wanted = all[static_cast<std::size_t>(world.rank())].receive;
                std::vector<std::byte> typed(wanted.size() * 8);
                for (std::size_t k = 0; k < wanted.size(); ++k) {
                  put_value(typed, setting.type, static_cast<std::int64_t>(k), wanted[k]);
                }
                return values_of(typed, setting.type, static_cast<std::int64_t>(wanted.size()));
              }())
        << what;
  }
}

Setting setting_for(const Case& one, const std::string& counts, ElementType type, Operation operation,
                    int root) {
  CollectiveCell words;
  words.collective = name_of(one.collective);
  words.size_bytes = 300 * bytes_of(type);
  words.datatype = name_of(type);
  if (one.is_reduction) words.operation = name_of(operation);
  if (one.is_irregular) words.counts = counts;
  const int ranks = test::world().size();
  const Cell cell = understand(words, ranks);
  return {.ranks = ranks,
          .type = type,
          .operation = operation,
          .root_rank = root,
          .block = one.has_size ? 300 : 0,
          .counts = std::get<Counts>(counts_of(cell, ranks, {})),
          .extents = ranks == 6 ? std::vector<int>{2, 3} : std::vector<int>{ranks}};
}

TEST(Calls, OfEveryCollectiveAndFormDoWhatTheTwinDoes) {
  for (const Case& one : all_cases()) {
    for (const Form form : {Form::blocking, Form::nonblocking, Form::persistent}) {
      for (const bool large_counts : {false, true}) {
        if (!call_name(one.collective, form, large_counts)) continue;
        compare(one,
                setting_for(one, "uniform", ElementType::int32, Operation::sum, test::world().size() - 1),
                form, large_counts);
      }
    }
  }
}

TEST(Calls, OfIrregularCountsDoWhatTheTwinDoes) {
  for (const Case& one : all_cases()) {
    if (!one.is_irregular) continue;
    for (const char* counts : {"zipf:1.5", "sparse:1", "block:2"}) {
      compare(one, setting_for(one, counts, ElementType::uint16, Operation::max, 0), Form::blocking, false);
      compare(one, setting_for(one, counts, ElementType::plain_byte, Operation::bor, 0), Form::nonblocking,
              false);
    }
  }
}

TEST(Calls, OfOnesOwnAlgorithmsDoWhatTheTwinDoes) {
  for (const OwnAlgorithm& own : own_algorithms()) {
    for (const Collective collective : own.collectives) {
      const Case one = case_of(collective, std::string(own.name));
      for (const char* counts : {"uniform", "zipf:1.5", "sparse:1", "block:2"}) {
        for (const ElementType type : {ElementType::plain_byte, ElementType::int64}) {
          compare(one, setting_for(one, counts, type, Operation::max, test::world().size() - 1),
                  Form::blocking, false);
        }
      }
    }
  }
}

TEST(Calls, OfEveryOperationAndDatatypeDoWhatTheTwinDoes) {
  for (int type = 0; type < 11; ++type) {
    for (int operation = 0; operation < 10; ++operation) {
      if (!is_defined(static_cast<Operation>(operation), static_cast<ElementType>(type))) continue;
      for (const Collective collective :
           {Collective::allreduce, Collective::exscan, Collective::reduce_scatter}) {
        const Case one = case_of(collective);
        compare(
            one,
            setting_for(one, "zipf:1", static_cast<ElementType>(type), static_cast<Operation>(operation), 0),
            Form::blocking, false);
      }
    }
  }
}

TEST(Calls, NeighboursAreThoseThatMpiNames) {
  const Communicator& world = test::world();
  const std::vector<int> extents =
      world.size() == 6 ? std::vector<int>{2, 3} : std::vector<int>{world.size()};
  const BareCommunicator comm = BareCommunicator::cartesian(world, extents);
  EXPECT_EQ(comm.neighbours(), neighbours_of(extents, world.rank()));
  for (int rank = 0; rank < world.size(); ++rank) {
    std::vector<int> there = {rank % extents[0]};
    if (extents.size() > 1) there.push_back(rank / extents[0]);
    EXPECT_EQ(comm.coordinates()[static_cast<std::size_t>(rank)], there);
  }
}

TEST(Calls, NonBlockingOnesCanBeTested) {
  const Case one = case_of(Collective::allreduce);
  const Setting setting = setting_for(one, "uniform", ElementType::int64, Operation::sum, 0);
  Layout layout = one.layout(setting, test::world().rank());
  BufferSets sets(layout, Pattern(setting.type, setting.operation), setting.type, 1);
  const BareCommunicator comm = BareCommunicator::duplicate(test::world());
  const auto call =
      make_bare_call(one.collective, Form::nonblocking, false, sets.arguments(0), comm.handle());
  ASSERT_EQ(call->start(), MPI_SUCCESS);
  for (bool is_complete = false; !is_complete;) ASSERT_EQ(call->test(is_complete), MPI_SUCCESS);
  EXPECT_EQ(call->wait(), MPI_SUCCESS);
  EXPECT_FALSE(sets.fault(0));
}

TEST(Calls, LargeCountsAreNeededBeyond32Bits) {
  BareArguments arguments;
  arguments.send_count = 2147483647;
  EXPECT_TRUE(fits_small_counts(Collective::bcast, arguments));
  arguments.send_count += 1;
  EXPECT_FALSE(fits_small_counts(Collective::bcast, arguments));
  arguments.send_count = 0;
  arguments.type = ElementType::int64;
  arguments.send_offsets = {0, 268435456};
  EXPECT_TRUE(fits_small_counts(Collective::alltoallv, arguments));
  EXPECT_FALSE(fits_small_counts(Collective::alltoallw, arguments)) << "its offsets are in bytes";
  EXPECT_TRUE(fits_small_counts(Collective::neighbor_alltoallw, arguments)) << "its offsets are addresses";
}

}  // namespace
}  // namespace isobath
