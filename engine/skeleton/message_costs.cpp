// SPDX-License-Identifier: Apache-2.0
#include "skeleton/message_costs.hpp"

#include <smpi/smpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace isobath::skeleton {

namespace {

constexpr const char* costs_variable = "ISOBATH_MESSAGE_COSTS";

/// Of messages of so many bytes and more.
struct MessageCost {
  double from_bytes;
  double seconds;
  double seconds_per_byte;
};

using CostsBySize = std::vector<MessageCost>;

[[noreturn]] void refuse_costs(const std::string& text) {
  throw std::runtime_error(
      std::string(costs_variable) + " is '" + text +
      "'; it has four lists of BYTES:SECONDS:SECONDS_PER_BYTE, with ; between those of a "
      "list and | between lists, each from 0 bytes on");
}

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == between) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

CostsBySize read_costs(const std::string& list, const std::string& text) {
  CostsBySize costs;
  for (const std::string& part : parts_of(list, ';')) {
    std::vector<double> numbers;
    for (const std::string& digits : parts_of(part, ':')) {
      char* end = nullptr;
      numbers.push_back(std::strtod(digits.c_str(), &end));
      const bool is_number = !digits.empty() && *end == '\0';
      if (!is_number || !std::isfinite(numbers.back()) || numbers.back() < 0) refuse_costs(text);
    }
    if (numbers.size() != 3) refuse_costs(text);
    const bool goes_on = costs.empty() ? numbers[0] == 0 : numbers[0] > costs.back().from_bytes;
    if (!goes_on) refuse_costs(text);
    costs.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return costs;
}

double seconds_of(const CostsBySize& costs, std::size_t bytes) {
  const double size = static_cast<double>(bytes);
  const MessageCost* known = costs.data();
  for (const MessageCost& cost : costs) {
    if (cost.from_bytes <= size) known = &cost;
  }
  return known->seconds + known->seconds_per_byte * size;
}

SmpiOpCostCb by_route(CostsBySize within, CostsBySize between) {
  return [within = std::move(within), between = std::move(between)](
             std::size_t bytes, simgrid::s4u::Host* source, simgrid::s4u::Host* target) {
    return seconds_of(source == target ? within : between, bytes);
  };
}

bool are_told() {
  const char* const told = std::getenv(costs_variable);
  if (told == nullptr || *told == '\0') return false;
  const std::string text = told;
  std::array<CostsBySize, 4> costs;
  const std::vector<std::string> lists = parts_of(text, '|');
  if (lists.size() != costs.size()) refuse_costs(text);
  for (std::size_t list = 0; list < costs.size(); ++list) costs[list] = read_costs(lists[list], text);
  const SmpiOpCostCb sending = by_route(costs[0], costs[1]);
  smpi_register_op_cost_callback(SmpiOperation::SEND, sending);
  smpi_register_op_cost_callback(SmpiOperation::ISEND, sending);
  smpi_register_op_cost_callback(SmpiOperation::RECV, by_route(costs[2], costs[3]));
  return true;
}

}  // namespace

void take_message_costs() {
  [[maybe_unused]] static const bool are_taken = are_told();  // once: all ranks are one process
}

}  // namespace isobath::skeleton
