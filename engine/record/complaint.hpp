// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace isobath {

/// Thrown by readers of files: what is wrong, without saying where; who knows the place adds it.
struct Complaint {
  std::string text;
};

}  // namespace isobath
