// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bfs/switches.hpp"
#include "record/records.hpp"

namespace isobath {

/// The choices within a plan, in the words of its options.
SwitchesRecord switches_record(const Switches& switches);

}  // namespace isobath
