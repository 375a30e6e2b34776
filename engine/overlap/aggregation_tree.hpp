// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace isobath {

/// Workers are ranks 0 .. workers - 1 of a communicator, aggregators the ranks after them. Piece k travels in
/// tree k mod trees.
struct AggregationShape {
  int workers = 1;
  int aggregators = 1;
  int radix = 2;  // child aggregators of an aggregator, at the most
  int trees = 1;
};

/// Where an aggregator stands in one tree.
struct TreePlace {
  std::optional<int> parent;  // rank; absent at the top
  std::vector<int> children;  // ranks, in the order in which they are combined: aggregators, then workers
  std::vector<int> child_towards;  // by worker: index in `children`, or -1
};

/// The place of the aggregator with this rank in one tree; nothing where the tree does not use it: there are
/// never more aggregators in a tree than workers, so that every one has something to combine. Trees have the
/// same form, but every one begins with another aggregator. Workers hang in consecutive groups below those
/// without child aggregators, lower ranks first, so that the order of combination is that of the ranks as far
/// as the form allows.
std::optional<TreePlace> place_of(const AggregationShape& shape, int tree, int rank);

/// The aggregator that a worker sends the pieces of a tree to, and hears of.
int leaf_of(const AggregationShape& shape, int tree, int worker);

/// Aggregators between a worker and the top of the tree, both ends included.
int depth_of(const AggregationShape& shape);

}  // namespace isobath
