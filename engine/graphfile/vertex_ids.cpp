// SPDX-License-Identifier: Apache-2.0
#include "graphfile/vertex_ids.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace isobath {
namespace {

using Ids = std::vector<std::int64_t>;

Ids ids_of(const EdgePiece& piece) {
  Ids ids;
  ids.reserve(2 * piece.size());
  for (std::size_t i = 0; i < piece.size(); ++i) {
    ids.push_back(raw(piece[i].u));
    ids.push_back(raw(piece[i].v));
  }
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

/// Neighbours pair up until one list is left.
Ids merged(std::vector<Ids> lists) {
  while (lists.size() > 1) {
    std::vector<Ids> pairs((lists.size() + 1) / 2);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (2 * i + 1 == lists.size()) {
        pairs[i] = std::move(lists[2 * i]);
        continue;
      }
      const Ids left = std::move(lists[2 * i]);
      const Ids right = std::move(lists[2 * i + 1]);
      pairs[i].reserve(left.size() + right.size());
      std::ranges::set_union(left, right, std::back_inserter(pairs[i]));
    }
    lists = std::move(pairs);
  }
  return lists.empty() ? Ids() : std::move(lists.front());
}

}  // namespace

std::vector<std::int64_t> distinct_ids(const ListedEdges& listed) {
  std::vector<Ids> lists(listed.pieces.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < lists.size(); ++i) lists[i] = ids_of(listed.pieces[i]);
  return merged(std::move(lists));
}

std::vector<std::int64_t> merged_ids(std::vector<std::int64_t> ids, std::span<const std::int64_t> counts) {
  std::vector<Ids> lists;
  auto first = ids.begin();
  for (const std::int64_t count : counts) {
    lists.emplace_back(first, first + count);
    first += count;
  }
  return merged(std::move(lists));
}

bool ids_are_sparse(const FileTotals& totals, std::int64_t num_vertices) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  constexpr std::int64_t small = 65536;
  return num_vertices > most || num_vertices - small > 4 * totals.edges;
}

VertexIds::VertexIds(std::vector<std::int64_t> ids) : ids_(std::move(ids)) {
  if (ids_.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw RefusedError("more than 2^32 vertices have an edge; isobath search takes fewer");
  }
  table_.resize(std::bit_ceil(2 * ids_.size() + 1));
  mask_ = table_.size() - 1;
  for (std::size_t i = 0; i < ids_.size(); ++i) table_[place_of(ids_[i])] = static_cast<std::uint32_t>(i + 1);
}

std::int64_t VertexIds::number_of(std::int64_t id) const { return std::int64_t{table_[place_of(id)]} - 1; }

/// Where the id stands, or would.
std::size_t VertexIds::place_of(std::int64_t id) const {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  const std::uint64_t product = static_cast<std::uint64_t>(id) * golden;
  std::uint64_t place = (product ^ product >> 32) & mask_;
  while (table_[place] != 0 && ids_[table_[place] - 1] != id) place = (place + 1) & mask_;
  return place;
}

}  // namespace isobath
