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

/// From an edge's first five draws to those of the edge one group later.
void advance(const KernelSetup& setup, const std::uint32_t* from, std::uint32_t* to) {
  for (int i = 0; i < 5; ++i) {
    for (int lane = 0; lane < group; ++lane) {
      std::uint64_t sum = setup.offset[i];
      for (int k = 0; k < 5; ++k) {
        const auto entry = static_cast<std::uint64_t>(std::int64_t{setup.advance[i][k]});
        sum += entry * from[k * group + lane];  // modulo 2^64; the sum itself is never negative
      }
      to[i * group + lane] = static_cast<std::uint32_t>(mrg_reduced(sum / 2));
    }
  }
}

/// Draw `index` of every lane, for indices in rising order: z is a ring that begins with draws 4, 3, 2, 1, 0.
const Lanes& draw(Lanes* z, int index) {
  const int place = 4 - index % 5;
  if (index >= 5) {
    const int newest = place == 4 ? 0 : place + 1;
    for (int lane = 0; lane < group; ++lane) {
      const std::uint64_t sum = mrg_multiplier_1 * z[newest][lane] + mrg_multiplier_5 * z[place][lane];
      const std::uint64_t folded = (sum & mrg_modulus) + (sum >> 31);  // sum < 2^59: below twice the modulus
      z[place][lane] = static_cast<std::uint32_t>(folded >= mrg_modulus ? folded - mrg_modulus : folded);
    }
  }
  return z[place];
}

std::uint64_t reversed_bits(std::uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
  return __builtin_bswap64(x);
}

std::uint64_t scrambled(const KernelSetup& setup, std::uint64_t vertex) {
  return reversed_bits(reversed_bits((vertex + setup.addend) * setup.multiplier0) * setup.multiplier1);
}

int run(const KernelSetup& setup, std::uint32_t* windows, int groups, EdgeOutput output,
        std::uint16_t* rejected) {
  int num_rejected = 0;
  for (int at = 0; at < groups * group; at += group) {
    std::uint32_t next_windows[5 * group];
    advance(setup, windows, next_windows);
    Lanes z[5];
    for (int i = 0; i < 5 * group; ++i) z[i / group][i % group] = windows[i];
    for (int i = 0; i < 5 * group; ++i) windows[i] = next_windows[i];

    WideLanes v = {};
    WideLanes differ = {};  // u xor v
    Lanes least;
    for (std::uint32_t& draw_so_far : least) draw_so_far = rejected_below;
    for (int level = 0; level < setup.scale; ++level) {
      const Lanes& drawn = draw(z, level);
      for (int lane = 0; lane < group; ++lane) {
        const std::uint32_t part = drawn[lane] % 10000;
        least[lane] = drawn[lane] < least[lane] ? drawn[lane] : least[lane];
        differ[lane] = 2 * differ[lane] + (part < initiator_bc ? 1 : 0);
        v[lane] = 2 * v[lane] + (part < initiator_b || part >= initiator_abc ? 1 : 0);
      }
    }
    if (output.weights != nullptr) {
      const Lanes& drawn = draw(z, setup.scale);
      for (int lane = 0; lane < group; ++lane) {
        output.weights[at + lane] =
            static_cast<float>(static_cast<std::int32_t>(drawn[lane])) * weight_per_unit;
      }
    }

    for (int lane = 0; lane < group; ++lane) {
      if (least[lane] < rejected_below) rejected[num_rejected++] = static_cast<std::uint16_t>(at + lane);
      // The first level where u and v differ always gives v the larger bit: the initiator mirrored at the
      // diagonal.
      if (differ[lane] != 0) v[lane] |= std::bit_floor(differ[lane]);
      const std::uint64_t v_label = scrambled(setup, v[lane]);
      const std::uint64_t u_label = scrambled(setup, v[lane] ^ differ[lane]);
      if (output.edges != nullptr) {
        output.edges[at + lane] = {GlobalVertex{static_cast<std::int64_t>(u_label)},
                                   GlobalVertex{static_cast<std::int64_t>(v_label)}};
      }
      if (output.compact != nullptr) {
        output.compact[at + lane] = {static_cast<std::uint32_t>(u_label),
                                     static_cast<std::uint32_t>(v_label)};
      }
    }
  }
  return num_rejected;
}

}  // namespace

EdgeKernel portable_edge_kernel() { return {run, group}; }

}  // namespace isobath
