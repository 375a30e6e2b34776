// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace isobath {

/// Numbers of processors in the kernel's notation: {0, 1, 2, 5} is "0-2,5". `cpus` is ascending.
std::string cpu_list_text(std::span<const int> cpus);

}  // namespace isobath
