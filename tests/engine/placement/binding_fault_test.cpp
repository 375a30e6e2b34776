// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "placement/placement.hpp"

namespace isobath::test {
namespace {

using Lists = std::vector<std::string>;

/// Where ranks are and what their threads may run on, by rank.
struct Bindings {
  std::vector<int> node_of_rank;
  std::vector<Lists> cpus_of_threads;
};

/// The twin: one rank that knows all threads of all nodes goes through them one by one.
std::string expected_fault(const Bindings& all) {
  std::map<std::pair<int, std::string>, std::size_t> owners;
  for (std::size_t rank = 0; rank < all.node_of_rank.size(); ++rank) {
    const int node = all.node_of_rank[rank];
    for (const std::string& cpus : all.cpus_of_threads[rank]) {
      if (cpus.empty() || cpus.find_first_of(",-") != cpus.npos) continue;
      const auto [owner, is_first] = owners.try_emplace({node, cpus}, rank);
      if (!is_first) {
        return fmt::format("ranks {} and {} of node {} have threads that share processor {}", owner->second,
                           rank, node, cpus);
      }
    }
  }
  return {};
}

std::string fault_of(const Bindings& all) {
  const auto own = static_cast<std::size_t>(world().rank());
  return binding_fault(world(), all.node_of_rank[own], all.cpus_of_threads[own]);
}

/// On all ranks alike. @param cpus  the fewer, the likelier it is that two threads share one
Bindings drawn_bindings(std::mt19937_64& random, std::uint64_t cpus) {
  Bindings all;
  int nodes = 0;
  for (int rank = 0; rank < world().size(); ++rank) {
    const auto node = static_cast<int>(random() % static_cast<std::uint64_t>(nodes + 1));
    nodes = std::max(nodes, node + 1);
    all.node_of_rank.push_back(node);
    Lists& lists = all.cpus_of_threads.emplace_back();
    for (std::uint64_t threads = random() % 4; threads > 0; --threads) {
      const std::uint64_t cpu = random() % cpus;
      const std::uint64_t kind = random() % 8;
      lists.push_back(kind == 0   ? fmt::format("{}-{}", cpu, cpu + 1)
                      : kind == 1 ? fmt::format("{},{}", cpu, cpu + 2)
                                  : fmt::format("{}", cpu));
    }
  }
  return all;
}

TEST(BindingFault, IsWhatOneRankFindsThatKnowsAllThreads) {
  std::mt19937_64 random(11);
  int faults = 0;
  constexpr int cases = 200;
  for (int k = 0; k < cases; ++k) {
    const Bindings all = drawn_bindings(random, k % 2 == 0 ? 4 : 200);
    const std::string expected = expected_fault(all);
    EXPECT_EQ(fault_of(all), expected) << "case " << k;
    faults += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(faults, 0);
  EXPECT_LT(faults, cases);
}

TEST(BindingFault, NamesTheSecondRankThatComesFirstWhateverItsNode) {
  Bindings all;
  for (int rank = 0; rank < world().size(); ++rank) {
    all.node_of_rank.push_back(rank == 0 || rank == 3 ? 0 : 1);
    all.cpus_of_threads.push_back({fmt::format("{}", rank < 4 ? 7 : rank)});
  }
  const std::string of_node_1 = "ranks 1 and 2 of node 1 have threads that share processor 7";
  EXPECT_EQ(fault_of(all), world().size() < 3 ? "" : of_node_1);
}

TEST(BindingFault, ThreadsOfOneRankMayShareOneToo) {
  Bindings all;
  for (int rank = 0; rank < world().size(); ++rank) {
    all.node_of_rank.push_back(rank);
    all.cpus_of_threads.push_back({"0", rank + 1 == world().size() ? "0" : "1"});
  }
  const int last = world().size() - 1;
  EXPECT_EQ(fault_of(all),
            fmt::format("ranks {0} and {0} of node {0} have threads that share processor 0", last));
}

/// What goes to the ranks of other nodes does not grow with the threads of a rank.
TEST(BindingFault, ThreadsStayOnTheirNode) {
  const auto sent_with = [](int threads) {
    Bindings all;
    for (int rank = 0; rank < world().size(); ++rank) {
      all.node_of_rank.push_back(rank);
      Lists& lists = all.cpus_of_threads.emplace_back();
      for (int thread = 0; thread < threads; ++thread) lists.push_back(fmt::format("{}", thread));
    }
    const std::int64_t before = world().traffic().bytes_sent;
    EXPECT_EQ(fault_of(all), "");
    return world().traffic().bytes_sent - before;
  };
  EXPECT_EQ(sent_with(1), sent_with(5000));
}

}  // namespace
}  // namespace isobath::test
