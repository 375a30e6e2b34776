// SPDX-License-Identifier: Apache-2.0
#include "graph500/disclosures.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "graph500/kernel.hpp"

namespace isobath {
namespace {

constexpr std::array<std::string_view, 3> number_words = {"no", "one", "two"};

std::string counted(int searches) {
  const auto count = static_cast<std::size_t>(searches);
  return count < number_words.size() ? std::string(number_words[count]) : std::to_string(searches);
}

/// What construction left out of the searched graph, or put into another order. `its` names the kernel where
/// there are two.
void put_numbering(std::vector<std::string>& sentences, const GraphFacts& graph, const std::string& its) {
  const std::int64_t isolated = graph.num_vertices - graph.searched_vertices - graph.leaves;
  if (graph.prepared.by_degree) {
    sentences.push_back(fmt::format(
        "{}construction_time includes relabelling of vertices by degree, highest first, and rows in "
        "which neighbours of high degree come first",
        its));
  }
  if (isolated > 0) {
    sentences.push_back(
        fmt::format("{}construction left {} isolated vertices out of the searched graph", its, isolated));
  }
  if (graph.leaves > 0) {
    sentences.push_back(
        fmt::format("{}construction left {} vertices of one distinct neighbour (leaves) out of the searched "
                    "graph; every search fills in their parents inside its time",
                    its, graph.leaves));
  }
}

/// Streams, which ranks with hypersparse rows have not.
std::string except_on(int ranks) {
  if (ranks == 0) return "";
  return fmt::format(", except on {} rank{} of whose rows most have no arc", ranks, ranks == 1 ? "" : "s");
}

void put_bfs(std::vector<std::string>& sentences, const GraphFacts& graph, const std::string& its) {
  const Prepared& prepared = graph.prepared;
  put_numbering(sentences, graph, its);
  if (prepared.families > 0) {
    sentences.push_back(fmt::format(
        "{}construction_time includes {} families, rows of the same first heavy neighbour or hub that "
        "stand together and are found by one look at that neighbour",
        its, prepared.families));
  }
  if (prepared.told_hubs > 0) {
    sentences.push_back(
        fmt::format("{}construction_time includes, at the owner of every vertex, its first neighbours among "
                    "the {} vertices "
                    "of highest degree; every search tells all ranks which of these it reached",
                    its, prepared.told_hubs));
  }
  if (prepared.first_neighbours) {
    sentences.push_back(fmt::format(
        "{}construction_time includes streams of the first neighbours of every row, apart from the rows{}",
        its, except_on(prepared.ranks_without_first_neighbours)));
  }
  if (prepared.likely_parents > 0) {
    sentences.push_back(fmt::format(
        "{}construction_time includes an array, in original numbering, of the likely parents of {} "
        "vertices; every search finds all parents, and emit copies those of the array that it found",
        its, prepared.likely_parents));
  }
}

void put_sssp(std::vector<std::string>& sentences, const KernelDone& done, const std::string& its) {
  const Prepared& prepared = done.graph.prepared;
  sentences.push_back(
      fmt::format("{}construction_time includes the graph of the shortest-path plan {}", its, done.plan));
  if (done.is_pruned) {
    sentences.emplace_back(
        "PRUNED, construction left out edges that lie on no shortest path, found by one search inside its "
        "time");
    return;  // its graph is another one; what is left out of it is in this sentence
  }
  put_numbering(sentences, done.graph, its);
  if (prepared.by_weight) {
    sentences.push_back(fmt::format("{}construction_time includes rows sorted by weight", its));
  }
  if (prepared.light_streams > 0) {
    sentences.push_back(
        fmt::format("{}construction_time includes streams of the {} lightest arcs of every row{}", its,
                    prepared.light_streams, except_on(prepared.ranks_without_light_streams)));
  }
  if (prepared.core_radius > 0) {
    sentences.push_back(fmt::format(
        "{}construction_time includes a search from the vertex of highest degree, which chose the "
        "radius {:.4g} that the first part of every search reaches around it, and how far around others",
        its, prepared.core_radius));
  }
}

/// Of every kernel that ran.
std::string warmup_sentence(const RunDone& done) {
  const int bfs = done.bfs ? done.bfs->warmup_searches : 0;
  const int sssp = done.sssp ? done.sssp->warmup_searches : 0;
  const bool several = bfs + sssp > 1;
  std::string sentence = fmt::format("{} untimed warm-up search{} run before the timed ones",
                                     counted(bfs + sssp), several ? "es were" : " was");
  if (bfs > 0 && sssp > 0) {
    sentence += fmt::format(", {} for {} and {} for {}", counted(bfs), title_of(Kernel::bfs), counted(sssp),
                            title_of(Kernel::sssp));
  }
  return sentence;
}

}  // namespace

std::vector<std::string> disclosures(const RunDone& done) {
  std::vector<std::string> sentences;
  const bool both = done.bfs && done.sssp;
  if (done.bfs) put_bfs(sentences, done.bfs->graph, both ? "for BFS, " : "");
  if (done.sssp) put_sssp(sentences, *done.sssp, both ? "for SSSP, " : "");
  sentences.emplace_back(
      "construction_time includes component labels, which give the number of traversed edges");
  sentences.emplace_back(
      "every search clears its arrays and writes parents in the original numbering inside its time");
  sentences.push_back(warmup_sentence(done));
  return sentences;
}

std::vector<std::string> label_disclosures(bool validation, bool oversubscribed) {
  std::vector<std::string> sentences;
  if (!validation) sentences.emplace_back("UNVALIDATED, no search of this run was validated");
  if (oversubscribed) sentences.emplace_back("oversubscribed, more threads ran than there are processors");
  return sentences;
}

}  // namespace isobath
