// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "placement/thread_setup.hpp"
#include "record/collective.hpp"

namespace isobath {

/// What only the program itself knows of its launch.
struct LaunchWords {
  std::string program;
  std::vector<std::string> argv;
  std::string started;  // UTC
  int launch = 0;
};

/// Collective. What every record of a launch has in common: machine, MPI and the variables that MPI libraries
/// read.
LaunchRecord launch_record(const Communicator& world, const ThreadSetup& threads, const LaunchWords& words);

}  // namespace isobath
