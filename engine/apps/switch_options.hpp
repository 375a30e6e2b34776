// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <CLI/CLI.hpp>

#include "bfs/switches.hpp"

namespace isobath {

/// One switch of the table; its value stays empty where it is not asked for.
void add_switch(CLI::App& app, std::string_view name, AskedSwitches& asked);

/// All of them but --ids, which isobath-search has for a file; each plan refuses what means nothing to it.
void add_switches(CLI::App& app, AskedSwitches& asked);

/// --huge-pages on|off: `huge_pages` is what was asked for.
void add_huge_pages(CLI::App& app, bool& huge_pages);

}  // namespace isobath
