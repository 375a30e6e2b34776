// SPDX-License-Identifier: Apache-2.0
// How fast is a file of a graph read?
//
//   graph_readers_bench [THREADS] FILE ...
//
// Reads each file seven times, weights included where it has them, and then as often makes the stream that
// construction reads. Prints the least seconds of both, and bytes of the file and edges per second of
// reading.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/threads.hpp"
#include "graphfile/file_edges.hpp"
#include "graphfile/read_graph.hpp"

namespace isobath {
namespace {

void measure(const std::string& path) {
  constexpr int repetitions = 7;
  const GraphFormat format = format_of_file(path);
  double read_seconds = std::numeric_limits<double>::max();
  double stream_seconds = read_seconds;
  std::int64_t edges = 0;
  for (int i = 0; i < repetitions; ++i) {
    const double start = now_seconds();
    ListedEdges listed =
        read_graph_file({.path = path, .format = format, .weights_path = {}, .wants_weights = true});
    const double read = now_seconds();
    const std::int64_t num_vertices = listed.totals.highest_id + 1;
    edges = make_file_edges(std::move(listed), num_vertices, nullptr)->size();
    read_seconds = std::min(read_seconds, read - start);
    stream_seconds = std::min(stream_seconds, now_seconds() - read);
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  fmt::print("{:<40}{:>10.3f} s{:>10.3f} s{:>10.0f} MB/s{:>10.1f} M edges/s\n", path, read_seconds,
             stream_seconds, bytes / read_seconds * 1e-6, static_cast<double>(edges) / read_seconds * 1e-6);
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      int threads = 0;
      const char* const end = argv[i] + std::strlen(argv[i]);
      if (std::from_chars(argv[i], end, threads).ptr == end) {
        isobath::set_num_threads(threads);
      } else {
        isobath::measure(argv[i]);
      }
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "graph_readers_bench: {}\n", error.what());
    return 1;
  }
}
