// SPDX-License-Identifier: Apache-2.0
#include "apps/result_block.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/say.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "graph500/disclosures.hpp"
#include "graph500/official_output.hpp"
#include "record/record_writer.hpp"

namespace isobath {
namespace {

constexpr const char* simulated_mark = "SIMULATED: times are those of SimGrid's model of a platform\n";

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
  heading.searches =
      static_cast<int>(options.kernels.bfs ? outcome.searches.size() : outcome.path_searches.size());
  const auto numbers = [&](SelfLoops loops) {
    OfficialNumbers filled = heading;
    if (options.kernels.bfs) filled.bfs = kernel_numbers(outcome.searches, loops);
    if (options.kernels.sssp) filled.sssp = kernel_numbers(outcome.path_searches, loops);
    return filled;
  };
  const std::string mark = origin_of_times() == "simulated" ? simulated_mark : "";
  return {mark + reference_text(numbers(SelfLoops::left_out), !options.legacy_no_bang),
          mark + specification_text(numbers(SelfLoops::counted), notes)};
}

}  // namespace

void print_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw EnvironmentError(fmt::format("cannot write to standard output ({})", std::strerror(errno)));
  }
}

void publish(const Outcome& outcome, const Options& options, int ranks, bool oversubscribed) {
  if (outcome.stopped) {
    say("isobath: stopped on request after {} searches; there is no result", outcome.num_searches());
    return;
  }
  std::vector<std::string> notes = outcome.disclosures;
  for (std::string& note : label_disclosures(options.validation, oversubscribed)) notes.push_back(note);
  const Texts texts = texts_of(outcome, options, ranks, notes);
  if (!options.official_reference_file.empty()) write_file(options.official_reference_file, texts.reference);
  if (!options.official_spec_file.empty()) write_file(options.official_spec_file, texts.specification);
  print_out(texts.reference);
  if (outcome.violations > 0) return;
  if (options.official) {
    for (const std::string& note : notes) say("isobath: {}", note);
    return;
  }
  if (!options.validation) say("isobath: UNVALIDATED, no search of this run was validated");
  if (options.prune)
    say("isobath: PRUNED, shortest paths were searched in a graph without the edges on none");
  if (oversubscribed) {
    say("isobath: oversubscribed, more threads ran than there are processors; times say little");
  }
}

ExitCode exit_code_of(const Outcome& outcome) {
  if (outcome.violations > 0) return ExitCode::violations;
  return outcome.stopped ? ExitCode::environment : ExitCode::done;
}

}  // namespace isobath
