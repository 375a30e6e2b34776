// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <omp.h>

namespace isobath {

int thread_id() { return omp_get_thread_num(); }
int num_threads() { return omp_get_num_threads(); }
int max_threads() { return omp_get_max_threads(); }
void set_num_threads(int threads) {
  omp_set_dynamic(0);  // two regions with the same share of the work each need the same threads
  omp_set_num_threads(threads);
}

}  // namespace isobath
