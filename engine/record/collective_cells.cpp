// SPDX-License-Identifier: Apache-2.0
#include "record/collective_cells.hpp"

#include <charconv>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "record/complaint.hpp"

namespace isobath {
namespace {

using Json = nlohmann::ordered_json;

std::string text_in(const Json& value, const std::string& field) {
  if (!value.is_string()) throw Complaint{fmt::format("\"{}\" is a text", field)};
  return value.get<std::string>();
}

std::int64_t number_in(const Json& value, const std::string& field) {
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) ||
      value.get<std::int64_t>() < 0) {
    throw Complaint{fmt::format("\"{}\" is a whole number from 0", field)};
  }
  return value.get<std::int64_t>();
}

/// One's own by its name, one of the library by its control variable.
void put_algorithm(CollectiveCell& cell, const Json& value) {
  if (value.is_string() && !value.get<std::string>().empty()) {
    cell.own_algorithm = value.get<std::string>();
    return;
  }
  if (!value.is_object() || value.size() != 2 || !value.contains("variable") || !value.contains("value")) {
    throw Complaint{R"("algorithm" is one's own name, or an object of "variable" and "value")"};
  }
  cell.algorithm = AlgorithmChoice{.variable = text_in(value.at("variable"), "variable"),
                                   .value = text_in(value.at("value"), "value")};
}

void put_field(CollectiveCell& cell, const std::string& field, const Json& value) {
  const std::pair<const char*, std::string CollectiveCell::*> texts[] = {
      {"collective", &CollectiveCell::collective}, {"form", &CollectiveCell::form},
      {"shape", &CollectiveCell::shape},           {"along", &CollectiveCell::along},
      {"counts", &CollectiveCell::counts},         {"datatype", &CollectiveCell::datatype},
      {"operation", &CollectiveCell::operation},   {"buffers", &CollectiveCell::buffers},
      {"cadence", &CollectiveCell::cadence},       {"alignment", &CollectiveCell::alignment},
      {"arrival", &CollectiveCell::arrival}};
  for (const auto& [name, member] : texts) {
    if (field != name) continue;
    cell.*member = text_in(value, field);
    return;
  }
  if (field == "size_bytes") {
    cell.size_bytes = number_in(value, field);
  } else if (field == "root_rank") {
    const std::int64_t rank = number_in(value, field);
    if (rank > INT32_MAX) throw Complaint{"\"root_rank\" is the number of a rank"};
    cell.root_rank = static_cast<int>(rank);
  } else if (field == "together") {
    if (!value.is_boolean()) throw Complaint{"\"together\" is true or false"};
    cell.together = value.get<bool>();
  } else if (field == "algorithm") {
    put_algorithm(cell, value);
  } else {
    throw Complaint{fmt::format("a cell has no field \"{}\"", field)};
  }
}

CollectiveCell cell_in(const Json& json) {
  if (!json.is_object()) throw Complaint{"it is no JSON object"};
  CollectiveCell cell;
  for (const auto& [field, value] : json.items()) put_field(cell, field, value);
  if (cell.collective.empty()) throw Complaint{R"(it needs "collective")"};
  return cell;
}

ByteMatrix square(ByteMatrix matrix) {
  if (matrix.empty()) throw Complaint{"it is empty"};
  for (const std::vector<std::int64_t>& row : matrix) {
    if (row.size() != matrix.size()) {
      throw Complaint{fmt::format("it has {} rows, but a row of {} numbers", matrix.size(), row.size())};
    }
  }
  return matrix;
}

ByteMatrix matrix_in(const Json& json) {
  if (!json.is_array()) throw Complaint{"it is no list of rows"};
  ByteMatrix matrix;
  for (const Json& row : json) {
    if (!row.is_array()) throw Complaint{"a row of it is no list of numbers"};
    std::vector<std::int64_t>& entries = matrix.emplace_back();
    for (const Json& entry : row) entries.push_back(number_in(entry, "bytes"));
  }
  return square(std::move(matrix));
}

ByteMatrix matrix_of_lines(const std::string& text) {
  ByteMatrix matrix;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (char& character : line) {
      if (character == ',' || character == ';' || character == '\t' || character == '\r') character = ' ';
    }
    std::istringstream words(line);
    std::vector<std::int64_t> row;
    for (std::string word; words >> word;) {
      std::int64_t bytes = -1;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bytes);
      if (error != std::errc() || end != word.data() + word.size() || bytes < 0) {
        throw Complaint{fmt::format("'{}' is no number of bytes", word)};
      }
      row.push_back(bytes);
    }
    if (!row.empty()) matrix.push_back(std::move(row));
  }
  return square(std::move(matrix));
}

}  // namespace

CollectiveCells read_collective_cells(const std::string& text, const std::string& source) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const bool is_object = json.is_object() && json.contains("cells");
  if (!json.is_array() && !is_object) {
    throw UsageError(fmt::format(
        "{} is no JSON list of cells, nor an object with \"cells\"; see docs/reference/options.md", source));
  }
  CollectiveCells found;
  std::size_t number = 0;
  for (const Json& cell : is_object ? json.at("cells") : json) {
    ++number;
    try {
      found.cells.push_back(cell_in(cell));
    } catch (const Complaint& complaint) {
      throw UsageError(fmt::format("cell {} of {} cannot be measured: {}", number, source, complaint.text));
    }
  }
  if (!is_object || !json.contains("matrices")) return found;
  for (const auto& [name, matrix] : json.at("matrices").items()) {
    try {
      found.matrices[name] = matrix_in(matrix);
    } catch (const Complaint& complaint) {
      throw UsageError(
          fmt::format("matrix '{}' of {} is no matrix of bytes: {}", name, source, complaint.text));
    }
  }
  return found;
}

ByteMatrix read_byte_matrix(const std::string& text, const std::string& source) {
  try {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '[') return matrix_of_lines(text);
    return matrix_in(Json::parse(text, nullptr, /*allow_exceptions=*/false));
  } catch (const Complaint& complaint) {
    throw UsageError(fmt::format("{} is no matrix of bytes: {}", source, complaint.text));
  }
}

}  // namespace isobath
