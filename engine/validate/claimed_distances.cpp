// SPDX-License-Identifier: Apache-2.0
#include "validate/claimed_distances.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "base/expects.hpp"
#include "base/first_exception.hpp"

namespace isobath {
namespace {

constexpr std::int64_t batch_edges = 4096;

struct ClaimText {
  std::string_view name;
  std::string_view example;
};

constexpr std::array<ClaimText, num_distance_claims> claim_texts = {{
    {"range", "the root is at 0, others at a finite number of at least 0 or not reached"},
    {"spans", "not reached, but its neighbour {} is"},
    {"triangle", "further from the root than its neighbour {} and their edge allow"},
    {"attained", "no edge leads to it that is as long as it is away"},
}};

void note(ClaimOutcome& outcome, GlobalVertex vertex, GlobalVertex other) {
  const bool is_first = outcome.violations == 0 || vertex < outcome.first_vertex ||
                        (vertex == outcome.first_vertex && other < outcome.first_other);
  ++outcome.violations;
  if (!is_first) return;
  outcome.first_vertex = vertex;
  outcome.first_other = other;
}

void merge(ClaimOutcome& total, const ClaimOutcome& part) {
  if (part.violations == 0) return;
  const std::int64_t violations = total.violations + part.violations - 1;
  if (total.violations == 0 || part.first_vertex < total.first_vertex ||
      (part.first_vertex == total.first_vertex && part.first_other < total.first_other)) {
    total = part;
  }
  total.violations = violations + 1;
}

/// One validation, pass by pass over the edges.
class Check {
 public:
  Check(const WeightedEdgeStream& edges, bool weighted, std::span<const double> distances, double tolerance)
      : edges_(edges),
        weighted_(weighted),
        distances_(distances),
        tolerance_(tolerance),
        attained_(distances.size()) {}

  DistanceVerdict run(GlobalVertex root) {
    check_range(root);
    attained_[index(root)] = 1;
    for_each_edge([this](const Edge& edge, double weight, auto& claims) {
      check_edge(edge, weight, claims);
      attain(edge, weight, [](double nearer, double farther, bool) { return nearer < farther; });
    });
    attain_the_rest();
    for (std::size_t v = 0; v < distances_.size(); ++v) {
      if (distances_[v] == unreached) continue;
      ++verdict_.vertices_reached;
      if (attained_[v] == 0) note(claim(DistanceClaim::attained), GlobalVertex{std::int64_t(v)}, no_vertex);
    }
    return verdict_;
  }

 private:
  using Claims = std::array<ClaimOutcome, num_distance_claims>;

  static std::size_t index(GlobalVertex v) { return static_cast<std::size_t>(raw(v)); }
  static ClaimOutcome& of(Claims& claims, DistanceClaim claim) {
    return claims[static_cast<std::size_t>(claim)];
  }
  ClaimOutcome& claim(DistanceClaim claim) { return of(verdict_.claims, claim); }
  double distance(GlobalVertex v) const { return distances_[index(v)]; }

  void check_range(GlobalVertex root) {
    for (std::size_t v = 0; v < distances_.size(); ++v) {
      const bool is_right = GlobalVertex{std::int64_t(v)} == root ? distances_[v] == 0 : distances_[v] >= 0;
      if (!is_right) note(claim(DistanceClaim::range), GlobalVertex{std::int64_t(v)}, no_vertex);
    }
  }

  void check_edge(const Edge& edge, double weight, Claims& claims) const {
    const bool u_is_nearer = distance(edge.u) <= distance(edge.v);
    const GlobalVertex near = u_is_nearer ? edge.u : edge.v;
    const GlobalVertex far = u_is_nearer ? edge.v : edge.u;
    if (distance(near) == unreached || std::isnan(distance(near))) return;
    if (distance(far) == unreached) {
      note(of(claims, DistanceClaim::spans), far, near);
    } else if (distance(far) > distance(near) + weight + slack(distance(far))) {
      note(of(claims, DistanceClaim::triangle), far, near);
    }
  }

