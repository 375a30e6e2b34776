// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/options.hpp"
#include "graph500/protocol.hpp"

namespace isobath {

/// Prints the official block on standard output and writes the official files that were asked for; on rank 0,
/// after a run that searched all its keys. What readers must know beside it goes to standard error.
/// @throws EnvironmentError where one of them cannot be written
void publish(const Outcome& outcome, const Options& options, int ranks, bool oversubscribed);

}  // namespace isobath
