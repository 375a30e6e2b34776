// SPDX-License-Identifier: Apache-2.0
// The facts that the Graph500 reference program 3.0 computed (tests/data/graph500.jsonl).
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "generator/edge_store.hpp"
#include "generator/kronecker.hpp"
#include "generator/search_keys.hpp"
#include "sha256.hpp"

namespace isobath {
namespace {

using nlohmann::json;

constexpr int largest_scale_here = 18;  // tests/system goes further, with the optimised build

std::vector<json> golden_facts() {
  std::vector<json> facts;
  std::ifstream file(ISOBATH_TEST_DATA "/graph500.jsonl");
  for (std::string line; std::getline(file, line);) {
    json fact = json::parse(line);
    if (fact["scale"] <= largest_scale_here) facts.push_back(std::move(fact));
  }
  return facts;
}

struct Graph {
  std::vector<Edge> edges;
  std::vector<float> weights;
};

Graph graph_of(const KroneckerParameters& parameters, InstructionSet set = best_instruction_set()) {
  const auto size = static_cast<std::size_t>(parameters.num_edges());
  Graph graph{std::vector<Edge>(size), std::vector<float>(size)};
  KroneckerGenerator(parameters, set).edges(0, graph.edges, graph.weights);
  return graph;
}

template <class T>
std::string sha256_of(const std::vector<T>& values) {
  test::Sha256 sha;
  sha.add(std::as_bytes(std::span(values)));
  return sha.digest();
}

std::vector<std::int64_t> endpoints_without_loops(const KroneckerParameters& parameters,
                                                  const std::vector<Edge>& edges) {
  std::vector<std::int64_t> endpoints(static_cast<std::size_t>(parameters.num_vertices()));
  for (const Edge& edge : edges) {
    if (edge.u == edge.v) continue;
    ++endpoints[static_cast<std::size_t>(raw(edge.u))];
    ++endpoints[static_cast<std::size_t>(raw(edge.v))];
  }
  return endpoints;
}

TEST(Sha256, HashesTheExamplesOfTheStandard) {
  const auto hash = [](const std::string& text, std::size_t step) {
    test::Sha256 sha;
    const auto bytes = std::as_bytes(std::span(text));
    for (std::size_t at = 0; at < text.size(); at += step)
      sha.add(bytes.subspan(at, std::min(step, text.size() - at)));
    return sha.digest();
  };
  EXPECT_EQ(hash("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc", 2), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 5),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1000000, 'a'), 977),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(GoldenFacts, AreThere) { ASSERT_EQ(golden_facts().size(), 6U); }

TEST(GoldenFacts, EdgesAndWeightsHashAlike) {
  for (const json& fact : golden_facts()) {
    const KroneckerParameters parameters{.scale = fact["scale"], .edgefactor = fact["edgefactor"]};
    for (const InstructionSet set : supported_instruction_sets()) {
      if (parameters.scale > 16 && set != best_instruction_set())
        continue;  // hashing takes longer than generating
      const Graph graph = graph_of(parameters, set);
      EXPECT_EQ(std::ssize(graph.edges), fact["edges"]);
      EXPECT_EQ(sha256_of(graph.edges), fact["edges_sha256"].get<std::string>())
          << parameters.scale << " " << name_of(set);
      EXPECT_EQ(sha256_of(graph.weights), fact["weights_sha256"].get<std::string>())
          << parameters.scale << " " << name_of(set);
    }
  }
}

TEST(GoldenFacts, SharesOfTheWeightsHashAlikeAtEveryRankCount) {
  for (const json& fact : golden_facts()) {
    const KroneckerParameters parameters{.scale = fact["scale"], .edgefactor = fact["edgefactor"]};
    if (parameters.scale > 14) continue;
    for (const int ranks : {1, 2, 3, 4, 6}) {
      test::Sha256 sha;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto store = make_weighted_edge_store(EdgeStorage::memory, parameters, rank, ranks);
        std::vector<Edge> edges(static_cast<std::size_t>(store->size()));
        std::vector<float> weights(edges.size());
        store->read_weighted(0, edges, weights);
        sha.add(std::as_bytes(std::span(weights)));
      }
      EXPECT_EQ(sha.digest(), fact["weights_sha256"].get<std::string>()) << parameters.scale << " " << ranks;
    }
  }
}

