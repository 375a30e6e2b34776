// SPDX-License-Identifier: Apache-2.0
#include "record/audit_lines.hpp"

#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "record/complaint.hpp"

namespace isobath {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t number_of(const Json& object, const char* field) {
  const auto found = object.find(field);
  if (found == object.end() || !found->is_number_integer() || found->get<std::int64_t>() < 0) {
    throw Complaint{fmt::format("it needs \"{}\", a number from 0", field)};
  }
  return found->get<std::int64_t>();
}

AuditedSearch search_of(const Json& object) {
  if (!object.is_object()) throw Complaint{"it is no JSON object"};
  AuditedSearch search{number_of(object, "search"), number_of(object, "root"), {}};
  const auto directions = object.find("directions");
  if (directions == object.end()) return search;
  for (const Json& direction : *directions) {
    if (direction != "top_down" && direction != "bottom_up") {
      throw Complaint{"its directions are \"top_down\" or \"bottom_up\""};
    }
    search.bottom_up.push_back(direction == "bottom_up");
  }
  return search;
}

}  // namespace

std::vector<AuditedSearch> read_audited_searches(std::istream& lines, std::string_view name) {
  std::vector<AuditedSearch> searches;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      searches.push_back(search_of(object));
    } catch (const Complaint& complaint) {
      throw UsageError(fmt::format("line {} of {} is no search to audit: {}", number, name, complaint.text));
    }
  }
  return searches;
}

std::string to_json(const AuditLine& line) {
  Json json;
  json["search"] = line.search;
  json["level"] = line.level;
  json["phase"] = name_of(line.phase);
  json["audit_class"] = std::string(1, line.audit_class);
  json["bytes"] = std::accumulate(line.bytes_of_rank.begin(), line.bytes_of_rank.end(), std::int64_t{0});
  json["bytes_of_rank"] = line.bytes_of_rank;
  return json.dump();
}

}  // namespace isobath
