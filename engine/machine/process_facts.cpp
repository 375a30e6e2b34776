// SPDX-License-Identifier: Apache-2.0
#include "machine/process_facts.hpp"

#include <ctime>

#include <fmt/chrono.h>

namespace isobath {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace isobath
