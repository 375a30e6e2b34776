// SPDX-License-Identifier: Apache-2.0
// A simulation is one process, which a signal ends; no rank is asked to stop.
#include "apps/stop_request.hpp"

namespace isobath {

double stop_seconds() { return 0; }

StopRequest::StopRequest(const Heartbeat& heartbeat, double seconds,
                         std::function<void(const std::string&)> hangs)
    : heartbeat_(heartbeat), seconds_(seconds), hangs_(std::move(hangs)) {}

StopRequest::~StopRequest() = default;

bool StopRequest::came() const { return false; }

}  // namespace isobath
