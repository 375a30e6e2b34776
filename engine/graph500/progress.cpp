// SPDX-License-Identifier: Apache-2.0
#include "graph500/progress.hpp"

namespace isobath {

Progress::~Progress() = default;

}  // namespace isobath
