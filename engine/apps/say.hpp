// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace isobath {

/// A line on standard error, in one piece, so that lines of several ranks do not mix. A standard error that
/// cannot be written to is no reason to end a run.
template <class... Arguments>
void say(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
  const std::string line = fmt::format(form, std::forward<Arguments>(arguments)...) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace isobath
