// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <new>

namespace isobath {

ExitCode exit_code_of(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) return own->code();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return ExitCode::environment;
  return ExitCode::internal;
}

}  // namespace isobath
