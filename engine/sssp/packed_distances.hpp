// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sssp/sweep.hpp"

namespace isobath {

/// How the distances of those of an owner's vertices that were lowered travel, whichever takes least: 8 bytes
/// for each of them, a bit for every vertex and 4 bytes for each of them, or 4 bytes for every vertex.
/// Whoever knows how many there are of how many knows the form.
enum class DistanceForm { list, bits, all };

struct ListedDistance {
  std::uint32_t vertex;  // working number at its owner
  float distance;
};

/// Of a bit for every vertex: whole 32 bits, so that what follows is aligned.
constexpr std::int64_t bytes_of_bits(std::int64_t vertices) { return (vertices + 31) / 32 * 4; }

constexpr DistanceForm form_of_distances(std::int64_t lowered, std::int64_t vertices) {
  constexpr std::int64_t each = sizeof(float);
  const std::int64_t all = each * vertices;
  const std::int64_t with_bits = bytes_of_bits(vertices) + each * lowered;
  const std::int64_t list = static_cast<std::int64_t>(sizeof(ListedDistance)) * lowered;
  if (list <= std::min(with_bits, all)) return DistanceForm::list;
  return with_bits < all ? DistanceForm::bits : DistanceForm::all;
}

constexpr std::int64_t bytes_of_distances(std::int64_t lowered, std::int64_t vertices) {
  constexpr std::int64_t each = sizeof(float);
  switch (form_of_distances(lowered, vertices)) {
    case DistanceForm::list:
      return static_cast<std::int64_t>(sizeof(ListedDistance)) * lowered;
    case DistanceForm::bits:
      return bytes_of_bits(vertices) + each * lowered;
    case DistanceForm::all:
      break;
  }
  return each * vertices;
}

/// Calls visit(row) for the rows whose bit is set, counted from the first.
template <class Visit>
void for_each_lowered(std::span<const std::uint16_t> lowered, Visit&& visit) {
  for (std::size_t entry = 0; entry < lowered.size(); ++entry) {
    for (unsigned rows = lowered[entry]; rows != 0; rows &= rows - 1) {
      visit(static_cast<std::uint32_t>(entry * rows_of_entry) +
            static_cast<std::uint32_t>(std::countr_zero(rows)));
    }
  }
}

std::int64_t count_lowered(std::span<const std::uint16_t> lowered);

/// @param lowered   a bit for each vertex, `count` of them set  @param distance  of every vertex
/// @param out       bytes_of_distances()
void write_distances(std::span<const std::uint16_t> lowered, std::int64_t count,
                     std::span<const float> distance, std::byte* out);

/// The same of vertices that do not stand one after the other.
/// @param visit_lowered  calls its argument (vertex, distance) for each that was lowered, ascending
template <class VisitLowered>
void write_distances_of(std::int64_t count, std::int64_t vertices, VisitLowered&& visit_lowered,
                        std::byte* out) {
  const DistanceForm form = form_of_distances(count, vertices);
  std::byte* next = out;
  if (form == DistanceForm::bits) next = std::fill_n(out, bytes_of_bits(vertices), std::byte{0});
  if (form == DistanceForm::all) {
    for (std::int64_t v = 0; v < vertices; ++v, next += sizeof unreached) {
      std::memcpy(next, &unreached, sizeof unreached);
    }
  }
  visit_lowered([&](std::uint32_t vertex, float distance) {
    if (form == DistanceForm::list) {
      const ListedDistance one{vertex, distance};
      std::memcpy(next, &one, sizeof one);
      next += sizeof one;
    } else if (form == DistanceForm::bits) {
      out[vertex / 8] |= std::byte{1} << vertex % 8;
      std::memcpy(next, &distance, sizeof distance);
      next += sizeof distance;
    } else {
      std::memcpy(out + std::size_t{vertex} * sizeof distance, &distance, sizeof distance);
    }
  });
}

/// Calls visit(vertex, distance) for what was written, and perhaps for vertices that were not lowered.
template <class Visit>
void read_distances(const std::byte* bytes, std::int64_t lowered, std::int64_t vertices, Visit&& visit) {
  const auto distance_at = [](const std::byte* at) {
    float distance = 0;
    std::memcpy(&distance, at, sizeof distance);
    return distance;
  };
  switch (form_of_distances(lowered, vertices)) {
    case DistanceForm::list:
      for (std::int64_t i = 0; i < lowered; ++i) {
        ListedDistance one;
        std::memcpy(&one, bytes + i * static_cast<std::int64_t>(sizeof one), sizeof one);
        visit(one.vertex, one.distance);
      }
      return;
    case DistanceForm::bits: {
      const std::byte* next = bytes + bytes_of_bits(vertices);
      for (std::int64_t base = 0; base < vertices; base += 32) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes + base / 8, sizeof word);
        for (; word != 0; word &= word - 1, next += sizeof(float)) {
          visit(static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(std::countr_zero(word)),
                distance_at(next));
        }
      }
      return;
    }
    case DistanceForm::all:
      break;
  }
  for (std::int64_t v = 0; v < vertices; ++v) {
    visit(static_cast<std::uint32_t>(v), distance_at(bytes + v * static_cast<std::int64_t>(sizeof(float))));
  }
}

}  // namespace isobath
