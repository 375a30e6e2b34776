// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/element_type.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr std::array<std::string_view, 11> type_names = {
    "byte", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float", "double"};
constexpr std::array<std::int64_t, 11> type_bytes = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
constexpr std::array<std::string_view, 10> operations = {"sum", "prod", "min",  "max", "band",
                                                         "bor", "bxor", "land", "lor", "lxor"};

template <class Enum>
std::size_t index_of(Enum value) {
  return static_cast<std::size_t>(value);
}

/// The place of `name` among `names`. @throws UsageError
std::size_t number_of(std::string_view name, std::span<const std::string_view> names, std::string_view what) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw UsageError(fmt::format("there is no {} '{}'; there are {}", what, name, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

std::span<const std::string_view> element_type_names() { return type_names; }
std::string_view name_of(ElementType type) { return type_names[index_of(type)]; }
ElementType parse_element_type(std::string_view name) {
  return static_cast<ElementType>(number_of(name, type_names, "datatype"));
}
std::int64_t bytes_of(ElementType type) { return type_bytes[index_of(type)]; }

bool is_floating(ElementType type) {
  return type == ElementType::single_precision || type == ElementType::double_precision;
}
bool is_integer(ElementType type) { return type != ElementType::plain_byte && !is_floating(type); }

std::span<const std::string_view> operation_names() { return operations; }
std::string_view name_of(Operation operation) { return operations[index_of(operation)]; }
Operation parse_operation(std::string_view name) {
  return static_cast<Operation>(number_of(name, operations, "operation"));
}

bool is_defined(Operation operation, ElementType type) {
  if (is_integer(type)) return true;
  const bool is_bitwise = operation >= Operation::band && operation <= Operation::bxor;
  if (type == ElementType::plain_byte) return is_bitwise;
  return operation <= Operation::max;
}

}  // namespace isobath