TEST(GoldenFacts, FirstAndLastEdgesAreAlike) {
  const auto pairs = [](std::span<const Edge> edges) {
    std::vector<std::vector<std::int64_t>> values;
    for (const Edge& edge : edges) values.push_back({raw(edge.u), raw(edge.v)});
    return values;
  };
  for (const json& fact : golden_facts()) {
    const Graph graph = graph_of({.scale = fact["scale"], .edgefactor = fact["edgefactor"]});
    const std::span<const Edge> edges = graph.edges;
    EXPECT_EQ(json(pairs(edges.first(fact["first_edges"].size()))), fact["first_edges"]);
    EXPECT_EQ(json(pairs(edges.last(fact["last_edges"].size()))), fact["last_edges"]);
    for (std::size_t i = 0; i < fact["first_weights"].size(); ++i) {
      EXPECT_EQ(fmt::format("{:.9g}", graph.weights[i]),
                fmt::format("{:.9g}", fact["first_weights"][i].get<double>()));
    }
  }
}

TEST(GoldenFacts, CountsAndSearchKeysAreAlike) {
  for (const json& fact : golden_facts()) {
    const KroneckerParameters parameters{.scale = fact["scale"], .edgefactor = fact["edgefactor"]};
    const std::vector<Edge> edges = graph_of(parameters).edges;
    const std::vector<std::int64_t> endpoints = endpoints_without_loops(parameters, edges);
    EXPECT_EQ(std::ranges::count_if(edges, [](const Edge& edge) { return edge.u == edge.v; }),
              fact["self_loops"]);
    EXPECT_EQ(std::ranges::count(endpoints, 0), fact["isolated_vertices"]);
    EXPECT_EQ(std::ranges::max(endpoints), fact["max_degree_with_duplicates"]);

    const auto keys = sample_search_keys(parameters, 64, [&](std::span<const GlobalVertex> vertices) {
      std::vector<char> answers;
      for (const GlobalVertex v : vertices)
        answers.push_back(endpoints[static_cast<std::size_t>(raw(v))] != 0 ? 1 : 0);
      return answers;
    });
    std::vector<std::int64_t> values;
    for (const GlobalVertex key : keys) values.push_back(raw(key));
    EXPECT_EQ(json(values), fact["search_keys"]) << parameters.scale;
  }
}

/// Values known from an independent implementation: edge, weight and the number of self-loops.
TEST(GoldenFacts, AnIndependentImplementationAgrees) {
  struct Known {
    int scale;
    Edge first, second, last;
    double first_weight, second_weight, last_weight;
  };
  const auto edge = [](std::int64_t u, std::int64_t v) { return Edge{GlobalVertex{u}, GlobalVertex{v}}; };
  for (const Known& known :
       {Known{10, edge(299, 797), edge(684, 861), edge(206, 55), 0.490170419, 0.528551459, 0.848867834},
        Known{14, edge(14207, 9077), edge(5452, 10379), edge(12099, 9415), 0.129396364, 0.691036761,
              0.10429807},
        Known{20, edge(754405, 286754), edge(802479, 384927), edge(465986, 734295), 0.471665323, 0.905820489,
              0.263073087}}) {
    const KroneckerGenerator generator({.scale = known.scale});
    const auto expect = [&](std::int64_t index, const Edge& expected, double weight) {
      const WeightedEdge found = generator.edge_at(index);
      EXPECT_EQ(found.edge, expected);
      EXPECT_EQ(fmt::format("{:.9g}", found.weight), fmt::format("{:.9g}", weight));
    };
    expect(0, known.first, known.first_weight);
    expect(1, known.second, known.second_weight);
    expect(generator.parameters().num_edges() - 1, known.last, known.last_weight);
  }
}

}  // namespace
}  // namespace isobath
