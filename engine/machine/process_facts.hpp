// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace isobath {

/// Name of this machine.
std::string hostname();

/// Equal for two processes exactly when they run under one kernel: name and boot id, because container hosts
/// may share a name.
std::string host_key();

/// Largest resident memory of this process so far, in bytes (VmHWM); 0 where the system does not tell.
std::int64_t peak_bytes();

/// Page faults of this process so far, all threads, served with and without reading from a device.
std::int64_t page_faults();

/// The smallest step of now_seconds() that was seen in a few thousand readings.
double clock_resolution_seconds();

/// The time of day now, e.g. "2026-11-21T08:30:00Z".
std::string utc_now();

}  // namespace isobath
