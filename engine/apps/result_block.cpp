// SPDX-License-Identifier: Apache-2.0
#include "apps/result_block.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "graph500/official_output.hpp"
#include "graph500/official_rules.hpp"
#include "record/record_writer.hpp"

namespace isobath {
namespace {

struct Texts {
  std::string reference;
  std::string specification;
};

Texts texts_of(const Outcome& outcome, const Options& options, int ranks,
               const std::vector<std::string>& notes) {
  if (outcome.violations > 0) return {invalid_run_text(), invalid_run_text()};
  OfficialNumbers heading;
  heading.scale = options.graph.scale;
  heading.edgefactor = options.graph.edgefactor;
  heading.ranks = ranks;
  heading.generation_seconds = outcome.generation_seconds;
  heading.construction_seconds = outcome.construction_seconds;
  const OfficialNumbers reference = official_numbers(heading, outcome.searches, SelfLoops::left_out);
  const OfficialNumbers specification = official_numbers(heading, outcome.searches, SelfLoops::counted);
  return {reference_text(reference, !options.legacy_no_bang), specification_text(specification, notes)};
}

void print_block(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw EnvironmentError(
        fmt::format("cannot write the result to standard output ({})", std::strerror(errno)));
  }
}

}  // namespace

void publish(const Outcome& outcome, const Options& options, int ranks, bool oversubscribed) {
  const std::vector<std::string> notes =
      disclosures(options.validation, options.warmup_searches, oversubscribed);
  const Texts texts = texts_of(outcome, options, ranks, notes);
  if (!options.official_reference_file.empty()) write_file(options.official_reference_file, texts.reference);
  if (!options.official_spec_file.empty()) write_file(options.official_spec_file, texts.specification);
  print_block(texts.reference);
  if (outcome.violations > 0) return;
  if (options.official) {
    for (const std::string& note : notes) fmt::print(stderr, "isobath: {}\n", note);
  } else if (!options.validation) {
    fmt::print(stderr, "isobath: UNVALIDATED, no search of this run was validated\n");
  }
}

}  // namespace isobath
