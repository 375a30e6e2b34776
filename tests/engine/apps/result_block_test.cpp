// SPDX-License-Identifier: Apache-2.0
#include "apps/result_block.hpp"

#include <string>

#include <gtest/gtest.h>

#include "../record/file_tree.hpp"

namespace isobath {
namespace {

Outcome two_searches() {
  Outcome outcome;
  outcome.generation_seconds = 0.25;
  outcome.construction_seconds = 0.5;
  outcome.searches = {{0.5, 100, 110, 1.0}, {0.25, 100, 110, 1.0}};
  outcome.disclosures = {"leaves were left out", "two untimed warm-up searches were run"};
  return outcome;
}

/// What publish() prints, and leaves in its files.
struct Published {
  std::string output;
  std::string errors;
  std::string reference;
  std::string specification;
};

Published published(const Outcome& outcome, Options options, bool oversubscribed = false) {
  const FileTree tree;
  options.official_reference_file = tree.path("reference.txt");
  options.official_spec_file = tree.path("spec.txt");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  publish(outcome, options, 4, oversubscribed);
  Published texts;
  texts.output = testing::internal::GetCapturedStdout();
  texts.errors = testing::internal::GetCapturedStderr();
  texts.reference = tree.read("reference.txt");
  texts.specification = tree.read("spec.txt");
  return texts;
}

TEST(Publish, PrintsTheBlockAndWritesBothFiles) {
  const Published texts = published(two_searches(), {});
  EXPECT_EQ(texts.output, texts.reference);
  EXPECT_NE(texts.output.find("bfs  harmonic_mean_TEPS:     !  266.667\n"), std::string::npos)
      << texts.output;
  EXPECT_NE(texts.output.find("num_mpi_processes:              4\n"), std::string::npos);
  EXPECT_NE(texts.specification.find("bfs_max_nedge: 1.10000000000000000e+02\n"), std::string::npos);
  EXPECT_NE(texts.specification.find("\n# leaves were left out\n"), std::string::npos)
      << "techniques are disclosed";
  EXPECT_EQ(texts.errors, "");
  EXPECT_EQ(exit_code_of(two_searches()), ExitCode::done);
}

TEST(Publish, LeavesTheBangOutOnRequest) {
  Options options;
  options.legacy_no_bang = true;
  EXPECT_EQ(published(two_searches(), options).output.find('!'), std::string::npos);
}

TEST(Publish, AnInvalidRunHasNoNumbers) {
  Outcome outcome = two_searches();
  outcome.violations = 3;
  const Published texts = published(outcome, {});
  EXPECT_EQ(texts.output, "No results printed for invalid run.\n");
  EXPECT_EQ(texts.reference, texts.output);
  EXPECT_EQ(texts.specification, texts.output);
  EXPECT_EQ(exit_code_of(outcome), ExitCode::violations);
}

TEST(Publish, AStoppedRunHasNoResult) {
  Outcome outcome = two_searches();
  outcome.stopped = true;
  const Published texts = published(outcome, {});
  EXPECT_EQ(texts.output, "");
  EXPECT_EQ(texts.reference, "");
  EXPECT_NE(texts.errors.find("stopped on request after 2 searches"), std::string::npos) << texts.errors;
  EXPECT_EQ(exit_code_of(outcome), ExitCode::environment);
}

TEST(Publish, NumbersWithoutValidationAreCalledSo) {
  Outcome outcome = two_searches();
  for (OfficialSearch& search : outcome.searches) search.validation_seconds.reset();
  Options options;
  options.validation = false;
  const Published texts = published(outcome, options);
  EXPECT_NE(texts.errors.find("UNVALIDATED"), std::string::npos);
  EXPECT_NE(texts.specification.find("# UNVALIDATED"), std::string::npos);
}

TEST(Publish, AnOversubscribedRunIsCalledSo) {
  EXPECT_NE(published(two_searches(), {}, true).errors.find("oversubscribed"), std::string::npos);
}

TEST(Publish, AnOfficialRunSaysWhatItDid) {
  Options options;
  options.official = true;
  const std::string errors = published(two_searches(), options).errors;
  EXPECT_NE(errors.find("isobath: leaves were left out\n"), std::string::npos);
  EXPECT_NE(errors.find("isobath: two untimed warm-up searches were run\n"), std::string::npos);
}

TEST(Publish, AFileThatCannotBeWrittenIsTheEnvironmentsFault) {
  Options options;
  options.official_reference_file = "/nonexistent/reference.txt";
  EXPECT_THROW(publish(two_searches(), options, 1, false), EnvironmentError);
}

}  // namespace
}  // namespace isobath
