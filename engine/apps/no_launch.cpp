// SPDX-License-Identifier: Apache-2.0
// What a simulated rank knows of its launch: there is no launcher, and no thread that waits.
#include <simgrid/actor.h>

#include <charconv>
#include <string_view>

#include "apps/launch.hpp"

namespace isobath {

int announced_rank() {
  const std::string_view digits = sg_actor_self_get_name();
  int rank = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rank);
  return rank;
}

std::optional<int> announced_local_ranks() { return std::nullopt; }

std::optional<const char*> wait_policy_to_set(std::optional<int> /*threads*/) { return std::nullopt; }

void choose_wait_policy(char** /*argv*/, std::optional<int> /*threads*/) {}

}  // namespace isobath
