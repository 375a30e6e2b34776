// SPDX-License-Identifier: Apache-2.0
#include "graph/named_hubs.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/narrow.hpp"
#include "comm/communicator.hpp"

namespace isobath {
namespace {

/// The least number of end points that no more than `most` vertices have, at least 1. An interval is cut into
/// parts, the vertices above each part's begin are counted over all ranks at once, and one part is left.
std::int64_t least_endpoints(const Numbering& numbering, const Communicator& world, std::int64_t most) {
  constexpr std::int64_t parts = 256;
  const std::span<const std::uint32_t> degrees = numbering.degrees();
  std::int64_t highest = 0;
  for (const std::uint32_t degree : degrees) highest = std::max(highest, std::int64_t{degree});
  std::int64_t low = 1;
  std::int64_t high = world.max(highest) + 1;  // nobody has so many
  while (low < high) {
    const std::int64_t width = (high - low + parts - 1) / parts;
    std::vector<std::int64_t> with(parts, 0);  // at least low + part * width
    for (const std::uint32_t degree : degrees) {
      if (degree >= low) ++with[static_cast<std::size_t>(std::min((degree - low) / width, parts - 1))];
    }
    for (std::size_t part = parts - 1; part > 0; --part) with[part - 1] += with[part];
    world.sum(std::span<std::int64_t>(with));
    const auto few = [&](std::int64_t count) { return count <= most; };
    const std::int64_t first = std::ranges::find_if(with, few) - with.begin();
    if (first == 0) return low;
    high = std::min(high, low + first * width);  // if no part's begin is, then the end of the last
    low += (first - 1) * width + 1;
  }
  return low;
}

/// How many hubs every rank has, and where each rank's and each grid column's begin.
void count_hubs(std::span<const std::int64_t> of_rank, GridShape shape, HubNumbers& hubs) {
  hubs.offset = {0};
  hubs.first_of_col = {0};
  std::uint64_t end = 0;
  for (int col = 0; col < shape.cols; ++col) {
    const std::uint64_t first = end;
    for (int row = 0; row < shape.rows; ++row) {
      end += static_cast<std::uint64_t>(of_rank[static_cast<std::size_t>(shape.rank_at(row, col))]);
      if (row + 1 < shape.rows) hubs.offset.push_back(narrow<std::uint32_t>(end, "hubs"));
    }
    hubs.count += static_cast<std::int64_t>(end - first);
    hubs.count_of_col.push_back(narrow<std::uint32_t>(end - first, "hubs"));
    end = words_for(end) * word_bits;
    hubs.offset.push_back(narrow<std::uint32_t>(end, "hubs"));
    hubs.first_of_col.push_back(hubs.offset.back());
  }
}

/// Every rank's piece of an array by hub number, of which only the own piece is there.
template <class T>
void tell_all(const Communicator& world, const HubNumbers& hubs, std::span<T> by_hub) {
  std::vector<std::int64_t> counts;
  for (std::size_t rank = 0; rank + 1 < hubs.offset.size(); ++rank) {
    counts.push_back(hubs.offset[rank + 1] - hubs.offset[rank]);
  }
  const auto me = static_cast<std::size_t>(world.rank());
  const std::span<const T> own = by_hub.subspan(hubs.offset[me], static_cast<std::size_t>(counts[me]));
  world.allgatherv<T>(own, counts, by_hub);
}

}  // namespace

std::int64_t most_hubs(std::int64_t searched_vertices, GridShape shape, bool few) {
  if (shape.cols == 1) return 0;
  const std::int64_t rows = shape.rows;
  const std::int64_t cols = shape.cols;
  const std::int64_t most =
      std::min(searched_vertices * (rows + cols) / (10 * rows * cols), searched_vertices * 4 / (rows * cols));
  return few ? std::min(most, searched_vertices / vertices_of_few_hubs) : most;
}

NamedHubs name_hubs(const Numbering& numbering, const BlockPartition& blocks, const Communicator& world,
                    GridShape shape, bool few, bool in_front) {
  NamedHubs named;
  const std::int64_t most = most_hubs(world.sum(std::int64_t{numbering.searched()}), shape, few);
  if (most == 0) return named;
  named.least_endpoints = least_endpoints(numbering, world, most);
  std::vector<std::uint32_t> own = by_falling_degree(numbering.degrees(), named.least_endpoints);
  if (!in_front) std::ranges::sort(own);  // hub numbers are by working number
  HubNumbers& hubs = named.numbers;
  count_hubs(world.allgather(std::ssize(own)), shape, hubs);
  if (hubs.empty()) return named;
  const std::size_t numbers = hubs.offset.back();
  hubs.original = LargeArray<std::int64_t>(numbers);
  LargeArray<std::uint32_t> degree(numbers);
  std::fill(hubs.original.begin(), hubs.original.end(), raw(no_vertex));
  std::size_t at = hubs.offset[static_cast<std::size_t>(world.rank())];
  for (const std::uint32_t t : own) {
    hubs.original[at] = raw(blocks.to_global(world.rank(), numbering.original[t]));
    degree[at++] = numbering.degree[t];
  }
  tell_all<std::int64_t>(world, hubs, hubs.original.span());
  tell_all<std::uint32_t>(world, hubs, degree.span());
  named.by_degree.reserve(static_cast<std::size_t>(hubs.count));
  for (std::uint32_t hub = 0; hub < numbers; ++hub) {
    if (degree[hub] > 0) named.by_degree.push_back(hub);
  }
  std::ranges::sort(named.by_degree, [&](std::uint32_t a, std::uint32_t b) {
    return degree[a] != degree[b] ? degree[a] > degree[b] : hubs.original[a] < hubs.original[b];
  });
  return named;
}

}  // namespace isobath
