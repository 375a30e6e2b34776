// SPDX-License-Identifier: Apache-2.0
// What a simulated rank knows of its node: that of the platform, not of the machine that simulates.
#include <simgrid/host.h>

#include "machine/host_facts.hpp"
#include "machine/process_facts.hpp"

namespace isobath {

std::string hostname() { return sg_host_get_name(sg_host_self()); }

std::string host_key() { return hostname(); }

HostFacts facts_of_this_host() {
  HostFacts facts;
  facts.hostname = hostname();
  facts.cpu_model = "simulated by SimGrid";
  return facts;
}

// All ranks are one process: what it holds is nobody's own.
std::int64_t peak_bytes() { return 0; }

std::int64_t page_faults() { return 0; }

double clock_resolution_seconds() { return 0; }  // simulated time stands still between two readings

}  // namespace isobath
