// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Collective. The environment variable as rank 0 sees it, on every rank: launchers may pass it to some
/// only. Empty where it is not set.
std::string text_of_rank_0(const Communicator& world, const char* variable);

/// The numbers of a variable that has one for each rank, with commas between.
/// @param form  ends the sentence of the error: what to set it to
/// @throws UsageError where there are not `ranks` of them or one is no finite number
std::vector<double> parse_rank_list(std::string_view variable, std::string_view text, int ranks,
                                    std::string_view form);

}  // namespace isobath
