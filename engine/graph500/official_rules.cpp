// SPDX-License-Identifier: Apache-2.0
#include "graph500/official_rules.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {

void check_official(const OfficialRequest& request) {
  if (request.edgefactor != 16) {
    throw UsageError(
        fmt::format("--official needs edgefactor 16, not {}; omit --edgefactor", request.edgefactor));
  }
  if (request.roots_are_given) throw UsageError("--official samples its search keys; omit --root");
  if (request.keys != 64) {
    throw UsageError(fmt::format("--official needs 64 search keys, not {}; omit --keys", request.keys));
  }
  if (!request.validation) throw UsageError("--official validates every search; omit --no-validation");
  if (request.warmup_searches > 1) throw UsageError("--official allows one untimed warm-up search at most");
  if (request.prunes) {
    throw UsageError(
        "--official searches for shortest paths in the whole graph; choose a --sssp-plan that leaves out no "
        "edge, or omit the option");
  }
  if (request.scale < smallest_official_scale) {
    throw UsageError(
        fmt::format("--official needs scale {} at the least, not {}; a smaller run is timed by its overheads",
                    smallest_official_scale, request.scale));
  }
}

void check_official_machine(bool oversubscribed) {
  if (oversubscribed) {
    throw UsageError(
        "--official is refused where more threads run than there are processors; use fewer ranks or threads");
  }
}

std::vector<std::string> disclosures(bool validation, int warmup_searches, bool oversubscribed) {
  std::vector<std::string> sentences = {
      "construction_time includes relabelling of vertices, removal of isolated vertices and of vertices of "
      "one distinct "
      "neighbour (leaves), and component labels",
      "every search fills in the parents of leaves, clears its arrays and writes parents in the original "
      "numbering inside "
      "its time",
      fmt::format("{} untimed warm-up search was run before the timed ones",
                  warmup_searches == 0 ? "no" : "one"),
  };
  if (!validation) sentences.emplace_back("UNVALIDATED, no search of this run was validated");
  if (oversubscribed) sentences.emplace_back("oversubscribed, more threads ran than there are processors");
  return sentences;
}

std::vector<std::string> path_disclosures(std::string_view plan, bool prunes) {
  std::vector<std::string> sentences = {
      fmt::format("construction_time includes the graph of the shortest-path plan {}", plan)};
  if (prunes) {
    sentences.emplace_back(
        "PRUNED, construction left out edges that lie on no shortest path, found by one search inside its "
        "time");
  }
  return sentences;
}

}  // namespace isobath
