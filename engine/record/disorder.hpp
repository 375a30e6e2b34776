// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace isobath::disorder {

/// Begin and end of a part of a text.
using Part = std::pair<std::size_t, std::size_t>;

/// The first universally unique identifier from a place on.
std::optional<Part> find_identifier(std::string_view text, std::size_t from);

/// The first run of letters and digits without order, as random keys are. Paths, names of several words,
/// numbers and masks are none.
std::optional<Part> find_run(std::string_view text, std::size_t from);

}  // namespace isobath::disorder
