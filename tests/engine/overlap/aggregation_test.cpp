// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "overlap/aggregation_node.hpp"
#include "overlap/aggregation_tree.hpp"
#include "overlap/combine.hpp"

namespace isobath {
namespace {

std::vector<AggregationShape> shapes() {
  std::vector<AggregationShape> all;
  for (const int workers : {1, 2, 3, 5, 8, 13}) {
    for (const int aggregators : {1, 2, 3, 7}) {
      for (const int radix : {2, 4}) {
        all.push_back({.workers = workers, .aggregators = aggregators, .radix = radix, .trees = aggregators});
      }
    }
  }
  return all;
}

TEST(AggregationTree, ReachesEveryWorkerOnceFromOneTop) {
  for (const AggregationShape& shape : shapes()) {
    for (int tree = 0; tree < shape.trees; ++tree) {
      std::multiset<int> children;
      int tops = 0;
      for (int rank = shape.workers; rank < shape.workers + shape.aggregators; ++rank) {
        const std::optional<TreePlace> place = place_of(shape, tree, rank);
        if (!place) continue;
        if (!place->parent) ++tops;
        EXPECT_FALSE(place->children.empty());
        for (const int child : place->children) {
          children.insert(child);
          if (child < shape.workers) {
            EXPECT_EQ(leaf_of(shape, tree, child), rank);
          } else {
            EXPECT_EQ(place_of(shape, tree, child)->parent, rank);
          }
        }
      }
      EXPECT_EQ(tops, 1);
      for (int worker = 0; worker < shape.workers; ++worker) EXPECT_EQ(children.count(worker), 1U);
    }
  }
}

TEST(AggregationTree, TreesBeginWithDifferentAggregators) {
  const AggregationShape shape{.workers = 8, .aggregators = 3, .radix = 2, .trees = 3};
  std::set<int> tops;
  for (int tree = 0; tree < 3; ++tree) {
    for (int rank = 8; rank < 11; ++rank) {
      if (!place_of(shape, tree, rank)->parent) tops.insert(rank);
    }
  }
  EXPECT_EQ(tops.size(), 3U);
  EXPECT_EQ(depth_of(shape), 2);
  EXPECT_EQ(depth_of({.workers = 8, .aggregators = 1}), 1);
}

std::span<const std::byte> bytes_of_values(const std::vector<double>& values) {
  return std::as_bytes(std::span(values));
}

/// The tree as one process: every rank's messages, delivered in an order that a generator chooses, but in
/// turn between a pair of ranks. Returns what each worker hears.
std::vector<std::vector<double>> run_tree(const AggregationShape& shape, const PieceHeader& header,
                                          const std::vector<std::vector<double>>& values,
                                          std::uint64_t seed) {
  std::map<int, AggregationNode> nodes;
  for (int rank = shape.workers; rank < shape.workers + shape.aggregators; ++rank) {
    if (const auto place = place_of(shape, header.tree, rank)) nodes.emplace(rank, AggregationNode(*place));
  }
  std::map<std::pair<int, int>, std::deque<PieceMessage>> channels;
  for (int worker = 0; worker < shape.workers; ++worker) {
    const bool sends = header.kind != TreeOperation::bcast || std::cmp_equal(header.root_rank, worker);
    if (!sends) continue;
    channels[{worker, leaf_of(shape, header.tree, worker)}].emplace_back(
        header, bytes_of_values(values[static_cast<std::size_t>(worker)]));
  }
  std::vector<std::vector<double>> heard(static_cast<std::size_t>(shape.workers));
  std::mt19937_64 random(seed);
  while (!channels.empty()) {
    auto at = channels.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random() % channels.size()));
    const auto [from, to] = at->first;
    const PieceMessage message = at->second.front();
    at->second.pop_front();
    if (at->second.empty()) channels.erase(at);
    if (to < shape.workers) {
      std::vector<double>& result = heard[static_cast<std::size_t>(to)];
      const auto payload = payload_of(message.bytes());
      EXPECT_TRUE(result.empty()) << "heard twice";
      result.resize(payload.size() / sizeof(double));
      if (!payload.empty()) std::memcpy(result.data(), payload.data(), payload.size());
      continue;
    }
    std::vector<AggregationNode::Outgoing> out;
    nodes.at(to).arrived(from, message.bytes(), out);
    for (const auto& one : out) channels[{to, one.to}].push_back(one.message);
  }
  for (const auto& [rank, node] : nodes) EXPECT_EQ(node.incomplete(), 0U);
  return heard;
}

/// The slow twin: the sum in the order of the tree, written as the tree is.
std::vector<double> sum_below(const AggregationShape& shape, int tree, int rank,
                              const std::vector<std::vector<double>>& values) {
  if (rank < shape.workers) return values[static_cast<std::size_t>(rank)];
  const TreePlace place = place_of(shape, tree, rank).value();
  std::vector<double> sum = sum_below(shape, tree, place.children.front(), values);
  for (std::size_t child = 1; child < place.children.size(); ++child) {
    const std::vector<double> more = sum_below(shape, tree, place.children[child], values);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
  }
  return sum;
}

