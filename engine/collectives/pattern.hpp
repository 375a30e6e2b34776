// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "comm/bare/element_type.hpp"

namespace isobath {

/// What distinguishes repetitions in the contents of a block: every element but its first is of `rest`. Where
/// whole blocks are written anew for each repetition both are its number; else `rest` stays, and only the
/// first element says which repetition it is.
struct Stamps {
  std::int64_t first = 0;
  std::int64_t rest = 0;
};

/// Contents as senders write them: a function of who sends, to whom, which element and which repetition, so
/// that a block that is missing, late, shifted or somebody else's is noticed.
struct SentBlock {
  std::int64_t offset = 0;  // in the buffer, in elements
  std::int64_t count = 0;
  int source = 0;
  int destination = 0;           // 0 where all get the same
  std::int64_t first_index = 0;  // of its first element in the vector that a reduction combines
  bool is_combined = false;      // small numbers, whose reduction is exact in every type
};

/// Contents as they must have arrived.
struct ExpectedBlock {
  enum class Kind {
    moved,      // as its source wrote them
    combined,   // of ranks 0 to end_rank - 1
    untouched,  // nobody may write here
  };
  Kind kind = Kind::moved;
  std::int64_t offset = 0;
  std::int64_t count = 0;
  int source = 0;
  int destination = 0;
  std::int64_t first_index = 0;
  int end_rank = 0;
};

/// Pure functions of the bytes. `operation` matters for combined blocks only.
class Pattern {
 public:
  Pattern(ElementType type, Operation operation) : type_(type), operation_(operation) {}

  void write(std::span<std::byte> buffer, const SentBlock& block, Stamps stamps) const;
  /// Only the first element.
  void write_stamp(std::span<std::byte> buffer, const SentBlock& block, std::int64_t stamp) const;
  /// The first element that is wrong, in words; nothing where all are right.
  std::optional<std::string> fault(std::span<const std::byte> buffer, const ExpectedBlock& block,
                                   Stamps stamps) const;

  /// What one element is, before it becomes one of the type.
  std::int64_t sent_value(const SentBlock& block, std::int64_t index, std::int64_t stamp) const;
  std::int64_t expected_value(const ExpectedBlock& block, std::int64_t index, std::int64_t stamp) const;

 private:
  std::int64_t summand(int source, std::int64_t index, std::int64_t stamp) const;

  ElementType type_;
  Operation operation_;
};

/// Fills a buffer with what no pattern contains, so that what was not received is noticed.
void poison(std::span<std::byte> buffer);

/// An element of `type` in memory, as an integer, and back; integers wrap as the type does.
std::int64_t value_at(std::span<const std::byte> buffer, ElementType type, std::int64_t element);
void put_value(std::span<std::byte> buffer, ElementType type, std::int64_t element, std::int64_t value);

/// As MPI combines two elements of a type.
std::int64_t combined(Operation operation, std::int64_t left, std::int64_t right);

}  // namespace isobath
