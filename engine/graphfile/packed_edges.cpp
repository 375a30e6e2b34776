// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/first_exception.hpp"
#include "graphfile/binary_edges.hpp"
#include "graphfile/byte_source.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {
namespace {

static_assert(std::endian::native == std::endian::little, "the files' byte order is that of memory");

constexpr std::int64_t piece_edges = 1 << 16;

Edge unpacked(const Edge& edge) { return edge; }

std::int64_t edges_in(const InputFile& file, std::int64_t bytes_per_edge) {
  if (file.size() % bytes_per_edge == 0) return file.size() / bytes_per_edge;
  throw EnvironmentError(fmt::format(
      "{} has {} bytes, which is no multiple of the {} of an edge; check --format, or copy it again",
      file.path(), file.size(), bytes_per_edge));
}

std::unique_ptr<InputFile> open_weights(const std::string& path, const InputFile& edges, std::int64_t count) {
  if (path.empty()) return nullptr;
  auto file = std::make_unique<InputFile>(path);
  const std::int64_t bytes_needed = count * std::int64_t{sizeof(float)};
  if (file->size() == bytes_needed) return file;
  throw EnvironmentError(
      fmt::format("{} has {} bytes, but the weights of the {} edges in {} take {}; name the "
                  "file of the same edges",
                  path, file->size(), count, edges.path(), bytes_needed));
}

void require_vertices(const InputFile& file, std::span<const Edge> edges, std::int64_t first_byte,
                      std::int64_t bytes_per_edge) {
  // The highest number has no successor, which the number of vertices would be.
  const auto is_wrong = [](GlobalVertex v) {
    return raw(v) < 0 || raw(v) == std::numeric_limits<std::int64_t>::max();
  };
  const auto wrong =
      std::ranges::find_if(edges, [&](const Edge& edge) { return is_wrong(edge.u) || is_wrong(edge.v); });
  if (wrong == edges.end()) return;
  throw EnvironmentError(
      fmt::format("{}, byte {}: {}-{} is no edge, a vertex is out of range; check --format", file.path(),
                  first_byte + (wrong - edges.begin()) * bytes_per_edge, raw(wrong->u), raw(wrong->v)));
}

void require_lengths(const InputFile& file, std::span<const float> weights, std::int64_t first_byte) {
  const auto wrong =
      std::ranges::find_if(weights, [](float weight) { return !(weight >= 0) || !std::isfinite(weight); });
  if (wrong == weights.end()) return;
  throw EnvironmentError(
      fmt::format("{}, byte {}: the weight {} is no length; weights are finite float32 numbers of at least 0",
                  file.path(), first_byte + (wrong - weights.begin()) * std::int64_t{sizeof(float)}, *wrong));
}

/// All of one share of the file, in pieces read by all threads.
template <class Stored>
void read_edges(ListedEdges& listed, int part, int parts, const std::string& weights_path) {
  const InputFile file(listed.path);
  const std::int64_t total = edges_in(file, sizeof(Stored));
  const std::unique_ptr<InputFile> weight_file = open_weights(weights_path, file, total);
  const auto share = edge_share(total, part, parts);
  const std::int64_t first = share.first;
  const std::int64_t end = share.second;
  std::vector<EdgePiece> pieces(static_cast<std::size_t>((end - first + piece_edges - 1) / piece_edges));
  FirstException failure;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    failure.guard([&] {
      const std::int64_t at = first + static_cast<std::int64_t>(i) * piece_edges;
      const auto count = static_cast<std::size_t>(std::min(piece_edges, end - at));
      std::vector<Stored> stored(count);
      file.read(at * std::int64_t{sizeof(Stored)}, std::as_writable_bytes(std::span(stored)));
      std::vector<Edge> edges(count);
      std::ranges::transform(stored, edges.begin(), [](const Stored& edge) { return unpacked(edge); });
      require_vertices(file, edges, at * std::int64_t{sizeof(Stored)}, sizeof(Stored));
      std::vector<float> weights(weight_file ? count : 0);
      if (weight_file) {
        weight_file->read(at * std::int64_t{sizeof(float)}, std::as_writable_bytes(std::span(weights)));
        require_lengths(*weight_file, weights, at * std::int64_t{sizeof(float)});
      }
      pieces[i] = EdgePiece(edges, weights);
    });
  }
  failure.rethrow();
  listed.weighted = weight_file != nullptr;
  for (EdgePiece& piece : pieces) listed.append(std::move(piece));
}

}  // namespace

void read_packed_edges(ListedEdges& listed, int part, int parts, const std::string& weights_path) {
  read_edges<PackedEdge>(listed, part, parts, weights_path);
}

void read_raw_edges(ListedEdges& listed, int part, int parts, const std::string& weights_path) {
  read_edges<Edge>(listed, part, parts, weights_path);
}

}  // namespace isobath
