// SPDX-License-Identifier: Apache-2.0
#include "reference/kronecker.hpp"

#include "reference/mrg.hpp"

namespace isobath::reference {
namespace {

std::uint64_t reversed_bits(std::uint64_t x) {
  std::uint64_t result = 0;
  for (int bit = 0; bit < 64; ++bit) result |= (x >> bit & 1) << (63 - bit);
  return result;
}

/// The vertex permutation; both constants are draws of their own stream.
class Scrambling {
 public:
  explicit Scrambling(const Kronecker& graph) : scale_(graph.scale) {
    Mrg mrg(graph.seed1, graph.seed2);
    mrg.skip(50, 7, 0);
    value0_ = static_cast<std::uint64_t>(mrg.draw()) * 0xFFFFFFFF;
    value0_ += static_cast<std::uint64_t>(mrg.draw());
    value1_ = static_cast<std::uint64_t>(mrg.draw()) * 0xFFFFFFFF;
    value1_ += static_cast<std::uint64_t>(mrg.draw());
  }

  GlobalVertex operator()(std::uint64_t v) const {
    v += value0_ + value1_;
    v *= value0_ | 0x4519840211493211;
    v = reversed_bits(v) >> (64 - scale_);
    v *= value1_ | 0x3050852102C843A5;
    return GlobalVertex{static_cast<std::int64_t>(reversed_bits(v) >> (64 - scale_))};
  }

 private:
  int scale_;
  std::uint64_t value0_;
  std::uint64_t value1_;
};

WeightedEdge edge_at(const Kronecker& graph, std::int64_t index, const Scrambling& scrambled) {
  Mrg mrg(graph.seed1, graph.seed2);
  mrg.skip(0, static_cast<std::uint64_t>(index), 0);
  std::uint64_t u = 0;
  std::uint64_t v = 0;
  for (int level = 0; level < graph.scale; ++level) {
    std::int64_t draw = mrg.draw();
    while (draw < 0x7FFFFFFF % 10000) draw = mrg.draw();
    const std::int64_t ten_thousandths = draw % 10000;
    const bool upper_right = ten_thousandths < 1900;
    const bool lower_left = ten_thousandths >= 1900 && ten_thousandths < 3800;
    const bool lower_right = ten_thousandths >= 9500;
    std::uint64_t u_bit = lower_left || lower_right ? 1 : 0;
    std::uint64_t v_bit = upper_right || lower_right ? 1 : 0;
    if (u == v && u_bit > v_bit) {  // the initiator's lower half is mirrored into the upper one
      u_bit = 0;
      v_bit = 1;
    }
    u = 2 * u + u_bit;
    v = 2 * v + v_bit;
  }
  const float draw_as_float = static_cast<float>(mrg.draw());
  const double weight = static_cast<double>(draw_as_float) * 4.65661287524579692e-10;
  return {{scrambled(u), scrambled(v)}, static_cast<float>(weight)};
}

}  // namespace

WeightedEdge kronecker_edge(const Kronecker& graph, std::int64_t index) {
  return edge_at(graph, index, Scrambling(graph));
}

std::vector<Edge> kronecker(const Kronecker& graph) {
  std::vector<Edge> edges;
  const std::int64_t num_edges = std::int64_t{graph.edgefactor} << graph.scale;
  const Scrambling scrambled(graph);
  for (std::int64_t k = 0; k < num_edges; ++k) edges.push_back(edge_at(graph, k, scrambled).edge);
  return edges;
}

GlobalVertex search_key_candidate(const Kronecker& graph, std::int64_t position) {
  Mrg mrg(graph.seed1, graph.seed2);
  mrg.skip(2, 0, 2 * static_cast<std::uint64_t>(position));
  const double first = mrg.draw_double();
  const double second = mrg.draw_double();
  const auto num_vertices = std::int64_t{1} << graph.scale;
  return GlobalVertex{static_cast<std::int64_t>((first + second) * static_cast<double>(num_vertices)) %
                      num_vertices};
}

}  // namespace isobath::reference
