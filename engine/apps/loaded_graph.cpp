// SPDX-License-Identifier: Apache-2.0
#include "apps/loaded_graph.hpp"

#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/output_file.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "graphfile/file_edges.hpp"

namespace isobath {
namespace {

FileTotals over_all_ranks(const FileTotals& mine, const Communicator& world) {
  FileTotals totals;
  totals.edges = world.sum(mine.edges);
  totals.highest_id = world.max(mine.highest_id);
  totals.asymmetry = static_cast<std::uint64_t>(world.sum(static_cast<std::int64_t>(mine.asymmetry)));
  return totals;
}

bool is_compact(FileNumbering numbering, const FileTotals& totals, std::int64_t num_vertices) {
  if (numbering == FileNumbering::automatic) return ids_are_sparse(totals, num_vertices);
  return numbering == FileNumbering::compact;
}

VertexIds ids_over_all_ranks(const ListedEdges& listed, const Communicator& world) {
  std::vector<std::int64_t> mine = distinct_ids(listed);
  if (world.size() == 1) return VertexIds(std::move(mine));
  const std::vector<std::int64_t> counts = world.allgather(std::int64_t{std::ssize(mine)});
  return VertexIds(merged_ids(world.allgatherv<std::int64_t>(mine), counts));
}

/// Shortest paths and distances need weights: those of the file or assigned ones.
void require_weights(const SearchOptions& options, const ListedEdges& listed) {
  if (!options.graph.wants_weights || listed.weighted) return;
  const bool may_name_file =
      options.graph.format == GraphFormat::packed || options.graph.format == GraphFormat::raw;
  throw UsageError(fmt::format(
      "{} has no weights, which distances need; add --weights unit or --weights random{}",
      options.name.empty() ? listed.path : options.name, may_name_file ? ", or name a file of them" : ""));
}

}  // namespace

std::int64_t LoadedGraph::number_of(std::int64_t id) const {
  if (ids) return ids->number_of(id);
  return id >= 0 && id < num_vertices ? id : -1;
}

std::int64_t LoadedGraph::id_of(std::int64_t number) const {
  if (!ids || number < 0 || number >= num_vertices) return number;
  return ids->ids()[static_cast<std::size_t>(number)];
}

LoadedGraph load_graph(const SearchOptions& options, const Communicator& world) {
  const double start = now_seconds();
  GraphRequest request = options.graph;
  request.part = world.rank();
  request.parts = world.size();
  ListedEdges listed = read_graph_file(request);
  require_weights(options, listed);
  const FileTotals totals = over_all_ranks(listed.totals, world);
  require_as_declared(listed, totals);

  LoadedGraph graph;
  graph.num_edges = totals.edges;
  graph.weighted = listed.weighted || options.assigned.are_assigned();
  graph.num_vertices = listed.declared_vertices.value_or(totals.highest_id + 1);
  if (is_compact(options.numbering, totals, graph.num_vertices)) {
    graph.ids.emplace(ids_over_all_ranks(listed, world));
    graph.num_vertices = graph.ids->size();
  }
  graph.edges = make_file_edges(std::move(listed), graph.num_vertices, graph.ids ? &*graph.ids : nullptr,
                                options.assigned);
  graph.seconds = world.max(now_seconds() - start);
  return graph;
}

void write_ids(const VertexIds& ids, const std::string& path) {
  OutputFile file(path);
  file.write(std::as_bytes(ids.ids()));
  file.finish();
}

}  // namespace isobath