/// Values whose sum depends on the order.
std::vector<std::vector<double>> touchy_values(int workers) {
  std::vector<std::vector<double>> values;
  for (int worker = 0; worker < workers; ++worker) {
    std::vector<double> own;
    for (int i = 0; i < 30; ++i)
      own.push_back(0.1 * (worker + 1) * (i % 2 == 0 ? 1e16 : 1) * (worker % 2 == 0 ? 1 : -1));
    values.push_back(own);
  }
  return values;
}

TEST(AggregationNode, SumsHaveTheSameBitsWhateverComesFirst) {
  for (const AggregationShape& shape : shapes()) {
    const auto values = touchy_values(shape.workers);
    for (int tree = 0; tree < shape.trees; ++tree) {
      int top = -1;
      for (int rank = shape.workers; rank < shape.workers + shape.aggregators; ++rank) {
        const auto place = place_of(shape, tree, rank);
        if (place && !place->parent) top = rank;
      }
      const std::vector<double> expected = sum_below(shape, tree, top, values);
      const PieceHeader header{.kind = TreeOperation::allreduce, .tree = static_cast<std::uint8_t>(tree)};
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        for (const auto& heard : run_tree(shape, header, values, seed)) EXPECT_EQ(heard, expected);
      }
    }
  }
}

TEST(AggregationNode, ReducesToOneAndBroadcastsFromOne) {
  const AggregationShape shape{.workers = 5, .aggregators = 3, .radix = 2, .trees = 1};
  const auto values = touchy_values(5);
  for (std::uint32_t root = 0; root < 5; ++root) {
    const auto reduced = run_tree(shape, {.root_rank = root, .kind = TreeOperation::reduce}, values, root);
    const auto told = run_tree(shape, {.root_rank = root, .kind = TreeOperation::bcast}, values, root);
    for (std::uint32_t worker = 0; worker < 5; ++worker) {
      EXPECT_EQ(reduced[worker].empty(), worker != root);
      EXPECT_EQ(told[worker], values[root]);
    }
  }
}

TEST(AggregationNode, RefusesMessagesOfStrangersAndPiecesThatCameBefore) {
  const AggregationShape shape{.workers = 2, .aggregators = 1};
  AggregationNode node(*place_of(shape, 0, 2));
  std::vector<AggregationNode::Outgoing> out;
  const PieceMessage message({.kind = TreeOperation::barrier}, {});
  EXPECT_THROW(node.arrived(7, message.bytes(), out), InternalError);
  node.arrived(0, message.bytes(), out);
  EXPECT_THROW(node.arrived(0, message.bytes(), out), InternalError);
  EXPECT_TRUE(out.empty());
  node.arrived(1, message.bytes(), out);
  EXPECT_EQ(out.size(), 2U);
}

template <class T>
T combined(TreeType type, TreeOperator combine, T left, const T& right) {
  combine_elements(type, combine, std::as_writable_bytes(std::span(&left, 1)),
                   std::as_bytes(std::span(&right, 1)));
  return left;
}

TEST(Combine, EveryOperatorOfTheProtocol) {
  using O = TreeOperator;
  const auto integers = [](O combine) { return combined<std::int64_t>(TreeType::int64, combine, 12, 10); };
  EXPECT_EQ(integers(O::sum), 22);
  EXPECT_EQ(integers(O::min), 10);
  EXPECT_EQ(integers(O::max), 12);
  EXPECT_EQ(integers(O::bit_or), 14);
  EXPECT_EQ(integers(O::bit_and), 8);
  EXPECT_EQ(integers(O::bit_xor), 6);
  EXPECT_EQ(combined(TreeType::float64, O::sum, 0.5, 0.25), 0.75);
  EXPECT_EQ(combined(TreeType::float64, O::min, 0.5, -0.25), -0.25);
  const Located one{.value = 2, .place = 5};
  const Located other{.value = 2, .place = 3};
  const Located third{.value = 7, .place = 9};
  EXPECT_EQ(combined(TreeType::located, O::min_location, one, other), other);
  EXPECT_EQ(combined(TreeType::located, O::max_location, one, other), other);
  EXPECT_EQ(combined(TreeType::located, O::max_location, one, third), third);
  EXPECT_EQ(combined(TreeType::located, O::min_location, third, one), one);
  EXPECT_THROW(combined(TreeType::float64, O::bit_or, 1.0, 2.0), InternalError);
  EXPECT_THROW(combined(TreeType::located, O::sum, one, other), InternalError);
}

TEST(Pieces, MessagesHaveAtMost256Bytes) {
  EXPECT_EQ(pieces_for(0), 1);
  EXPECT_EQ(pieces_for(240), 1);
  EXPECT_EQ(pieces_for(241), 2);
  EXPECT_EQ(pieces_for(8192), 35);
  const std::vector<std::byte> most(most_payload_bytes);
  EXPECT_EQ(PieceMessage({}, most).bytes().size(), 256U);
  const std::vector<std::byte> too_much(most_payload_bytes + 1);
  EXPECT_THROW(PieceMessage({}, too_much), InternalError);
}

}  // namespace
}  // namespace isobath
