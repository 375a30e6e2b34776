// SPDX-License-Identifier: Apache-2.0
#include "apps/switch_options.hpp"

namespace isobath {

void add_switch(CLI::App& app, const char* option, std::string& value, const char* words) {
  app.add_option(option, value, words)->group("Switches of the plan (defaults: as the plan is published)");
}

void add_switches(CLI::App& app, AskedSwitches& asked) {
  const auto add = [&](const char* option, std::string& value, const char* words) {
    add_switch(app, option, value, words);
  };
  add("--exchange", asked.exchange,
      "fold by: own, alltoallv, pairwise, sparse, neighbour, one-sided, persistent, two-level, emulated");
  add("--duplicates", asked.duplicates, "of edges: keep or drop");
  add("--dedup", asked.dedup, "propose each target once per rank: local or none");
  add("--frontier", asked.frontier, "expanded as: bitmap, list, smaller or packed");
  add("--fold", asked.fold, "messages: plain or packed");
  add("--relabel", asked.relabel,
      "number hubs first: on (families of the same hub together), classes or off");
  add("--leaves", asked.leaves, "of the searched graph: out or in");
  add("--likely-parents", asked.likely_parents, "written down in construction and copied by emit: on or off");
  add("--hubs", asked.hub_pass,
      "in bottom-up levels on several grid columns owners find first what has a hub as parent: on or off");
  add("--streams", asked.streams, "of first neighbours for bottom-up: on or off");
  add("--overlap", asked.overlap, "of the bottom-up ring with computation: on or off");
  add("--direction", asked.direction, "of levels: policy, top-down or bottom-up");
}

void add_huge_pages(CLI::App& app, bool& huge_pages) {
  app.add_option_function<std::string>(
         "--huge-pages", [&huge_pages](const std::string& word) { huge_pages = word == "on"; },
         "for large arrays where the system has them: on or off; to see what they bring")
      ->default_str("on")
      ->check(CLI::IsMember({"on", "off"}));
}

}  // namespace isobath
