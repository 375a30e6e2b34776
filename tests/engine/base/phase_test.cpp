// SPDX-License-Identifier: Apache-2.0
#include "base/phase.hpp"

#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace isobath {
namespace {

TEST(Phase, NamesAreDistinctAndFitTheHeartbeat) {
  std::set<std::string_view> names;
  for (const std::string_view name : phase_names) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_FALSE(name.empty());
    EXPECT_LT(name.size(), 24U) << name;  // with its zero, the field of a heartbeat slot
    for (const char letter : name) EXPECT_TRUE(std::islower(letter) != 0 || letter == '_') << name;
  }
  EXPECT_EQ(names.size(), num_phases);
}

TEST(Phase, NamesBelongToTheirPhases) {
  EXPECT_EQ(name_of(Phase::start), "start");
  EXPECT_EQ(name_of(Phase::generate), "generate");
  EXPECT_EQ(name_of(Phase::count_degrees), "count_degrees");
  EXPECT_EQ(name_of(Phase::number_vertices), "number_vertices");
  EXPECT_EQ(name_of(Phase::deliver_arcs), "deliver_arcs");
  EXPECT_EQ(name_of(Phase::sort_rows), "sort_rows");
  EXPECT_EQ(name_of(Phase::build_streams), "build_streams");
  EXPECT_EQ(name_of(Phase::components), "components");
  EXPECT_EQ(name_of(Phase::check_construction), "check_construction");
  EXPECT_EQ(name_of(Phase::sample_keys), "sample_keys");
  EXPECT_EQ(name_of(Phase::reset), "reset");
  EXPECT_EQ(name_of(Phase::expand), "expand");
  EXPECT_EQ(name_of(Phase::top_down), "top_down");
  EXPECT_EQ(name_of(Phase::hub_pass), "hub_pass");
  EXPECT_EQ(name_of(Phase::bottom_up), "bottom_up");
  EXPECT_EQ(name_of(Phase::rotate), "rotate");
  EXPECT_EQ(name_of(Phase::fold), "fold");
  EXPECT_EQ(name_of(Phase::adopt), "adopt");
  EXPECT_EQ(name_of(Phase::reduce), "reduce");
  EXPECT_EQ(name_of(Phase::emit), "emit");
  EXPECT_EQ(name_of(Phase::validate), "validate");
  EXPECT_EQ(name_of(Phase::write), "write");
  EXPECT_EQ(name_of(Phase::finish), "finish");
}

TEST(PhaseObserver, IgnoresPhasesByDefault) {
  PhaseObserver observer;
  EXPECT_NO_THROW(observer.phase(Phase::fold));
}

}  // namespace
}  // namespace isobath
