// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bfs/plan.hpp"
#include "graph500/kernel.hpp"

namespace isobath {

/// What a run did in one of its kernels, as it was done.
struct KernelDone {
  std::string plan;
  GraphFacts graph;         // that was constructed
  int warmup_searches = 0;  // that were made
  bool is_pruned = false;   // edges that lie on no shortest path were left out
};

/// What a run did; a kernel that did not run is absent.
struct RunDone {
  std::optional<KernelDone> bfs;
  std::optional<KernelDone> sssp;

  std::optional<KernelDone>& of(Kernel kernel) { return kernel == Kernel::bfs ? bfs : sssp; }
};

/// What anybody who reads the result must know, one sentence each, without colons (some readers of the text
/// split every line at one): techniques beyond the reference program, and untimed searches.
std::vector<std::string> disclosures(const RunDone& done);

/// What its numbers are called: UNVALIDATED, oversubscribed.
std::vector<std::string> label_disclosures(bool validation, bool oversubscribed);

}  // namespace isobath
