// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace isobath {

/// Names of functions of the libraries of this process: of exported ones by the loader, of others from the
/// library's symbol table where it has kept one. A stripped function is called by its library and place in
/// it, "libmpi.so.12+0x3fa0", which is the same in every process that has this library.
class FunctionNames {
 public:
  /// Where the function that an address lies in begins. 0 where nobody knows.
  static std::uintptr_t begin_of(std::uintptr_t address);
  /// @param begin  as begin_of() gave it
  std::string name(std::uintptr_t begin);
  /// Whether an address lies in the program itself, and not in a library.
  static bool is_own(std::uintptr_t address);

 private:
  /// By place in the file.
  using Symbols = std::map<std::uintptr_t, std::string>;

  std::map<std::string, Symbols> symbols_;  // by file

  const Symbols& symbols_of(const std::string& file);
};

}  // namespace isobath
