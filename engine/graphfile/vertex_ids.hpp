// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphfile/listed_edges.hpp"

namespace isobath {

/// The ids that edges name, each once, ascending.
std::vector<std::int64_t> distinct_ids(const ListedEdges& listed);
/// The same of lists that each ascend, one behind the other in `ids`; `counts` are their lengths.
std::vector<std::int64_t> merged_ids(std::vector<std::int64_t> ids, std::span<const std::int64_t> counts);

/// Whether the numbers of the file are so sparse that arrays over all of them would be mostly empty: more
/// than four times the edges (and 65536), or more than 2^32.
bool ids_are_sparse(const FileTotals& totals, std::int64_t num_vertices);

/// Vertices of a file with large, sparse ids, numbered 0, 1, ... in the order of their ids.
class VertexIds {
 public:
  /// @param ids  each once, ascending
  explicit VertexIds(std::vector<std::int64_t> ids);

  std::int64_t size() const { return std::ssize(ids_); }
  std::span<const std::int64_t> ids() const { return ids_; }
  /// Number of an id, -1 where no edge names it.
  std::int64_t number_of(std::int64_t id) const;

 private:
  std::size_t place_of(std::int64_t id) const;

  std::vector<std::int64_t> ids_;
  std::vector<std::uint32_t> table_;  // open addressing: number + 1, 0 where empty
  std::uint64_t mask_ = 0;
};

}  // namespace isobath
