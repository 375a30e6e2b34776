// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace isobath {

/// What this binary was built from and how. The git state is refreshed at every build, the rest at configure
/// time.
struct BuildInfo {
  std::string version;
  std::optional<std::string> commit;  // absent outside a git work tree
  std::optional<bool> dirty;          // sources differed from the commit
  std::string compiler;
  std::string flags;
  std::string build_type;
  std::optional<std::string> preset;
  std::string mpi_compiled;  // standard version of the MPI headers, and the compiler wrapper they came from
};

BuildInfo build_info();

}  // namespace isobath
