// SPDX-License-Identifier: Apache-2.0
#include "delay/priority.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace isobath {

Priority take_priority() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  const sched_param least{.sched_priority = sched_get_priority_min(SCHED_FIFO)};
  if (sched_setscheduler(0, SCHED_FIFO, &least) == 0) return Priority::real_time;
  constexpr int highest = -20;
  return setpriority(PRIO_PROCESS, 0, highest) == 0 ? Priority::high : Priority::usual;
}

std::string_view name_of(Priority priority) {
  switch (priority) {
    case Priority::real_time:
      return "real-time";
    case Priority::high:
      return "high";
    case Priority::usual:
      break;
  }
  return "usual";
}

}  // namespace isobath
