// SPDX-License-Identifier: Apache-2.0
#include "apps/claims.hpp"

#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/result_block.hpp"
#include "graphfile/byte_source.hpp"
#include "partition/block_partition.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/claimed_distances.hpp"

namespace isobath {
namespace {

/// A line of a file of claims: a vertex as the graph's file calls it, and what is claimed of it.
template <class Value>
struct Claim {
  std::int64_t vertex;
  Value value;
};

template <class Value>
std::vector<Claim<Value>> read_claims(const std::string& path) {
  static_assert(sizeof(Claim<Value>) == 16);
  const InputFile file(path);
  std::vector<Claim<Value>> claims(static_cast<std::size_t>(file.size()) / sizeof(Claim<Value>));
  if (static_cast<std::size_t>(file.size()) != claims.size() * sizeof(Claim<Value>)) {
    throw EnvironmentError(fmt::format(
        "{} has {} bytes, which is no multiple of the 16 of a claim; write it again", path, file.size()));
  }
  file.read(0, std::as_writable_bytes(std::span(claims)));
  return claims;
}

/// What is claimed of each vertex, `otherwise` where nothing is. Of a vertex that is not in the graph only
/// `otherwise` may be claimed: it was not reached.
template <class Value>
std::vector<Value> by_number(const std::vector<Claim<Value>>& claims, const LoadedGraph& graph,
                             Value otherwise) {
  std::vector<Value> values(static_cast<std::size_t>(graph.num_vertices), otherwise);
  for (const auto& [vertex, value] : claims) {
    const std::int64_t number = graph.number_of(vertex);
    if (number >= 0) {
      values[static_cast<std::size_t>(number)] = value;
    } else if (value != otherwise) {
      throw UsageError(
          fmt::format("{} is claimed to be reached but is no vertex of the graph; name the file that "
                      "was searched",
                      vertex));
    }
  }
  return values;
}

GlobalVertex as_in_file(GlobalVertex v, const LoadedGraph& graph) {
  return GlobalVertex{graph.id_of(raw(v))};
}

ExitCode say_verdict(const std::string& violation, const char* what, std::int64_t root,
                     std::int64_t reached) {
  if (!violation.empty()) {
    print_out(fmt::format("the {} from root {} are wrong: {}\n", what, root, violation));
    return ExitCode::violations;
  }
  print_out(fmt::format("the {} from root {} are right: {} vertices are reached, every rule holds\n", what,
                        root, reached));
  return ExitCode::done;
}

ExitCode validate_parents(const SearchOptions& options, const LoadedGraph& graph, GlobalVertex root,
                          const Communicator& world) {
  std::vector<GlobalVertex> parents;
  for (const std::int64_t parent :
       by_number<std::int64_t>(read_claims<std::int64_t>(options.claimed_parents_file), graph, -1)) {
    const std::int64_t number = parent == -1 ? -1 : graph.number_of(parent);
    // What is no vertex must not become "not reached": one past the last breaks the rule that it should.
    parents.push_back(GlobalVertex{parent != -1 && number < 0 ? graph.num_vertices : number});
  }
  BfsValidator validator(world, BlockPartition(graph.num_vertices, 1), *graph.edges);
  BfsValidation outcome = validator.validate(root, parents, {});
  for (RuleOutcome& rule : outcome.rules) {
    rule.first_vertex = as_in_file(rule.first_vertex, graph);
    rule.first_other = as_in_file(rule.first_other, graph);
  }
  return say_verdict(outcome.first_violation(), "parents", options.roots[0], outcome.vertices_reached);
}

ExitCode validate_distances_of(const SearchOptions& options, const LoadedGraph& graph, GlobalVertex root) {
  const bool weighted = !options.claimed_distances_file.empty();
  const std::string& path = weighted ? options.claimed_distances_file : options.claimed_levels_file;
  const std::vector<double> distances = by_number<double>(read_claims<double>(path), graph, unreached);
  DistanceVerdict verdict =
      validate_distances(*graph.edges, weighted, root, distances, weighted ? options.tolerance : 0);
  for (ClaimOutcome& claim : verdict.claims) {
    claim.first_vertex = as_in_file(claim.first_vertex, graph);
    claim.first_other = as_in_file(claim.first_other, graph);
  }
  return say_verdict(verdict.first_violation(), weighted ? "distances" : "levels", options.roots[0],
                     verdict.vertices_reached);
}

}  // namespace

ExitCode validate_claims(const SearchOptions& options, LoadedGraph& graph, const Communicator& world) {
  if (world.size() > 1)
    throw UsageError("claims are validated by one rank; start the program without a launcher");
  const std::int64_t number = graph.number_of(options.roots[0]);
  if (number < 0) {
    throw UsageError(fmt::format("--root {} is no vertex of the graph; choose another", options.roots[0]));
  }
  const GlobalVertex root{number};
  if (!options.claimed_parents_file.empty()) return validate_parents(options, graph, root, world);
  return validate_distances_of(options, graph, root);
}

}  // namespace isobath