  double slack(double distance) const { return tolerance_ * distance; }
  /// `farther` is what the edge makes of `nearer`.
  bool is_tight(double nearer, double weight, double farther) const {
    return std::abs(nearer + weight - farther) <= slack(farther);
  }

  /// Marks an end of the edge as attained where the edge is tight from the other one and may(distance of the
  /// other, own distance, whether the other is attained).
  template <class May>
  bool attain(const Edge& edge, double weight, const May& may) {
    const auto from = [&](GlobalVertex near, GlobalVertex far) {
      std::atomic_ref<char> mark(attained_[index(far)]);
      if (mark.load(std::memory_order_relaxed) != 0 || distance(far) == unreached) return false;
      if (!is_tight(distance(near), weight, distance(far))) return false;
      const bool is_attained = std::atomic_ref(attained_[index(near)]).load(std::memory_order_relaxed) != 0;
      if (!may(distance(near), distance(far), is_attained)) return false;
      mark.store(1, std::memory_order_relaxed);
      return true;
    };
    const bool to_v = from(edge.u, edge.v);
    return from(edge.v, edge.u) || to_v;
  }

  /// Of edges between equal distances (weight 0, or less than the tolerance) each could hold up the other, so
  /// these count only from vertices that are attained already.
  void attain_the_rest() {
    const auto left = [this] {
      for (std::size_t v = 0; v < distances_.size(); ++v) {
        if (attained_[v] == 0 && distances_[v] != unreached) return true;
      }
      return false;
    };
    for (bool has_changed = true; has_changed && left();) {
      std::atomic<bool> any = false;
      for_each_edge([&](const Edge& edge, double weight, auto&) {
        if (attain(edge, weight, [](double, double, bool is_attained) { return is_attained; })) any = true;
      });
      has_changed = any;
    }
  }

  template <class Visit>
  void for_each_edge(const Visit& visit) {
    const std::int64_t total = edges_.size();
    FirstException failure;
#pragma omp parallel
    {
      std::vector<Edge> edges(batch_edges);
      std::vector<float> weights(batch_edges, 1.0F);
      Claims claims;
#pragma omp for schedule(dynamic, 16)
      for (std::int64_t first = 0; first < total; first += batch_edges) {
        failure.guard([&] {
          const auto count = static_cast<std::size_t>(std::min(batch_edges, total - first));
          if (weighted_) {
            edges_.read_weighted(first, std::span(edges).first(count), std::span(weights).first(count));
          } else {
            edges_.read(first, std::span(edges).first(count));
          }
          for (std::size_t i = 0; i < count; ++i) visit(edges[i], double{weights[i]}, claims);
        });
      }
#pragma omp critical
      for (std::size_t i = 0; i < claims.size(); ++i) merge(verdict_.claims[i], claims[i]);
    }
    failure.rethrow();
  }

  const WeightedEdgeStream& edges_;
  bool weighted_;
  std::span<const double> distances_;
  double tolerance_;
  std::vector<char> attained_;
  DistanceVerdict verdict_;
};

}  // namespace

bool DistanceVerdict::passed() const {
  return std::ranges::all_of(claims, [](const ClaimOutcome& outcome) { return outcome.violations == 0; });
}

std::string DistanceVerdict::first_violation() const {
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const ClaimOutcome& outcome = claims[i];
    if (outcome.violations == 0) continue;
    const std::string example = fmt::format(fmt::runtime(claim_texts[i].example), raw(outcome.first_other));
    return fmt::format("rule {}: {} violation{}, the first at vertex {} ({})", claim_texts[i].name,
                       outcome.violations, outcome.violations == 1 ? "" : "s", raw(outcome.first_vertex),
                       example);
  }
  return {};
}

DistanceVerdict validate_distances(const WeightedEdgeStream& edges, bool weighted, GlobalVertex root,
                                   std::span<const double> distances, double tolerance) {
  ISOBATH_EXPECTS(std::ssize(distances) == edges.num_vertices());
  ISOBATH_EXPECTS(raw(root) >= 0 && raw(root) < edges.num_vertices());
  return Check(edges, weighted, distances, tolerance).run(root);
}

}  // namespace isobath
