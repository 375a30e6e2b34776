// SPDX-License-Identifier: Apache-2.0
#include "generator/kronecker.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {
namespace {

EdgeKernel kernel_for(InstructionSet set, int scale) {
  if (!is_supported(set)) {
    throw UsageError(fmt::format("this processor lacks {}; choose portable", name_of(set)));
  }
  if (scale < min_vector_scale) return portable_edge_kernel();
  switch (set) {
    case InstructionSet::avx2:
      return avx2_edge_kernel();
    case InstructionSet::avx512:
      return avx512_edge_kernel();
    case InstructionSet::portable:
      break;
  }
  return portable_edge_kernel();
}

float* data_or_null(std::span<float> weights) { return weights.empty() ? nullptr : weights.data(); }

constexpr std::uint64_t reversed_bits(std::uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
  return __builtin_bswap64(x);
}

KernelSetup setup_for(const KroneckerParameters& parameters, const MrgState& initial,
                      const MrgMatrix& next_group) {
  KernelSetup setup{};
  setup.scale = parameters.scale;
  MrgState state = initial.skipped(50, 7, 0);
  constexpr std::uint64_t radix = 0xFFFFFFFF;
  const std::uint64_t high0 = state.draw();
  const std::uint64_t value0 = high0 * radix + state.draw();
  const std::uint64_t high1 = state.draw();
  const std::uint64_t value1 = high1 * radix + state.draw();
  const int unused_bits = 64 - parameters.scale;
  setup.addend = value0 + value1;
  setup.multiplier0 = (value0 | 0x4519840211493211) << unused_bits;
  setup.multiplier1 = (value1 | 0x3050852102C843A5) << unused_bits;
  for (std::size_t i = 0; i < 5; ++i) {
    std::uint64_t sum_of_sizes = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      const std::int64_t entry = next_group.entry[i][k];
      const std::int64_t negative = entry - static_cast<std::int64_t>(mrg_modulus);
      const std::int64_t centred = entry <= -negative ? entry : negative;
      setup.advance[i][k] = static_cast<std::int32_t>(2 * centred);
      if (centred < 0) setup.offset[i] += static_cast<std::uint64_t>(-2 * centred) * mrg_modulus;
      sum_of_sizes += static_cast<std::uint64_t>(centred < 0 ? -centred : centred);
    }
    ISOBATH_EXPECTS(sum_of_sizes >> 32 == 0);  // true of the groups in use; then twice the sum fits 64 bits
  }
  return setup;
}

}  // namespace

void check(const KroneckerParameters& parameters) {
  if (parameters.scale < 1 || parameters.scale > max_scale) {
    throw UsageError(fmt::format("scale {} is out of range; choose 1 to {}", parameters.scale, max_scale));
  }
  if (parameters.edgefactor < 1 || parameters.edgefactor > max_edgefactor) {
    throw UsageError(fmt::format("edgefactor {} is out of range; choose 1 to {} (16 is the benchmark's)",
                                 parameters.edgefactor, max_edgefactor));
  }
}

KroneckerGenerator::KroneckerGenerator(KroneckerParameters parameters, InstructionSet set)
    : parameters_((check(parameters), parameters)),
      set_(set),
      initial_(MrgState::from_seeds(parameters.seed1, parameters.seed2)),
      next_edge_(MrgMatrix::two_to_64_draws()),
      kernel_(kernel_for(set, parameters.scale)),
      setup_(setup_for(parameters, initial_, next_edge_.power(static_cast<std::uint64_t>(kernel_.group)))) {}

