// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace isobath {

/// What this binary was built from and how. The git state is refreshed at every build, the rest at configure
/// time.
struct BuildInfo {
  std::string version;
  std::string commit;  // "unknown" outside a git work tree
  bool dirty = false;  // sources differed from the commit
  std::string compiler;
  std::string flags;
  std::string build_type;
  std::string preset;        // "none" where CMake was called without one
  std::string mpi_compiled;  // standard version of the MPI headers, and the compiler wrapper they came from
};

BuildInfo build_info();

}  // namespace isobath
