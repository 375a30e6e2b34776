// SPDX-License-Identifier: Apache-2.0
#pragma once

// The border between the generator and its vector kernels. Kernels are compiled with the flags of their
// instruction set, so they include nothing whose inline functions might be shared with the rest of the
// program.

#include <cstdint>

#include "base/vertex.hpp"
#include "generator/compact_edge.hpp"

namespace isobath {

/// Draws below this are drawn again, so that draw mod 10000 is uniform: (2^31 - 1) mod 10000.
inline constexpr std::uint32_t rejected_below = 3647;
/// The initiator in ten-thousandths: B, B + C, 1 - D.
inline constexpr std::uint32_t initiator_b = 1900;
inline constexpr std::uint32_t initiator_bc = 3800;
inline constexpr std::uint32_t initiator_abc = 9500;
/// A weight is the draw after those of the levels, rounded to float, times this: 2^-31.
///
/// The reference multiplies the float in double by 1 / (2^31 - 1), and rounds to float again. Its factor is
/// larger by 2^-31 of itself, and half the distance to the next float is at least 2^-25 of a float: so the
/// second rounding gives back the float, moved down by 31 binary places.
inline constexpr float weight_per_unit = 0x1p-31F;

/// The largest number of edges a kernel computes together.
inline constexpr int max_group = 32;
/// The largest number of groups in one call of a kernel.
inline constexpr int max_groups = 128;

/// One graph, in the form kernels want it.
struct KernelSetup {
  int scale;
  // Vertex permutation: v -> reversed(reversed((v + addend) * multiplier0) * multiplier1), where reversed()
  // turns all 64 bits round. The multipliers of the specification are shifted up by 64 - scale bits, so that
  // the products stand at the upper end and the specification's shifts after each reversal have nothing left
  // to do. For scale <= 32 the same holds of 32-bit words with the upper halves of the multipliers.
  std::uint64_t addend;
  std::uint64_t multiplier0;
  std::uint64_t multiplier1;
  // From the draws of an edge to those of the edge one group later: twice new z[i] = offset[i] + sum over k
  // of advance[i][k] * z[k], mod 2^31 - 1. Everything is twice its value. Entries are centred at zero, and an
  // offset is the multiple of the modulus by which the sum of the five products is never negative: it fits 64
  // bits unreduced, and its upper word is less than twice the modulus.
  std::int32_t advance[5][5];
  std::uint64_t offset[5];
};

/// Where results go: one of the first two; weights unless null.
struct EdgeOutput {
  Edge* edges = nullptr;
  CompactEdge* compact = nullptr;
  float* weights = nullptr;

  EdgeOutput from(std::int64_t at) const {
    return {edges == nullptr ? nullptr : edges + at, compact == nullptr ? nullptr : compact + at,
            weights == nullptr ? nullptr : weights + at};
  }
};

/// Computes `groups` groups of edges (at most max_groups).
///
/// `windows`: the first five draws of each edge, the fifth first: z[i] of lane j at windows[i * group + j],
/// lane j being edge j of the first group. They are moved on to the group after the last. (Any five draws in
/// a row are a state of the generator; these also save the first five levels their draws.) An edge with a
/// rejected draw comes out wrong; its position is written to `rejected`. Returns the number of rejected
/// edges.
using EdgeKernelFunction = int (*)(const KernelSetup& setup, std::uint32_t* windows, int groups,
                                   EdgeOutput output, std::uint16_t* rejected);

struct EdgeKernel {
  EdgeKernelFunction run = nullptr;
  int group = 0;  // edges computed together
};

/// Scales below this need the portable kernel: the others take the draws of five levels for granted.
inline constexpr int min_vector_scale = 5;

EdgeKernel portable_edge_kernel();
EdgeKernel avx2_edge_kernel();
EdgeKernel avx512_edge_kernel();

}  // namespace isobath
