// SPDX-License-Identifier: Apache-2.0
#include "base/phase.hpp"

namespace isobath {

PhaseObserver::~PhaseObserver() = default;

}  // namespace isobath
