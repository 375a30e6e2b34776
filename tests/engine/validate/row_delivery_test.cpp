// SPDX-License-Identifier: Apache-2.0
#include "validate/row_delivery.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "partition/block_partition.hpp"
#include "validation_case.hpp"

namespace isobath::test {
namespace {

/// Places of all vertices in random order; every third vertex has none, and some ranks may have no row.
TEST(RowDelivery, BringsEachNumberToTheRowOfItsVertex) {
  const DealtRows dealt{static_cast<std::uint32_t>(world().rank()),
                        static_cast<std::uint32_t>(world().size())};
  for (const std::int64_t num_vertices : {2, 70, 131, 1000}) {
    Random random(static_cast<std::uint64_t>(num_vertices));
    std::vector<std::uint32_t> places;
    std::uint32_t num_places = 0;
    for (std::int64_t v = 0; v < num_vertices; ++v) {
      places.push_back(v % 3 == 2 ? EdgeCopy::no_place : num_places++);
      std::swap(places.back(), places[static_cast<std::size_t>(draw(random, v + 1))]);
    }
    const BlockPartition partition(num_vertices, world().size());
    const auto first = static_cast<std::size_t>(partition.first(world().rank()));
    const auto size = static_cast<std::size_t>(partition.size(world().rank()));
    RowDelivery delivery(world(), dealt, std::span(places).subspan(first, size));
    for (const std::uint32_t search : {1U, 2U}) {
      std::vector<std::uint32_t> by_row(dealt.rows_of(world().rank(), num_places));
      for (std::size_t v = 0; v < size; ++v) {
        delivery.put(v, static_cast<std::uint32_t>(first + v) * 10 + search);
      }

      delivery.deliver(by_row);

      for (std::size_t row = 0; row < by_row.size(); ++row) {
        const std::uint32_t place = dealt.place_of(static_cast<std::uint32_t>(row));
        const auto vertex = std::find(places.begin(), places.end(), place) - places.begin();
        EXPECT_EQ(by_row[row], static_cast<std::uint32_t>(vertex) * 10 + search) << row;
      }
    }
  }
}

}  // namespace
}  // namespace isobath::test
