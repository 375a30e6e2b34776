// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isobath {

/// A control variable of the MPI library, as its tools interface (MPI_T) describes it.
struct ControlVariable {
  std::string name;
  std::string value;                 // as text; of an enumeration the name of its item
  std::vector<std::string> choices;  // of an enumeration; empty for others
  bool is_writable = false;          // while MPI runs
};

/// MPI's tools interface, open as long as this object lives. Variables are found by asking the library, not
/// from a list of what libraries are said to have.
class ControlVariables {
 public:
  /// @throws MpiError
  ControlVariables();
  ControlVariables(const ControlVariables&) = delete;
  ControlVariables& operator=(const ControlVariables&) = delete;
  ~ControlVariables();

  /// Names of all of them. A library may know more later, for example after the first communicator.
  std::vector<std::string> names() const;
  /// Absent where there is none of that name, or none whose value is a number or text.
  std::optional<ControlVariable> find(std::string_view name) const;
  /// On this rank; all ranks have to write the same where the library says so. Says what is wrong; nothing
  /// where the value reads back as it was written.
  std::optional<std::string> write(const std::string& name, const std::string& value) const;
};

}  // namespace isobath
