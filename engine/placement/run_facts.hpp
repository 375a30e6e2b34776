// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "placement/thread_setup.hpp"
#include "record/records.hpp"

namespace isobath {

/// Collective. The part of the run record that describes program, MPI, machines, threads and clock; what was
/// asked for is the caller's to fill in. Complete on every rank.
RunRecord gather_run_facts(const Communicator& world, const ThreadSetup& threads);

}  // namespace isobath
