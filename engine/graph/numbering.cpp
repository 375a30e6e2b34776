// SPDX-License-Identifier: Apache-2.0
#include "graph/numbering.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "base/bitmap.hpp"
#include "base/narrow.hpp"

namespace isobath {
namespace {

constexpr std::size_t kinds = num_classes + 1;  // the classes, and the leaves
constexpr std::size_t leaf_kind = num_classes;
constexpr std::size_t no_kind = kinds;

/// Without relabelling all vertices are in the last class, which keeps the original order.
std::size_t kind_of(const Endpoint& endpoint, const NumberingOptions& options) {
  if (options.leaves_out && endpoint.is_leaf()) return leaf_kind;
  if (!options.relabel) return num_classes - 1;
  if (endpoint.is_isolated()) return no_kind;
  std::size_t degree_class = 0;
  while (endpoint.count() < class_lower_bound[degree_class]) ++degree_class;
  return degree_class;
}

using Counts = std::array<std::uint64_t, kinds>;

/// Members of each kind in each emit block, then turned into members before it.
std::vector<Counts> count_kinds(const Endpoints& endpoints, const NumberingOptions& options,
                                std::int64_t blocks) {
  const auto n = static_cast<std::int64_t>(endpoints.of.size());
  std::vector<Counts> before(static_cast<std::size_t>(blocks + 1));
#pragma omp parallel for schedule(static)
  for (std::int64_t block = 0; block < blocks; ++block) {
    Counts counts{};
    const std::int64_t end = std::min(n, (block + 1) * emit_block);
    for (std::int64_t v = block * emit_block; v < end; ++v) {
      const std::size_t kind = kind_of(endpoints.of[static_cast<std::size_t>(v)], options);
      if (kind != no_kind) ++counts[kind];
    }
    before[static_cast<std::size_t>(block)] = counts;
  }
  Counts sum{};
  for (Counts& counts : before) {
    for (std::size_t k = 0; k < kinds; ++k) sum[k] += std::exchange(counts[k], sum[k]);
  }
  return before;
}

}  // namespace

std::uint32_t Numbering::leaf_index(std::int64_t v) const {
  const auto block = static_cast<std::size_t>(v / emit_block);
  std::uint32_t index = first[block * num_streams + leaf_stream];
  const std::int64_t group = v / mask_vertices;
  for (std::int64_t g = static_cast<std::int64_t>(block) * (emit_block / mask_vertices); g < group; ++g) {
    index += static_cast<std::uint32_t>(
        std::popcount(mask[static_cast<std::size_t>(g) * num_streams + leaf_stream]));
  }
  const auto below = static_cast<std::uint16_t>((1U << (v % mask_vertices)) - 1);
  const std::uint16_t last = mask[static_cast<std::size_t>(group) * num_streams + leaf_stream];
  return index + static_cast<std::uint32_t>(std::popcount(static_cast<std::uint16_t>(last & below)));
}

Numbering number_vertices(const Endpoints& endpoints, const NumberingOptions& options) {
  Numbering result;
  const auto n = static_cast<std::int64_t>(endpoints.of.size());
  if (n > Numbering::max_working) narrow<std::int32_t>(n, "vertices per rank");
  result.num_originals = n;
  const std::int64_t blocks = result.num_emit_blocks();
  const std::vector<Counts> before = count_kinds(endpoints, options, blocks);
  const Counts& total = before.back();
  for (std::size_t c = 0; c < num_classes; ++c) {
    result.class_start[c + 1] = result.class_start[c] + static_cast<std::uint32_t>(total[c]);
  }
  const std::size_t groups = static_cast<std::size_t>(blocks) * (emit_block / mask_vertices);
  result.code = LargeArray<std::uint32_t>(static_cast<std::size_t>(n));
  result.original = LargeArray<std::uint32_t>(result.searched());
  result.degree = LargeArray<std::uint32_t>(padded_bits(result.searched()));
  result.leaf_original = LargeArray<std::uint32_t>(total[leaf_kind]);
  result.mask = LargeArray<std::uint16_t>(groups * num_streams);
  result.first = LargeArray<std::uint32_t>(static_cast<std::size_t>(blocks) * num_streams);
  std::uint64_t most = 0;
  std::int64_t isolated_kept = 0;
#pragma omp parallel for schedule(static) reduction(max : most) reduction(+ : isolated_kept)
  for (std::int64_t block = 0; block < blocks; ++block) {
    Counts next = before[static_cast<std::size_t>(block)];
    for (std::size_t s = 0; s < num_streams; ++s) {
      result.first[static_cast<std::size_t>(block) * num_streams + s] =
          static_cast<std::uint32_t>(next[s + 1]);
    }
    const std::int64_t end = std::min(n, (block + 1) * emit_block);
    for (std::int64_t v = block * emit_block; v < end; ++v) {
      const Endpoint& endpoint = endpoints.of[static_cast<std::size_t>(v)];
      const std::size_t kind = kind_of(endpoint, options);
      std::uint32_t code = Numbering::isolated;
      if (kind == leaf_kind) {
        code = Numbering::leaf;
        result.leaf_original[next[kind]++] = static_cast<std::uint32_t>(v);
      } else if (kind != no_kind) {
        code = result.class_start[kind] + static_cast<std::uint32_t>(next[kind]++);
        result.original[code] = static_cast<std::uint32_t>(v);
        result.degree[code] = static_cast<std::uint32_t>(endpoint.count());
        most = std::max<std::uint64_t>(most, endpoint.count());
        isolated_kept += endpoint.is_isolated() ? 1 : 0;
      }
      result.code[static_cast<std::size_t>(v)] = code;
      if (kind != no_kind && kind != 0) {
        const std::size_t at = static_cast<std::size_t>(v / mask_vertices) * num_streams + (kind - 1);
        result.mask[at] = static_cast<std::uint16_t>(result.mask[at] | 1U << (v % mask_vertices));
      }
    }
  }
  narrow<std::uint32_t>(most, "a degree");  // not inside the loop: nothing may be thrown across threads
  result.isolated_kept = isolated_kept;
  // Heavy vertices were numbered in original order.
  put_in_front(result, by_falling_degree(result.degrees().first(result.num_heavy()), class_lower_bound[0]));
  return result;
}

std::vector<std::uint32_t> by_falling_degree(std::span<const std::uint32_t> degree, std::int64_t least) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t t = 0; t < degree.size(); ++t) {
    if (degree[t] >= least) numbers.push_back(t);
  }
  std::ranges::stable_sort(numbers, std::greater(), [&](std::uint32_t t) { return degree[t]; });
  return numbers;
}

void put_in_front(Numbering& numbering, std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> original;
  std::vector<std::uint32_t> degree;
  for (const std::uint32_t t : numbers) {
    original.push_back(numbering.original[t]);
    degree.push_back(numbering.degree[t]);
  }
  std::ranges::copy(original, numbering.original.begin());
  std::ranges::copy(degree, numbering.degree.begin());
  for (std::uint32_t t = 0; t < numbers.size(); ++t) numbering.code[original[t]] = t;
}

}  // namespace isobath
