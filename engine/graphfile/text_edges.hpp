// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "graphfile/listed_edges.hpp"
#include "graphfile/text_lines.hpp"

namespace isobath {

/// What the lines of a text of edges look like.
struct LineRules {
  enum class Weights {
    absent,   // two numbers a line
    skipped,  // what follows the two is there, and nobody wants it
    read,
  };
  std::int64_t first_id = 0;                                            // number of vertex 0
  std::int64_t last_id = std::numeric_limits<std::int64_t>::max() - 1;  // the highest allowed
  Weights weights = Weights::absent;
  bool absolute_weights = false;  // of a skew-symmetric matrix
};

/// Edges of whole lines: numbers between blanks, one edge a line; empty lines and those that begin with # or
/// % are passed over. Vertices come out from 0.
EdgePiece parse_edge_lines(std::string_view lines, const LineRules& rules,
                           std::optional<TextProblem>& problem);

/// .el and .wel.
void read_edge_list(ListedEdges& listed, int part, int parts, LineRules::Weights weights);

/// .mtx: the coordinate format of Matrix Market (https://math.nist.gov/MatrixMarket/formats.html).
/// @param wants_weights  values are weights; else they are passed over
void read_matrix_market(ListedEdges& listed, int part, int parts, bool wants_weights);

}  // namespace isobath
