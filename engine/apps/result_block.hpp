// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/options.hpp"
#include "base/error.hpp"
#include "graph500/protocol.hpp"

namespace isobath {

/// Ends a run on rank 0: prints the official block on standard output and writes the official files that were
/// asked for (after a failed validation both say so instead of giving numbers), or says that the run was
/// stopped; what readers must know beside it goes to standard error. @throws EnvironmentError where one of
/// them cannot be written
void publish(const Outcome& outcome, const Options& options, int ranks, bool oversubscribed);

/// Writes all of `text` to standard output. @throws EnvironmentError where that is not possible
void print_out(const std::string& text);

/// The exit code of a run that came to its end.
ExitCode exit_code_of(const Outcome& outcome);

}  // namespace isobath
