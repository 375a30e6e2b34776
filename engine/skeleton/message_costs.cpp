// SPDX-License-Identifier: Apache-2.0
#include "skeleton/message_costs.hpp"

#include <smpi/smpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace isobath::skeleton {

namespace {

constexpr const char* costs_variable = "ISOBATH_MESSAGE_COSTS";

/// That SimGrid carries with each message.
constexpr double envelope = 16;

/// Of messages of so many bytes and more: seconds of each and of each byte, or factors of latency and rate.
struct MessageCost {
  double from_bytes;
  double seconds;
  double seconds_per_byte;

  double latency_factor() const { return seconds; }
  double rate_factor() const { return seconds_per_byte; }
};

using CostsBySize = std::vector<MessageCost>;

/// What each list of ISOBATH_MESSAGE_COSTS tells.
enum List : std::size_t {
  sends_within,
  sends_between,
  receives_within,
  receives_between,
  factors_within,
  factors_between,
  gaps_between,
  lists_told
};

[[noreturn]] void refuse_costs(const std::string& text) {
  throw std::runtime_error(std::string(costs_variable) + " is '" + text +
                           "'; it has seven lists of BYTES:SECONDS:SECONDS_PER_BYTE, of factors "
                           "BYTES:LATENCY:RATE with rates above 0, with ; between "
                           "those of a list and | between lists, each from 0 bytes on");
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

const MessageCost& cost_of(const CostsBySize& costs, double bytes) {
  const MessageCost* known = costs.data();
  for (const MessageCost& cost : costs) {
    if (cost.from_bytes <= bytes) known = &cost;
  }
  return *known;
}

double seconds_of(const CostsBySize& costs, double bytes) {
  const MessageCost& cost = cost_of(costs, bytes);
  return cost.seconds + cost.seconds_per_byte * bytes;
}

SmpiOpCostCb by_route(CostsBySize within, CostsBySize between) {
  return [within = std::move(within), between = std::move(between)](
             std::size_t bytes, simgrid::s4u::Host* source, simgrid::s4u::Host* target) {
    return seconds_of(source == target ? within : between, static_cast<double>(bytes));
  };
}

/// When a card has messages coming in: spans of time, in order, apart from each other. Senders ask in the
/// order in which messages are ready, and not in that in which they leave, so some spans lie ahead.
class ComingIn {
 public:
  /// When a message comes in that leaves at a time: when the card is free, for half of its gap at least (a
  /// shorter pause is one that ranks make which are not quite together). From then on the gap is taken of the
  /// time that is free, so that no time is given to two.
  double take(double now, double leaves, double gap) {
    const auto is_past = [now](const Span& span) { return span.end <= now; };
    spans_.erase(spans_.begin(), std::find_if_not(spans_.begin(), spans_.end(), is_past));
    auto next = spans_.begin();
    double comes = leaves;
    while (next != spans_.end() && next->begin < comes + gap / 2) {
      comes = std::max(comes, next->end);
      ++next;
    }
    const bool follows = next != spans_.begin() && std::prev(next)->end >= comes;
    const auto first = follows ? std::prev(next) : next;
    const double begin = follows ? first->begin : comes;
    double end = comes;
    double left = gap;
    while (next != spans_.end() && next->begin - end <= left) {
      left -= next->begin - end;
      end = next->end;
      ++next;
    }
    spans_.insert(spans_.erase(first, next), {begin, end + left});
    return comes;
  }

 private:
  struct Span {
    double begin;
    double end;
  };
  std::vector<Span> spans_;
};

/// The cards of all nodes. A message leaves when its sender's card is free and comes in when its receiver's
/// is; what waits for a receiver's card holds up nobody else's messages.
class Cards {
 public:
  /// Seconds until a message may come in that is ready now; each card is busy with it for so long. Messages
  /// of no gap share links as SimGrid does it, behind what their sender's card still has.
  double wait(const simgrid::s4u::Host* source, const simgrid::s4u::Host* target, double now, double gap) {
    double& free_from = out_[source];
    const double leaves = std::max(now, free_from);
    if (gap <= 0) return leaves - now;
    free_from = leaves + gap;
    return in_[target].take(now, leaves, gap) - now;
  }

 private:
  std::unordered_map<const simgrid::s4u::Host*, double> out_;
  std::unordered_map<const simgrid::s4u::Host*, ComingIn> in_;
};

/// What the network does with a message, by size and route.
class Carriage {
 public:
  Carriage(CostsBySize within, CostsBySize between, CostsBySize gaps)
      : within_(std::move(within)), between_(std::move(between)), gaps_(std::move(gaps)) {}

  double rate_factor(double carried, bool is_within) const {
    return cost_of(is_within ? within_ : between_, bytes_of(carried)).rate_factor();
  }

  /// SimGrid asks once, when a message sets out, and multiplies the latency of its route by this.
  double latency_factor(double carried, const simgrid::s4u::Host* source, const simgrid::s4u::Host* target,
                        const std::vector<simgrid::s4u::Link*>& route) {
    const double bytes = bytes_of(carried);
    if (source == target) return cost_of(within_, bytes).latency_factor();
    const double factor = cost_of(between_, bytes).latency_factor();
    const double waits =
        cards_.wait(source, target, simgrid::s4u::Engine::get_clock(), seconds_of(gaps_, bytes));
    if (waits <= 0) return factor;
    double latency = 0;
    for (const simgrid::s4u::Link* const link : route) latency += link->get_latency();
    return factor + waits / latency;
  }

 private:
  static double bytes_of(double carried) { return std::max(0.0, carried - envelope); }

  CostsBySize within_;
  CostsBySize between_;
  CostsBySize gaps_;
  Cards cards_;
};

void carry_by(const std::shared_ptr<Carriage>& carriage) {
  using simgrid::s4u::Host;
  using Route = std::vector<simgrid::s4u::Link*>;
  using Zones = std::unordered_set<simgrid::s4u::NetZone*>;
  auto* const model = simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_network_model();
  model->set_lat_factor_cb(
      [carriage](double carried, const Host* source, const Host* target, const Route& route, const Zones&) {
        return carriage->latency_factor(carried, source, target, route);
      });
  model->set_bw_factor_cb(
      [carriage](double carried, const Host* source, const Host* target, const Route&, const Zones&) {
        return carriage->rate_factor(carried, source == target);
      });
}

bool has_no_rate(const MessageCost& cost) { return cost.rate_factor() <= 0; }

bool are_told() {
  const char* const told = std::getenv(costs_variable);
  if (told == nullptr || *told == '\0') return false;
  const std::string text = told;
  std::array<CostsBySize, lists_told> costs;
  const std::vector<std::string> lists = parts_of(text, '|');
  if (lists.size() != costs.size()) refuse_costs(text);
  for (std::size_t list = 0; list < costs.size(); ++list) costs[list] = read_costs(lists[list], text);
  for (const List list : {factors_within, factors_between}) {
    if (std::any_of(costs[list].begin(), costs[list].end(), has_no_rate)) refuse_costs(text);
  }
  const SmpiOpCostCb sending = by_route(costs[sends_within], costs[sends_between]);
  smpi_register_op_cost_callback(SmpiOperation::SEND, sending);
  smpi_register_op_cost_callback(SmpiOperation::ISEND, sending);
  smpi_register_op_cost_callback(SmpiOperation::RECV,
                                 by_route(costs[receives_within], costs[receives_between]));
  carry_by(std::make_shared<Carriage>(costs[factors_within], costs[factors_between], costs[gaps_between]));
  return true;
}

}  // namespace

void take_message_costs() {
  [[maybe_unused]] static const bool are_taken = are_told();  // once: all ranks are one process
}

}  // namespace isobath::skeleton
