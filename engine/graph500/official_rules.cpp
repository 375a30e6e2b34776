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

}  // namespace isobath
