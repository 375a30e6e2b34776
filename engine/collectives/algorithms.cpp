// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace isobath {
namespace {

/// What MPICH does where it cannot take the algorithm that it was told to.
constexpr std::string_view fallback_variable = "MPIR_CVAR_COLLECTIVE_FALLBACK";

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

std::vector<std::string> algorithm_variables(Collective collective, Form form,
                                             std::span<const std::string> names) {
  if (form == Form::persistent) return {};  // libraries have no variable of their own for these
  const bool is_nonblocking = form == Form::nonblocking;
  const std::string called = fmt::format("{}{}", is_nonblocking ? "i" : "", name_of(collective));
  const std::string wanted[] = {
      fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM", in_capitals(called)),
      fmt::format("coll_{}_{}_algorithm", is_nonblocking ? "libnbc" : "tuned", called)};
  std::vector<std::string> found;
  for (const std::string& name : wanted) {
    if (std::ranges::count(names, name) != 0) found.push_back(name);
  }
  return found;
}

bool is_own_choice(const std::string& value) { return value == "auto" || value == "ignore" || value == "0"; }

std::optional<std::string> device_variable(const std::string& algorithm_variable) {
  constexpr std::string_view end = "_INTRA_ALGORITHM";
  if (!algorithm_variable.starts_with("MPIR_CVAR_") || !algorithm_variable.ends_with(end))
    return std::nullopt;
  return algorithm_variable.substr(0, algorithm_variable.size() - end.size()) + "_DEVICE_COLLECTIVE";
}

namespace {

/// Open MPI ignores coll_tuned_*_algorithm unless it was started with dynamic rules. Says so where it was
/// not.
std::optional<std::string> ignored(const ControlVariables& variables, const std::string& algorithm_variable) {
  if (!algorithm_variable.starts_with("coll_tuned_")) return std::nullopt;
  const std::optional<ControlVariable> rules = variables.find("coll_tuned_use_dynamic_rules");
  if (rules && (rules->value == "1" || rules->value == "true")) return std::nullopt;
  return fmt::format("needs coll_tuned_use_dynamic_rules 1 for the launch, without which {} is ignored",
                     algorithm_variable);
}

}  // namespace

/// Remembers what was there. Says what is wrong.
std::optional<std::string> ForcedAlgorithm::set(const std::string& variable, const std::string& value) {
  const std::optional<ControlVariable> before = variables_->find(variable);
  if (before && before->is_writable) before_.push_back({variable, before->value});
  return variables_->write(variable, value);
}

ForcedAlgorithm::ForcedAlgorithm(const ControlVariables& variables,
                                 const std::optional<AlgorithmChoice>& choice)
    : variables_(&variables) {
  if (!choice) return;
  obstacle_ = ignored(variables, choice->variable);
  if (!obstacle_) obstacle_ = set(choice->variable, choice->value);
  const std::optional<std::string> device = device_variable(choice->variable);
  if (!obstacle_ && device && variables.find(*device)) obstacle_ = set(*device, "0");
}

ForcedAlgorithm::~ForcedAlgorithm() {
  for (auto one = before_.rbegin(); one != before_.rend(); ++one) {
    static_cast<void>(variables_->write(one->variable, one->value));
  }
}

StrictAlgorithms::StrictAlgorithms(const ControlVariables& variables) : variables_(&variables) {
  const std::optional<ControlVariable> fallback = variables.find(fallback_variable);
  if (!fallback || !fallback->is_writable) return;
  before_ = fallback->value;
  static_cast<void>(variables.write(fallback->name, "error"));
}

StrictAlgorithms::~StrictAlgorithms() {
  if (before_) static_cast<void>(variables_->write(std::string(fallback_variable), *before_));
}

std::optional<AlgorithmChoice> known_algorithm(const ControlVariables& variables,
                                               std::span<const std::string> names, Collective collective,
                                               Form form) {
  for (const std::string& name : algorithm_variables(collective, form, names)) {
    const std::optional<ControlVariable> variable = variables.find(name);
    if (!variable || is_own_choice(variable->value) || ignored(variables, name)) continue;
    const std::optional<std::string> device = device_variable(name);
    const std::optional<ControlVariable> switched = device ? variables.find(*device) : std::nullopt;
    if (!switched || switched->value == "0") return AlgorithmChoice{name, variable->value};
  }
  return std::nullopt;
}

}  // namespace isobath
