// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "graphfile/listed_edges.hpp"

namespace isobath {

/// What is wrong with a text, and at which of its bytes.
struct TextProblem {
  const char* at = nullptr;
  std::string sentence;  // what is wrong and what to do, without file and line
};

/// Takes the beginning of a text, which ends with a line end; returns the bytes that were a header.
using ReadHeader = std::function<std::size_t(std::string_view first_block, std::optional<TextProblem>&)>;

/// Edges of whole lines, each ended by \n; called by several threads at once.
using ParseLines = std::function<EdgePiece(std::string_view lines, std::optional<TextProblem>&)>;

/// Reads a text file, compressed or not, in blocks: while one thread reads and decompresses the next block,
/// the others parse pieces of the one before. Of all pieces, every `parts`-th from the `part`-th is parsed
/// and kept. Memory: two blocks beside the edges.
/// @throws EnvironmentError naming the file and the first line that is wrong
void read_lines(ListedEdges& listed, int part, int parts, const ReadHeader& header, const ParseLines& parse);

/// The number of the line that holds byte `offset` of the (decompressed) text, from 1; reads the file again.
std::int64_t line_of(const std::string& path, std::int64_t offset);

}  // namespace isobath
