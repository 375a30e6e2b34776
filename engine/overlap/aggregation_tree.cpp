// SPDX-License-Identifier: Apache-2.0
#include "overlap/aggregation_tree.hpp"

#include <algorithm>

#include "base/expects.hpp"
#include "base/threads.hpp"

namespace isobath {
namespace {

/// Positions are those of a heap: 0 at the top, the children of i from radix * i + 1.
class Heap {
 public:
  explicit Heap(const AggregationShape& shape)
      : shape_(shape), size_(std::min(shape.aggregators, shape.workers)) {
    ISOBATH_EXPECTS(shape.workers > 0 && shape.aggregators > 0 && shape.radix > 1 && shape.trees > 0);
    for (int i = 0; i < size_; ++i) {
      if (first_child(i) >= size_) leaves_.push_back(i);
    }
  }

  int size() const { return size_; }
  int first_child(int position) const { return shape_.radix * position + 1; }
  int end_of_children(int position) const { return std::min(size_, first_child(position) + shape_.radix); }
  int parent(int position) const { return (position - 1) / shape_.radix; }
  const std::vector<int>& leaves() const { return leaves_; }
  /// Workers below the leaf with this index, [first, end).
  std::pair<int, int> group(int leaf) const {
    const auto [first, end] = static_share(shape_.workers, leaf, static_cast<int>(leaves_.size()));
    return {static_cast<int>(first), static_cast<int>(end)};
  }
  int rank_of(int tree, int position) const {
    return shape_.workers + (position + tree) % shape_.aggregators;
  }
  std::optional<int> position_of(int tree, int rank) const {
    const int aggregator = rank - shape_.workers;
    const int position = ((aggregator - tree) % shape_.aggregators + shape_.aggregators) % shape_.aggregators;
    return position < size_ ? std::optional(position) : std::nullopt;
  }

 private:
  AggregationShape shape_;
  int size_;
  std::vector<int> leaves_;
};

/// Workers anywhere below a position.
std::vector<int> workers_below(const Heap& heap, int position) {
  std::vector<int> workers;
  const auto leaf = std::find(heap.leaves().begin(), heap.leaves().end(), position);
  if (leaf != heap.leaves().end()) {
    const auto [first, end] = heap.group(static_cast<int>(leaf - heap.leaves().begin()));
    for (int worker = first; worker < end; ++worker) workers.push_back(worker);
  }
  for (int child = heap.first_child(position); child < heap.end_of_children(position); ++child) {
    const std::vector<int> below = workers_below(heap, child);
    workers.insert(workers.end(), below.begin(), below.end());
  }
  return workers;
}

}  // namespace

std::optional<TreePlace> place_of(const AggregationShape& shape, int tree, int rank) {
  const Heap heap(shape);
  const std::optional<int> position = heap.position_of(tree, rank);
  if (!position) return std::nullopt;
  TreePlace place;
  place.child_towards.assign(static_cast<std::size_t>(shape.workers), -1);
  if (*position > 0) place.parent = heap.rank_of(tree, heap.parent(*position));
  const auto add = [&](int child, const std::vector<int>& workers) {
    for (const int worker : workers) {
      place.child_towards[static_cast<std::size_t>(worker)] = static_cast<int>(place.children.size());
    }
    place.children.push_back(child);
  };
  for (int child = heap.first_child(*position); child < heap.end_of_children(*position); ++child) {
    add(heap.rank_of(tree, child), workers_below(heap, child));
  }
  if (place.children.empty()) {
    for (const int worker : workers_below(heap, *position)) add(worker, {worker});
  }
  return place;
}

int leaf_of(const AggregationShape& shape, int tree, int worker) {
  const Heap heap(shape);
  for (std::size_t leaf = 0; leaf < heap.leaves().size(); ++leaf) {
    const auto [first, end] = heap.group(static_cast<int>(leaf));
    if (first <= worker && worker < end) return heap.rank_of(tree, heap.leaves()[leaf]);
  }
  ISOBATH_EXPECTS(worker < shape.workers);
  return -1;
}

int depth_of(const AggregationShape& shape) {
  const Heap heap(shape);
  int depth = 1;
  for (int position = heap.size() - 1; position > 0; position = heap.parent(position)) ++depth;
  return depth;
}

}  // namespace isobath
