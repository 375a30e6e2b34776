// SPDX-License-Identifier: Apache-2.0
#include "krylov/mesh.hpp"

#include <string>

#include "base/error.hpp"
#include "base/expects.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

MeshShare::MeshShare(std::int64_t elements, int rank, int ranks)
    : elements_(elements), rank_(rank), ranks_(ranks) {
  ISOBATH_EXPECTS(elements >= 2 && rank >= 0 && rank < ranks);
  const BlockPartition rows(elements + 1, ranks);
  first_row_ = rows.first(rank);
  rows_ = rows.size(rank);
  if (elements + 1 < ranks) {
    throw UsageError("a mesh of " + std::to_string(elements) + " elements a side has fewer rows than " +
                     std::to_string(ranks) + " ranks; use more elements or fewer ranks");
  }
}

}  // namespace isobath
