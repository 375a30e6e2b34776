// SPDX-License-Identifier: Apache-2.0
#include "record/krylov.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace isobath {
namespace {

KrylovRecord krylov_record() {
  KrylovRecord record;
  record.method = "gropp";
  record.elements = 128;
  record.iterations = 2;
  record.ranks = 2;
  record.aggregators = 1;
  record.threads_per_rank = 3;
  record.progress = "tests";
  record.tests = 5;
  record.alignment = "roundtime";
  record.oversubscribed = true;
  record.launch = 4;
  record.order = 6;
  record.solve = {.together_nanoseconds = {30, 40}, .rank_nanoseconds = {{10, 20}, {11, 21}}};
  record.parts = {{"product", {{1, 2}, {3, 4}}}, {"halo", {{5, 6}, {7, 8}}}};
  record.invalid = {1};
  record.norms = {1, 0.1, 1.0 / 3};
  record.error = 1e-17;
  return record;
}

TEST(KrylovRecord, HasAllThatWasMeasured) {
  const auto json = nlohmann::json::parse(to_line(krylov_record(), "r1"));
  const auto expected = nlohmann::json::parse(
      R"({"schema": 1, "kind": "krylov", "run_id": "r1", "origin": "measured", "implementation": "isobath",
          "method": "gropp", "elements": 128, "iterations": 2, "ranks": 2, "aggregators": 1,
          "threads_per_rank": 3, "progress": "tests", "tests": 5, "alignment": "roundtime",
          "oversubscribed": true, "launch": 4, "order": 6,
          "solve": {"together_nanoseconds": [30, 40], "rank_nanoseconds": [[10, 20], [11, 21]]},
          "parts": {"product": [[1, 2], [3, 4]], "halo": [[5, 6], [7, 8]]},
          "invalid": [1], "norms": [1, 0.1, 0.3333333333333333], "error": 1e-17, "data_check": "passed"})");
  EXPECT_EQ(json, expected);
}

TEST(KrylovRecord, OfWhatCannotRunHasNothingMeasured) {
  KrylovRecord record = krylov_record();
  record.not_runnable = "needs a processor more";
  const auto json = nlohmann::json::parse(to_line(record, "r1"));
  EXPECT_EQ(json.at("not_runnable"), "needs a processor more");
  EXPECT_EQ(json.at("order"), 6);
  for (const char* field :
       {"solve", "parts", "invalid", "norms", "error", "data_check", "data_check_failure"}) {
    EXPECT_FALSE(json.contains(field)) << field;
  }
}

TEST(KrylovRecord, SaysWhyItsNumbersAreWrong) {
  KrylovRecord record = krylov_record();
  record.data_check_failure = "norm 1 is 0.2";
  const auto json = nlohmann::json::parse(to_line(record, "r1"));
  EXPECT_EQ(json.at("data_check"), "failed");
  EXPECT_EQ(json.at("data_check_failure"), "norm 1 is 0.2");
}

TEST(KrylovRecord, RefusesWhatIsNoNumber) {
  KrylovRecord record = krylov_record();
  record.norms[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(to_line(record, "r1"), InternalError);
  record = krylov_record();
  record.error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(to_line(record, "r1"), InternalError);
}

}  // namespace
}  // namespace isobath
