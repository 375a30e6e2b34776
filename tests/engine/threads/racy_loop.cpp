// SPDX-License-Identifier: Apache-2.0
// A loop whose sum lacks its reduction: the sanitizer must report it.
#include <cstdint>
#include <cstdio>

int main() {
  std::int64_t sum = 0;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < 20000; ++i) sum += i;
  std::printf("a sum of about %.0e\n", static_cast<double>(sum));
}
