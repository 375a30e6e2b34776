// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "record/records.hpp"

// How records become JSON; for the sources of this layer alone.
namespace isobath::record {

using Json = nlohmann::ordered_json;

/// Fields of one JSON object, in the order in which they are put.
class Fields {
 public:
  Fields& put(const char* name, double value) {
    json_[name] = finite(name, value);
    return *this;
  }
  Fields& put(const char* name, const std::vector<double>& values) {
    for (const double value : values) finite(name, value);
    json_[name] = values;
    return *this;
  }
  template <class T>
  Fields& put(const char* name, const std::optional<T>& value) {
    return value ? put(name, *value) : *this;
  }
  template <class T>
  Fields& put(const char* name, const ByPhase<T>& values) {
    Fields phases;
    for (const auto& [phase, value] : values) phases.put(std::string(name_of(phase)).c_str(), value);
    return put(name, phases);
  }
  Fields& put(const char* name, const Fields& object) {
    json_[name] = object.json_.is_null() ? Json::object() : object.json_;
    return *this;
  }
  Fields& put(const char* name, const std::vector<Fields>& objects) {
    Json list = Json::array();
    for (const Fields& object : objects) list.push_back(object.json_);
    json_[name] = std::move(list);
    return *this;
  }
  /// Integers, truth values, texts and lists of these.
  template <class T>
  Fields& put(const char* name, const T& value) {
    static_assert(!std::is_floating_point_v<T>);
    json_[name] = value;
    return *this;
  }

  std::string text() const {
    // File names and arguments may be no UTF-8; such bytes become the replacement character.
    return json_.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  static double finite(const char* name, double value) {
    if (!std::isfinite(value)) {
      throw InternalError(
          fmt::format("the record field {} is not a finite number; please report this", name));
    }
    return value;
  }

  Json json_;
};

inline Fields header(const char* kind, const std::string& run_id) {
  Fields line;
  line.put("schema", record_schema).put("kind", kind).put("run_id", run_id).put("origin", origin_of_times());
  return line;
}

}  // namespace isobath::record
