// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generator/edge_kernel.hpp"
#include "random/mrg.hpp"

// Eight edges side by side, so that the multiplications of one hide behind those of the others.

namespace isobath {
namespace {

constexpr int group = 8;

using Lanes = std::uint32_t[group];
using WideLanes = std::uint64_t[group];

/// From an edge's five last draws to those of the edge one group later.
void advance(const KernelSetup& setup, const std::uint32_t* from, std::uint32_t* to) {
  for (int i = 0; i < 5; ++i) {
    for (int lane = 0; lane < group; ++lane) {
      std::uint64_t sum = setup.offset[i];
      for (int k = 0; k < 5; ++k) {
        const auto entry = static_cast<std::uint64_t>(std::int64_t{setup.advance[i][k]});
        sum += entry * from[k * group + lane];  // modulo 2^64; the sum itself is never negative
      }
      to[i * group + lane] = static_cast<std::uint32_t>(mrg_reduced(sum));
    }
  }
}

/// The next draw of every lane; z is used as a ring, z[newest] being replaced last.
void draw(Lanes* z, int newest, int oldest) {
  for (int lane = 0; lane < group; ++lane) {
    const std::uint64_t sum = mrg_multiplier_1 * z[newest][lane] + mrg_multiplier_5 * z[oldest][lane];
    const std::uint64_t folded = (sum & mrg_modulus) + (sum >> 31);  // sum < 2^59, so this is below twice the modulus
    z[oldest][lane] = static_cast<std::uint32_t>(folded >= mrg_modulus ? folded - mrg_modulus : folded);
  }
}

std::uint64_t reversed_bits(std::uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
  return __builtin_bswap64(x);
}

std::uint64_t scrambled(const KernelSetup& setup, std::uint64_t vertex) {
  const int unused_bits = 64 - setup.scale;
  vertex = reversed_bits((vertex + setup.addend) * setup.multiplier0) >> unused_bits;
  return reversed_bits(vertex * setup.multiplier1) >> unused_bits;
}

int run(const KernelSetup& setup, std::uint32_t* states, int groups, EdgeOutput output, std::uint16_t* rejected) {
  int num_rejected = 0;
  for (int at = 0; at < groups * group; at += group) {
    std::uint32_t next_states[5 * group];
    advance(setup, states, next_states);
    Lanes z[5];
    for (int i = 0; i < 5 * group; ++i) z[i / group][i % group] = states[i];
    for (int i = 0; i < 5 * group; ++i) states[i] = next_states[i];

    WideLanes v = {};
    WideLanes differ = {};  // u xor v
    Lanes least;
    for (std::uint32_t& draw_so_far : least) draw_so_far = rejected_below;
    int newest = 0;
    for (int level = 0; level < setup.scale; ++level) {
      const int oldest = newest == 0 ? 4 : newest - 1;
      draw(z, newest, oldest);
      newest = oldest;
      for (int lane = 0; lane < group; ++lane) {
        const std::uint32_t drawn = z[newest][lane];
        const std::uint32_t part = drawn % 10000;
        least[lane] = drawn < least[lane] ? drawn : least[lane];
        differ[lane] = 2 * differ[lane] + (part < initiator_bc ? 1 : 0);
        v[lane] = 2 * v[lane] + (part < initiator_b || part >= initiator_abc ? 1 : 0);
      }
    }
    if (output.weights != nullptr) {
      const int oldest = newest == 0 ? 4 : newest - 1;
      draw(z, newest, oldest);
      newest = oldest;
    }

    for (int lane = 0; lane < group; ++lane) {
      if (least[lane] < rejected_below) rejected[num_rejected++] = static_cast<std::uint16_t>(at + lane);
      // The first level where u and v differ always gives v the larger bit: the initiator mirrored at the diagonal.
      if (differ[lane] != 0) v[lane] |= std::bit_floor(differ[lane]);
      const std::uint64_t v_label = scrambled(setup, v[lane]);
      const std::uint64_t u_label = scrambled(setup, v[lane] ^ differ[lane]);
      if (output.edges != nullptr) {
        output.edges[at + lane] = {GlobalVertex{static_cast<std::int64_t>(u_label)},
                                   GlobalVertex{static_cast<std::int64_t>(v_label)}};
      }
      if (output.compact != nullptr) {
        output.compact[at + lane] = {static_cast<std::uint32_t>(u_label), static_cast<std::uint32_t>(v_label)};
      }
      if (output.weights != nullptr) {
        const double drawn = static_cast<double>(static_cast<float>(z[newest][lane]));
        output.weights[at + lane] = static_cast<float>(drawn * 4.65661287524579692e-10);
      }
    }
  }
  return num_rejected;
}

}  // namespace

EdgeKernel portable_edge_kernel() { return {run, group}; }

}  // namespace isobath
