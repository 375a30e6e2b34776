// SPDX-License-Identifier: Apache-2.0
#include "apps/switch_options.hpp"

#include "base/named_entry.hpp"

namespace isobath {

void add_switch(CLI::App& app, std::string_view name, AskedSwitches& asked) {
  const SwitchEntry& entry = entry_named(switch_table(), name, "switch");
  app.add_option("--" + std::string(name), asked[std::string(name)], std::string(entry.words))
      ->group("Switches of the plan (defaults: as the plan is published)");
}

void add_switches(CLI::App& app, AskedSwitches& asked) {
  for (const SwitchEntry& entry : switch_table()) {
    if (entry.name != "ids") add_switch(app, entry.name, asked);
  }
}

void add_huge_pages(CLI::App& app, bool& huge_pages) {
  app.add_option_function<std::string>(
         "--huge-pages", [&huge_pages](const std::string& word) { huge_pages = word == "on"; },
         "for large arrays where the system has them: on or off; to see what they bring")
      ->default_str("on")
      ->check(CLI::IsMember({"on", "off"}));
}

}  // namespace isobath
