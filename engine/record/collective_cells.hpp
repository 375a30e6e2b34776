// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace isobath {

/// A control variable of the MPI library and the value it is to have.
struct AlgorithmChoice {
  std::string variable;
  std::string value;
};

/// One cell of a benchmark of collectives as it is written down; the words are those of CollectiveRecord.
struct CollectiveCell {
  std::string collective;
  std::string form = "blocking";
  std::int64_t size_bytes = 0;
  std::string shape = {};  // empty: all ranks in one dimension
  std::string along = "world";
  bool together = false;
  std::string counts = "uniform";
  std::string datatype = {};   // empty: byte, of reductions double
  std::string operation = {};  // empty: sum where there is one
  int root_rank = 0;
  std::string buffers = "warm";
  std::string cadence = "isolated";
  std::string alignment = "barrier:dissemination";
  std::string arrival = "zero";
  std::optional<AlgorithmChoice> algorithm = {};  // of the library
  std::string own_algorithm = {};                 // in the library's place; at most one of both
};

/// Bytes from row to column.
using ByteMatrix = std::vector<std::vector<std::int64_t>>;

struct CollectiveCells {
  std::vector<CollectiveCell> cells;
  std::map<std::string, ByteMatrix> matrices;  // by the name of their recorded counts
};

/// Reads a JSON list of cells, or an object of such a list ("cells") and of matrices by name ("matrices").
/// @param source  for complaints
/// @throws UsageError naming cell, field and what is wrong with it
CollectiveCells read_collective_cells(const std::string& text, const std::string& source);

/// Reads a square matrix of bytes: JSON lists, or lines of numbers between commas or blanks.
/// @throws UsageError
ByteMatrix read_byte_matrix(const std::string& text, const std::string& source);

}  // namespace isobath
