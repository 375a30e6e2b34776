// SPDX-License-Identifier: Apache-2.0
#include "graph/source_places.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Against a map, with places that sources elsewhere have, and in an order that is not that of sources.
TEST(SourcePlaces, AreThoseOfTheSourcesThatHaveOne) {
  std::mt19937_64 draw(3);
  for (const std::size_t size : {1U, 63U, 64U, 1000U}) {
    for (const std::uint64_t share : {0U, 1U, 50U, 100U}) {  // of a hundred
      std::uint32_t count = 0;
      std::map<std::size_t, std::uint32_t> place_of;
      std::vector<SourcePlaces::Placed> placed;
      for (std::size_t source = size; source-- > 0;) {
        if (draw() % 100 >= share) continue;
        count += static_cast<std::uint32_t>(draw() % 3);  // of sources elsewhere
        placed.push_back({source, count});
        place_of[source] = count++;
      }
      for (const std::size_t most_bits : {std::size_t{0}, std::size_t{1000}}) {
        const SourcePlaces places(size, count, placed, most_bits);
        EXPECT_EQ(places.count(), count);
        places.visit([&](const auto& found_of) {
          for (std::size_t source = 0; source < size; ++source) {
            const auto expected = place_of.find(source);
            ASSERT_EQ(found_of(source), expected == place_of.end() ? count : expected->second) << source;
          }
        });
      }
    }
  }
}

}  // namespace
}  // namespace isobath
