// SPDX-License-Identifier: Apache-2.0
#include "machine/cpu_list.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace isobath {

std::string cpu_list_text(std::span<const int> cpus) {
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += first == last ? fmt::format("{}", cpus[first]) : fmt::format("{}-{}", cpus[first], cpus[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace isobath
