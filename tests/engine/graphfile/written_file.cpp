// SPDX-License-Identifier: Apache-2.0
#include "graphfile/written_file.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/error.hpp"

namespace isobath::test {

WrittenFile::WrittenFile(std::string_view content)
    : descriptor_(memfd_create("graph", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t written = write(descriptor_, content.data() + done, content.size() - done);
    if (written <= 0) throw std::runtime_error("cannot write a file in memory");
    done += static_cast<std::size_t>(written);
  }
}

WrittenFile::~WrittenFile() { close(descriptor_); }

std::string gapbs_content(bool directed, const std::vector<std::vector<std::int32_t>>& rows,
                          const std::vector<std::uint32_t>& weights) {
  std::int64_t arcs = 0;
  std::string offsets = bytes_of(arcs);
  std::string targets;
  for (const auto& row : rows) {
    for (const std::int32_t target : row) {
      targets += bytes_of(target);
      if (!weights.empty()) targets += bytes_of(weights[static_cast<std::size_t>(arcs)]);
      ++arcs;
    }
    offsets += bytes_of(arcs);
  }
  std::string content(1, directed ? '\1' : '\0');
  content += bytes_of(arcs) + bytes_of(std::int64_t{std::ssize(rows)}) + offsets + targets;
  if (directed) content += offsets + targets;  // stands for the incoming arcs, which nobody reads
  return content;
}

std::string gzipped(std::string_view content) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, content.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string zstd_compressed(std::string_view content) {
  std::string result(ZSTD_compressBound(content.size()), '\0');
  result.resize(ZSTD_compress(result.data(), result.size(), content.data(), content.size(), 3));
  return result;
}

std::vector<GraphCase> right_files() {
  using enum GraphFormat;
  const std::string list = "# from\tto\n0 1\n1\t2 \n% and more\n\n 2 0\r\n3 3";
  const std::string pattern =
      "%%MatrixMarket matrix coordinate pattern general\n% made by hand\n3 3 2\n1 2\n3 1\n";
  const PackedEdge wide = isobath::packed({GlobalVertex{5}, GlobalVertex{std::int64_t{1} << 40}});
  return {
      {"list", edge_list, list},
      {"list-gzip", edge_list, gzipped(list)},
      {"list-zstd", edge_list, zstd_compressed(list)},
      {"list-sparse", edge_list, "7 9000000000000000000\n7 123456789012\n"},
      {"weighted", weighted_list, "0 1 0.5\n1 2 3\n2 3 1e-3\n3 0 0\n"},
      {"pattern", matrix_market, pattern},
      {"pattern-gzip", matrix_market, gzipped(pattern)},
      {"real", matrix_market,
       "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 0.25\n2 1 1.5e0\n"},
      {"integer", matrix_market, "%%MatrixMarket MATRIX coordinate integer general\r\n2 2 1\r\n1 2 7\r\n"},
      {"skew", matrix_market, "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -4\n"},
      {"undirected", gapbs, gapbs_content(false, {{1, 2}, {0}, {0}})},
      {"directed", gapbs, gapbs_content(true, {{1, 2}, {}, {0}})},
      {"integers", gapbs_weights, gapbs_content(false, {{1, 2}, {0}, {0}}, {3, 4, 3, 4})},
      {"floats", gapbs_weights,
       gapbs_content(false, {{1}, {0}},
                     {std::bit_cast<std::uint32_t>(0.5F), std::bit_cast<std::uint32_t>(0.5F)})},
      {"packed", GraphFormat::packed,
       bytes_of(isobath::packed({GlobalVertex{0}, GlobalVertex{1}})) + bytes_of(wide)},
      {"raw", raw,
       bytes_of(Edge{GlobalVertex{0}, GlobalVertex{1}}) + bytes_of(Edge{GlobalVertex{1}, GlobalVertex{2}})},
  };
}

namespace {

std::vector<ListedEdges> read_parts(const std::string& path, GraphFormat format, bool wants_weights,
                                    int parts) {
  std::vector<ListedEdges> listed;
  for (int part = 0; part < parts; ++part) {
    listed.push_back(read_graph_file({.path = path,
                                      .format = format,
                                      .weights_path = {},
                                      .wants_weights = wants_weights,
                                      .part = part,
                                      .parts = parts}));
  }
  return listed;
}

FileTotals total_of(const std::vector<ListedEdges>& listed) {
  FileTotals totals;
  for (const ListedEdges& part : listed) {
    totals.edges += part.totals.edges;
    totals.highest_id = std::max(totals.highest_id, part.totals.highest_id);
    totals.asymmetry += part.totals.asymmetry;
  }
  return totals;
}

VertexIds ids_of(const std::vector<ListedEdges>& listed) {
  std::vector<std::int64_t> all;
  std::vector<std::int64_t> counts;
  for (const ListedEdges& part : listed) {
    const std::vector<std::int64_t> ids = distinct_ids(part);
    all.insert(all.end(), ids.begin(), ids.end());
    counts.push_back(std::ssize(ids));
  }
  return VertexIds(merged_ids(all, counts));
}

}  // namespace

ReadEdges read_content(GraphFormat format, std::string_view content, bool wants_weights, int parts) {
  const WrittenFile file(content);
  std::vector<ListedEdges> listed = read_parts(file.path(), format, wants_weights, parts);
  const FileTotals totals = total_of(listed);
  require_as_declared(listed.front(), totals);
  ReadEdges result;
  result.num_vertices = listed.front().declared_vertices.value_or(totals.highest_id + 1);
  std::optional<VertexIds> ids;
  if (ids_are_sparse(totals, result.num_vertices)) {
    ids.emplace(ids_of(listed));
    result.num_vertices = ids->size();
    result.ids.assign(ids->ids().begin(), ids->ids().end());
  }
  for (ListedEdges& part : listed) {
    const bool weighted = part.weighted;
    const auto stream = make_file_edges(std::move(part), result.num_vertices, ids ? &*ids : nullptr);
    std::vector<Edge> edges(static_cast<std::size_t>(stream->size()));
    std::vector<float> weights(weighted ? edges.size() : 0);
    if (weighted) {
      stream->read_weighted(0, edges, weights);
    } else {
      stream->read(0, edges);
    }
    result.edges.insert(result.edges.end(), edges.begin(), edges.end());
    result.weights.insert(result.weights.end(), weights.begin(), weights.end());
  }
  return result;
}

std::string refusal(GraphFormat format, std::string_view content, bool wants_weights) {
  try {
    read_content(format, content, wants_weights);
  } catch (const Error& error) {
    std::string sentence = error.what();
    constexpr std::string_view folder = "/proc/self/fd/";
    const std::size_t first = sentence.find(folder);
    if (first != std::string::npos) {
      const std::size_t end = sentence.find_first_not_of("0123456789", first + folder.size());
      sentence.replace(first, end - first, "FILE");
    }
    return sentence;
  }
  return {};
}

}  // namespace isobath::test
