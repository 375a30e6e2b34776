// SPDX-License-Identifier: Apache-2.0
#include "apps/krylov_options.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

CommandLine<KrylovOptions> read_krylov(const std::string& arguments) {
  std::vector<std::string> words = {"isobath-krylov"};
  std::istringstream text(arguments);
  std::string word;
  while (text >> word) words.push_back(word);
  std::vector<const char*> argv;
  for (const std::string& each : words) argv.push_back(each.c_str());
  return read_krylov_command_line(static_cast<int>(argv.size()), argv.data());
}

/// The sentence that refuses these arguments; empty where they are taken.
std::string krylov_refusal_of(const std::string& arguments) {
  try {
    read_krylov(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

/// A cell in a word: pipelined/64/tests 3.
std::string word_of(const KrylovCell& cell) {
  std::string word(name_of(cell.method));
  word += "/" + std::to_string(cell.elements) + "/";
  word += cell.mode ? name_of(*cell.mode) : "blocking";
  return cell.tests == 0 ? word : word + " " + std::to_string(cell.tests);
}

std::vector<std::string> words_of(const std::string& arguments) {
  std::vector<std::string> words;
  for (const KrylovCell& cell : krylov_cells(read_krylov(arguments).options)) words.push_back(word_of(cell));
  return words;
}

TEST(KrylovOptions, AreRead) {
  const KrylovOptions read =
      read_krylov(
          "--elements 8,1536 --methods pipelined --progress tests,offload --aggregators 2 --tests 1,5 "
          "--iterations 7 --alignment roundtime --threads 3")
          .options;
  EXPECT_EQ(read.elements, (std::vector<std::int64_t>{8, 1536}));
  EXPECT_EQ(read.methods, std::vector<KrylovMethod>{KrylovMethod::pipelined});
  EXPECT_EQ(read.modes, (std::vector<ProgressMode>{ProgressMode::tests, ProgressMode::offload}));
  EXPECT_EQ(read.tests, (std::vector<int>{1, 5}));
  EXPECT_EQ(read.iterations, 7);
  EXPECT_EQ(read.alignment, Alignment::round_time);
  EXPECT_EQ(read.threads, 3);
}

TEST(KrylovOptions, BlockingReductionsAreTheControlArmOfEveryMethod) {
  EXPECT_EQ(words_of("--elements 64 --methods cg,pipelined --progress library,tests --tests 1,3"),
            (std::vector<std::string>{"cg/64/blocking", "pipelined/64/blocking", "pipelined/64/library",
                                      "pipelined/64/tests 1", "pipelined/64/tests 3"}));
  EXPECT_EQ(words_of("--elements 4,8 --methods gropp --progress none"),
            (std::vector<std::string>{"gropp/4/blocking", "gropp/8/blocking"}));
}

TEST(KrylovOptions, ASeedShufflesCellsAndLosesNone) {
  std::vector<std::string> listed = words_of("--elements 4,8");
  std::vector<std::string> shuffled = words_of("--elements 4,8 --seed 5");
  EXPECT_NE(listed, shuffled);
  EXPECT_EQ(shuffled, words_of("--elements 4,8 --seed 5"));
  std::sort(listed.begin(), listed.end());
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(listed, shuffled);
}

TEST(KrylovOptions, WhatMakesNoSenseIsRefused) {
  EXPECT_EQ(krylov_refusal_of("--methods gmres"),
            "method 'gmres' is unknown; choose cg, single, gropp or pipelined");
  EXPECT_EQ(krylov_refusal_of("--progress offload"),
            "offload needs ranks that aggregate; add --aggregators 1 and start one rank more");
  EXPECT_NE(krylov_refusal_of("--elements 1"), "");
  EXPECT_NE(krylov_refusal_of("--tests 0"), "");
}

}  // namespace
}  // namespace isobath
