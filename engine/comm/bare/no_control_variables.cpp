// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has no tools interface (MPI_T), as SimGrid's.
#include "comm/bare/control_variables.hpp"

namespace isobath {

ControlVariables::ControlVariables() = default;
ControlVariables::~ControlVariables() = default;

std::vector<std::string> ControlVariables::names() const { return {}; }

std::optional<ControlVariable> ControlVariables::find(std::string_view /*name*/) const {
  return std::nullopt;
}

std::optional<std::string> ControlVariables::write(const std::string& /*name*/,
                                                   const std::string& /*value*/) const {
  return "this MPI has no tools interface";
}

}  // namespace isobath
