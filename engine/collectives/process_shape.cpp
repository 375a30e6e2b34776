// SPDX-License-Identifier: Apache-2.0
#include "collectives/process_shape.hpp"

#include <charconv>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr std::size_t most_dimensions = 3;

}  // namespace

int ProcessShape::size() const {
  int product = 1;
  for (const int extent : extents) product *= extent;
  return product;
}

std::string ProcessShape::text() const { return fmt::format("{}", fmt::join(extents, "x")); }

ProcessShape ProcessShape::parse(const std::string& text) {
  const auto refuse = [&]() -> UsageError {
    return UsageError(
        fmt::format("'{}' is no arrangement of ranks; write for example 4, 2x2 or 2x2x2", text));
  };
  ProcessShape shape;
  shape.extents.clear();
  std::int64_t product = 1;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int extent = 0;
    const auto read = std::from_chars(at, end, extent);
    if (read.ec != std::errc() || extent < 1 || shape.extents.size() == most_dimensions) throw refuse();
    product *= extent;
    if (product > std::numeric_limits<int>::max()) throw refuse();
    shape.extents.push_back(extent);
    if (read.ptr == end) return shape;
    if (*read.ptr != 'x') throw refuse();
    at = read.ptr + 1;
  }
}

Along Along::parse(std::string_view text, const ProcessShape& shape) {
  if (text == "world") return {};
  const auto dimensions = static_cast<int>(shape.extents.size());
  if (dimensions == 2 && text == "row") return {.dimension = 1};
  if (dimensions == 2 && text == "col") return {.dimension = 0};
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    if (text == std::to_string(dimension)) return {.dimension = dimension};
  }
  throw UsageError(fmt::format("the arrangement {} has no communicators along '{}'; there are world, {}{}",
                               shape.text(), text, dimensions == 2 ? "row, col, " : "",
                               dimensions == 1 ? "0" : fmt::format("0 to {}", dimensions - 1)));
}

Place place_of(int rank, const ProcessShape& shape, Along along) {
  if (along.dimension == Along::world) return {.colour = 0, .key = rank};
  Place place;
  int stride = 1;
  for (std::size_t d = 0; d < shape.extents.size(); ++d) {
    const int coordinate = rank % shape.extents[d];
    rank /= shape.extents[d];
    if (static_cast<int>(d) == along.dimension) {
      place.key = coordinate;
    } else {
      place.colour += coordinate * stride;
      stride *= shape.extents[d];
    }
  }
  return place;
}

int communicators(const ProcessShape& shape, Along along) {
  if (along.dimension == Along::world) return 1;
  return shape.size() / shape.extents[static_cast<std::size_t>(along.dimension)];
}

std::vector<int> extents_of_one(const ProcessShape& shape, Along along) {
  if (along.dimension == Along::world) return shape.extents;
  return {shape.extents[static_cast<std::size_t>(along.dimension)]};
}

}  // namespace isobath
