// SPDX-License-Identifier: Apache-2.0
#include "comm/nodes/rank_list.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace isobath {

std::string text_of_rank_0(const Communicator& world, const char* variable) {
  const char* const own = std::getenv(variable);
  return world.broadcast(std::string(world.rank() == 0 && own != nullptr ? own : ""), 0);
}

std::vector<double> parse_rank_list(std::string_view variable, std::string_view text, int ranks,
                                    std::string_view form) {
  std::vector<double> numbers;
  std::string_view rest = text;
  while (true) {
    const std::string_view word = rest.substr(0, rest.find(','));
    double number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size() || !std::isfinite(number)) {
      throw UsageError(fmt::format("{} is '{}', but '{}' is no number; {}", variable, text, word, form));
    }
    numbers.push_back(number);
    if (word.size() == rest.size()) break;
    rest.remove_prefix(word.size() + 1);
  }
  if (std::ssize(numbers) != ranks) {
    throw UsageError(fmt::format("{} is '{}', which is {} numbers, but this run has {} ranks; {}", variable,
                                 text, numbers.size(), ranks, form));
  }
  return numbers;
}

}  // namespace isobath
