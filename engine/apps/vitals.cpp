// SPDX-License-Identifier: Apache-2.0
#include "apps/vitals.hpp"

#include <utility>

namespace isobath {

Vitals::Vitals(const std::string& file, Communicator& world, std::function<void(const std::string&)> hangs)
    : heartbeat_(file, world.rank(), world.size()),
      watcher_(heartbeat_),
      stop_(heartbeat_, stop_seconds(), std::move(hangs)) {
  world.watch(&watcher_);
}

}  // namespace isobath
