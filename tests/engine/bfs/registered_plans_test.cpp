// SPDX-License-Identifier: Apache-2.0
// The registry of search plans: what it says of a plan is what the plan does.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/named_entry.hpp"
#include "bfs/planned.hpp"
#include "bfs/registered_plan.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream words{std::string(text)};
  return {std::istream_iterator<std::string>(words), {}};
}

std::unique_ptr<SearchPlan> constructed(const RegisteredPlan& plan, GridShape shape) {
  const SampleGraph graph = lattice(7, 10);
  const SpanEdgeStream edges = share_of(graph, world().rank(), world().size());
  PhaseObserver nobody;
  PlanOptions options{shape};
  options.switches = default_switches(plan.name);
  return construct_plan(plan.name, edges, world(), options, nobody);
}

TEST(RegisteredPlans, AreThoseOfTheDocumentation) {
  EXPECT_EQ(plan_names(), (std::vector<std::string>{"replicated-csr", "replicated-csc", "simple", "one-sided",
                                                    "two-dim", "hybrid"}));
}

TEST(RegisteredPlans, AreConstructedOnTheGridsThatTheyHaveAndOnNoOther) {
  const auto has = [](std::string_view plan, GridShape shape) {
    if (plan == "replicated-csr" || plan == "replicated-csc") return shape.cols == 1;
    if (plan == "simple" || plan == "one-sided") return shape.rows == 1;
    return true;
  };
  for (const RegisteredPlan& plan : search_plans()) {
    for (const GridShape shape : shapes_of(world().size())) {
      SCOPED_TRACE(std::string(plan.name) + " " + shape.text());
      if (has(plan.name, shape)) {
        EXPECT_EQ(constructed(plan, shape)->name(), plan.name);
      } else {
        EXPECT_THROW(constructed(plan, shape), UsageError);
      }
    }
    EXPECT_TRUE(has(plan.name, default_shape(plan.name, world().size()))) << plan.name;
  }
}

TEST(RegisteredPlans, OneThatNothingConstructsIsNotTakenForAnother) {
  const SampleGraph graph = lattice(7, 10);
  const SpanEdgeStream edges = share_of(graph, world().rank(), world().size());
  PhaseObserver nobody;
  const PlanOptions options{usually_squarest.usual(world().size())};
  const RegisteredPlan listed{.name = "listed", .shapes = usually_squarest};
  try {
    construct_registered(listed, static_cast<const EdgeStream&>(edges), world(), options, nobody);
    ADD_FAILURE() << "something was constructed";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("the plan listed is listed, but nothing constructs it"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(construct_plan("unlisted", edges, world(), options, nobody), UsageError);
}

TEST(RegisteredPlans, ChooseAmongValuesThatTheSwitchesHave) {
  for (const RegisteredPlan& plan : search_plans()) {
    for (const SwitchChoice& choice : plan.choices) {
      const SwitchEntry& entry = entry_named(switch_table(), choice.name, "switch");
      for (const std::string& value : words_of(choice.values)) {
        const Switches switches = switches_for(plan.name, {{std::string(choice.name), value}});
        EXPECT_EQ(entry.value_of(switches), value) << plan.name << " " << choice.name;
      }
    }
  }
}

TEST(RegisteredPlans, HaveEveryWayOfExchange) {
  for (const std::string_view way : exchange_names) {
    for (const std::string_view plan : {"simple", "two-dim", "hybrid"}) {
      EXPECT_EQ(switches_for(plan, {{"exchange", std::string(way)}}).exchange.has_value(), true) << way;
    }
  }
  EXPECT_EQ(words_of(any_exchange).size(), exchange_names.size());
  EXPECT_EQ(words_of(own_or_any_exchange).size(), exchange_names.size() + 1);
}

}  // namespace
}  // namespace isobath::test