void KroneckerGenerator::edges(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const {
  ISOBATH_EXPECTS(weights.empty() || weights.size() == edges.size());
  generate(first, std::ssize(edges), {.edges = edges.data(), .weights = data_or_null(weights)});
}

void KroneckerGenerator::compact(std::int64_t first, std::span<CompactEdge> edges,
                                 std::span<float> weights) const {
  ISOBATH_EXPECTS(parameters_.scale <= 32 && (weights.empty() || weights.size() == edges.size()));
  generate(first, std::ssize(edges), {.compact = edges.data(), .weights = data_or_null(weights)});
}

void KroneckerGenerator::packed(std::int64_t first, std::span<PackedEdge> edges,
                                std::span<float> weights) const {
  ISOBATH_EXPECTS(weights.empty() || weights.size() == edges.size());
  std::array<Edge, 1024> batch;
  for (std::size_t at = 0; at < edges.size(); at += batch.size()) {
    const std::size_t count = std::min(batch.size(), edges.size() - at);
    generate(first + static_cast<std::int64_t>(at), static_cast<std::int64_t>(count),
             {.edges = batch.data(), .weights = weights.empty() ? nullptr : &weights[at]});
    for (std::size_t i = 0; i < count; ++i) edges[at + i] = isobath::packed(batch[i]);
  }
}

WeightedEdge KroneckerGenerator::edge_at(std::int64_t index) const {
  MrgState state = initial_.skipped(0, static_cast<std::uint64_t>(index), 0);
  std::uint64_t u = 0;
  std::uint64_t v = 0;
  for (int level = 0; level < parameters_.scale; ++level) {
    std::uint32_t draw = state.draw();
    while (draw < rejected_below) draw = state.draw();
    const std::uint32_t part = draw % 10000;
    std::uint64_t u_bit = (part >= initiator_b && part < initiator_bc) || part >= initiator_abc ? 1 : 0;
    std::uint64_t v_bit = part < initiator_b || part >= initiator_abc ? 1 : 0;
    if (u == v && u_bit > v_bit) std::swap(u_bit, v_bit);
    u = 2 * u + u_bit;
    v = 2 * v + v_bit;
  }
  return {{GlobalVertex{static_cast<std::int64_t>(scrambled(u))},
           GlobalVertex{static_cast<std::int64_t>(scrambled(v))}},
          static_cast<float>(state.draw()) * weight_per_unit};
}

std::uint64_t KroneckerGenerator::scrambled(std::uint64_t vertex) const {
  return reversed_bits(reversed_bits((vertex + setup_.addend) * setup_.multiplier0) * setup_.multiplier1);
}

/// Whole groups go straight to the output; the last, incomplete one by way of a buffer.
void KroneckerGenerator::generate(std::int64_t first, std::int64_t count, EdgeOutput output) const {
  ISOBATH_EXPECTS(first >= 0 && first + count <= parameters_.num_edges());
  if (count == 0) return;
  const auto group = static_cast<std::size_t>(kernel_.group);
  alignas(64) std::array<std::uint32_t, std::size_t{5} * max_group> windows;
  MrgState window = initial_.skipped(0, static_cast<std::uint64_t>(first), 5);
  for (std::size_t lane = 0; lane < group; ++lane) {
    for (std::size_t i = 0; i < 5; ++i) windows[i * group + lane] = window.z[i];
    window = next_edge_ * window;
  }

  const std::int64_t whole_groups = count / kernel_.group;
  for (std::int64_t done = 0; done < whole_groups; done += max_groups) {
    const std::int64_t at = done * kernel_.group;
    run_kernel(first + at, std::min<std::int64_t>(max_groups, whole_groups - done), windows.data(),
               output.from(at));
  }

  const std::int64_t at = whole_groups * kernel_.group;
  if (at == count) return;
  std::array<Edge, max_group> edges;
  std::array<CompactEdge, max_group> compact;
  std::array<float, max_group> weights;
  run_kernel(first + at, 1, windows.data(),
             {.edges = output.edges == nullptr ? nullptr : edges.data(),
              .compact = output.compact == nullptr ? nullptr : compact.data(),
              .weights = output.weights == nullptr ? nullptr : weights.data()});
  const EdgeOutput rest = output.from(at);
  if (rest.edges != nullptr) std::copy_n(edges.begin(), count - at, rest.edges);
  if (rest.compact != nullptr) std::copy_n(compact.begin(), count - at, rest.compact);
  if (rest.weights != nullptr) std::copy_n(weights.begin(), count - at, rest.weights);
}

/// Runs the kernel and replaces what it got wrong for want of a second draw: about one edge in 27,000 at
/// scale 22.
void KroneckerGenerator::run_kernel(std::int64_t first, std::int64_t groups, std::uint32_t* windows,
                                    EdgeOutput output) const {
  std::array<std::uint16_t, std::size_t{max_group} * max_groups> rejected;
  const int num_rejected = kernel_.run(setup_, windows, static_cast<int>(groups), output, rejected.data());
  for (int i = 0; i < num_rejected; ++i) {
    const std::size_t at = rejected[static_cast<std::size_t>(i)];
    const WeightedEdge right = edge_at(first + static_cast<std::int64_t>(at));
    if (output.edges != nullptr) output.edges[at] = right.edge;
    if (output.compact != nullptr) {
      output.compact[at] = {static_cast<std::uint32_t>(raw(right.edge.u)),
                            static_cast<std::uint32_t>(raw(right.edge.v))};
    }
    if (output.weights != nullptr) output.weights[at] = right.weight;
  }
}

}  // namespace isobath
