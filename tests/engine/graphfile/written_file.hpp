// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphfile/file_edges.hpp"
#include "graphfile/read_graph.hpp"

namespace isobath::test {

/// A file in memory that has a path as long as the object lives.
class WrittenFile {
 public:
  explicit WrittenFile(std::string_view content);
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;
  ~WrittenFile();
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

/// A graph file as its reader should see it.
struct GraphCase {
  std::string name;
  GraphFormat format;
  std::string content;
};

/// Tiny right files, one at least of every kind that each reader takes: seeds of the fuzzers.
std::vector<GraphCase> right_files();

/// The bytes of a value in memory, which is little-endian.
template <class T>
std::string bytes_of(const T& value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// A .sg, or a .wsg where there are weights (as bits), of rows of targets.
std::string gapbs_content(bool directed, const std::vector<std::vector<std::int32_t>>& rows,
                          const std::vector<std::uint32_t>& weights = {});

std::string gzipped(std::string_view content);
std::string zstd_compressed(std::string_view content);

/// What a reader makes of a file.
struct ReadEdges {
  std::vector<Edge> edges;
  std::vector<float> weights;
  std::int64_t num_vertices = 0;
  std::vector<std::int64_t> ids;  // of the vertices, where they were numbered anew
};

/// All that happens to a file from its bytes to the stream that construction reads, with the numbering chosen
/// as isobath-search chooses it. @throws what that throws
ReadEdges read_content(GraphFormat format, std::string_view content, bool wants_weights, int parts = 1);

/// The sentence that refuses the file, with FILE in the place of its path; empty where it is read.
std::string refusal(GraphFormat format, std::string_view content, bool wants_weights = true);

}  // namespace isobath::test
