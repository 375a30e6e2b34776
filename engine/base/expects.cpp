// SPDX-License-Identifier: Apache-2.0
#include "base/expects.hpp"

#include <string>

namespace isobath {

void expectation_failed(const char* file, int line, const char* expected) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": expected " + expected +
                      "; please report this");
}

}  // namespace isobath
