// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath {

/// What an official run is asked about itself.
struct OfficialRequest {
  int scale = 0;
  int edgefactor = 16;
  int keys = 64;
  bool roots_are_given = false;
  bool validation = true;
  int warmup_searches = 0;
  bool prunes = false;  // edges that lie on no shortest path
};

inline constexpr int smallest_official_scale = 16;

/// The rules of --official (docs/reference/official-runs.md): edgefactor 16; 64 sampled keys, or all usable
/// ones where a graph has fewer; every search validated; one untimed warm-up search at most; scale 16 at the
/// least; not oversubscribed; no edge left out by kernel 3. @throws UsageError naming the first rule that is
/// broken
void check_official(const OfficialRequest& request);
/// The rule that needs the machine. @throws UsageError
void check_official_machine(bool oversubscribed);

}  // namespace isobath
