// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace isobath {

/// Something that was chosen, in the words of the option that chooses it.
struct NamedValue {
  std::string name;
  std::string value;
};

}  // namespace isobath
