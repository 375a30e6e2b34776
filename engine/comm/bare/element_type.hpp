// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace isobath {

/// What the elements of a measured collective are.
enum class ElementType : int {
  plain_byte,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  single_precision,
  double_precision,
};

/// byte, int8 ... uint64, float, double; in the order of the enumeration.
std::span<const std::string_view> element_type_names();
std::string_view name_of(ElementType type);
/// @throws UsageError
ElementType parse_element_type(std::string_view name);
std::int64_t bytes_of(ElementType type);
/// Integers, not bytes.
bool is_integer(ElementType type);
bool is_floating(ElementType type);

/// How a reduction combines elements.
enum class Operation : int { sum, prod, min, max, band, bor, bxor, land, lor, lxor };

/// By MPI's names in lower case, in the order of the enumeration.
std::span<const std::string_view> operation_names();
std::string_view name_of(Operation operation);
/// @throws UsageError
Operation parse_operation(std::string_view name);
/// What MPI defines: of bytes band, bor, bxor; of floating-point numbers sum, prod, min, max; of integers
/// all.
bool is_defined(Operation operation, ElementType type);

}  // namespace isobath
