// SPDX-License-Identifier: Apache-2.0
#include "validate/claimed_distances.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

class WeightedEdges final : public WeightedEdgeStream {
 public:
  WeightedEdges(std::int64_t num_vertices, std::vector<Edge> edges, std::vector<float> weights)
      : num_vertices_(num_vertices), edges_(std::move(edges)), weights_(std::move(weights)) {}
  std::int64_t size() const override { return std::ssize(edges_); }
  std::int64_t num_vertices() const override { return num_vertices_; }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    std::copy_n(edges_.begin() + first, edges.size(), edges.begin());
  }
  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    read(first, edges);
    std::copy_n(weights_.begin() + first, weights.size(), weights.begin());
  }

  /// Bellman and Ford, until nothing changes.
  std::vector<double> distances(GlobalVertex root, bool weighted) const {
    std::vector<double> found(static_cast<std::size_t>(num_vertices_), unreached);
    found[static_cast<std::size_t>(raw(root))] = 0;
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::size_t i = 0; i < edges_.size(); ++i) {
        double& u = found[static_cast<std::size_t>(raw(edges_[i].u))];
        double& v = found[static_cast<std::size_t>(raw(edges_[i].v))];
        const double weight = weighted ? double{weights_[i]} : 1;
        if (u + weight < v || v + weight < u) {
          u = std::min(u, v + weight);
          v = std::min(v, u + weight);
          has_changed = true;
        }
      }
    }
    return found;
  }

 private:
  std::int64_t num_vertices_;
  std::vector<Edge> edges_;
  std::vector<float> weights_;
};

Edge edge(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

constexpr GlobalVertex root{0};

/// Weights are multiples of 1/8, so that sums are exact; some are 0.
WeightedEdges random_edges(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Edge> edges{edge(0, 1)};
  std::vector<float> weights{0.5F};
  for (int i = 0; i < 80; ++i) {
    edges.push_back(edge(static_cast<std::int64_t>(random() % 60), static_cast<std::int64_t>(random() % 60)));
    weights.push_back(static_cast<float>(random() % 8) / 8);
  }
  return {66, std::move(edges), std::move(weights)};
}

TEST(ClaimedDistances, OfTheSlowTwinAreRight) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const WeightedEdges edges = random_edges(seed);
    for (const bool weighted : {true, false}) {
      const std::vector<double> distances = edges.distances(root, weighted);
      const DistanceVerdict verdict = validate_distances(edges, weighted, root, distances, 0);
      EXPECT_TRUE(verdict.passed()) << verdict.first_violation();
      EXPECT_EQ(verdict.vertices_reached,
                std::ranges::count_if(distances, [](double distance) { return distance < unreached; }));
    }
  }
}

TEST(ClaimedDistances, AnyOtherDistanceBreaksARule) {
  const WeightedEdges edges = random_edges(1);
  for (const bool weighted : {true, false}) {
    const std::vector<double> right = edges.distances(root, weighted);
    for (std::size_t v = 0; v < right.size(); ++v) {
      for (const double wrong : {right[v] + 0.125, right[v] - 0.125, unreached, 0.0625, -1.0, double{NAN}}) {
        if (wrong == right[v] || (wrong >= unreached && right[v] >= unreached)) continue;
        std::vector<double> distances = right;
        distances[v] = wrong;
        const DistanceVerdict verdict = validate_distances(edges, weighted, root, distances, 0);
        EXPECT_FALSE(verdict.passed()) << v << " at " << wrong << " instead of " << right[v];
        EXPECT_FALSE(verdict.first_violation().empty());
      }
    }
  }
}

/// Vertices that hold each other up at a distance that no path has.
TEST(ClaimedDistances, ACircleOfWeightNothingHoldsNothingUp) {
  const WeightedEdges edges(4, {edge(0, 1), edge(2, 3), edge(2, 3)}, {1, 0, 0});
  EXPECT_TRUE(
      validate_distances(edges, true, root, std::vector<double>{0, 1, unreached, unreached}, 0).passed());
  const DistanceVerdict verdict = validate_distances(edges, true, root, std::vector<double>{0, 1, 5, 5}, 0);
  EXPECT_EQ(verdict.first_violation(),
            "rule attained: 2 violations, the first at vertex 2 (no edge leads to it that is as long as it "
            "is away)");
}

TEST(ClaimedDistances, EdgesOfWeightNothingLeadOn) {
  const WeightedEdges edges(5, {edge(3, 4), edge(2, 3), edge(1, 2), edge(0, 1)}, {0, 0, 0, 1});
  EXPECT_TRUE(validate_distances(edges, true, root, std::vector<double>{0, 1, 1, 1, 1}, 0).passed());
}

TEST(ClaimedDistances, ATolerancePardonsRounding) {
  const WeightedEdges edges(3, {edge(0, 1), edge(1, 2)}, {0.1F, 0.2F});
  const std::vector<double> rounded{0, double{0.1F}, double{0.1F + 0.2F}};
  EXPECT_FALSE(validate_distances(edges, true, root, rounded, 0).passed());
  EXPECT_TRUE(validate_distances(edges, true, root, rounded, 1e-6).passed());
  const std::vector<double> wrong{0, double{0.1F}, 0.3001};
  EXPECT_FALSE(validate_distances(edges, true, root, wrong, 1e-6).passed());
}

TEST(ClaimedDistances, TheFirstExampleIsTheLowestVertex) {
  const WeightedEdges edges(4, {edge(0, 3), edge(0, 1), edge(1, 2)}, {1, 1, 1});
  const DistanceVerdict verdict = validate_distances(edges, false, root, std::vector<double>{0, 1, 5, 7}, 0);
  EXPECT_EQ(
      verdict.first_violation(),
      "rule triangle: 2 violations, the first at vertex 2 (further from the root than its neighbour 1 and "
      "their edge allow)");
}

}  // namespace
}  // namespace isobath
