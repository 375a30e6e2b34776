// SPDX-License-Identifier: Apache-2.0
// Threads where there is no OpenMP: each rank is one.
#include "base/threads.hpp"

namespace isobath {

int thread_id() { return 0; }
int num_threads() { return 1; }
int max_threads() { return 1; }
void set_num_threads(int /*threads*/) {}

}  // namespace isobath
