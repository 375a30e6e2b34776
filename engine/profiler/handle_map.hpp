// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace isobath::profiler {

/// From handles to what is known of them: open addressing, at most `limit` entries. Of those that do not fit
/// nothing is known, and left_out() says how many they were.
template <class Value>
class HandleMap {
 public:
  explicit HandleMap(std::size_t limit) : limit_(limit), slots_(64) {}

  Value* find(std::uintptr_t key) {
    for (std::size_t i = home_of(key);; i = next(i)) {
      if (!slots_[i].is_used) return nullptr;
      if (slots_[i].key == key) return &slots_[i].value;
    }
  }
  /// Replaces what was known of the handle before.
  void insert(std::uintptr_t key, Value value) {
    if (Value* known = find(key)) {
      *known = std::move(value);
      return;
    }
    if (used_ >= limit_) {
      ++left_out_;
      return;
    }
    if (2 * (used_ + 1) > slots_.size()) grow();
    place(key, std::move(value));
    ++used_;
  }
  void erase(std::uintptr_t key) {
    std::size_t hole = home_of(key);
    while (slots_[hole].is_used && slots_[hole].key != key) hole = next(hole);
    if (!slots_[hole].is_used) return;
    // Entries behind the hole move up, so that no search ends at it too early.
    for (std::size_t i = next(hole); slots_[i].is_used; i = next(i)) {
      const std::size_t home = home_of(slots_[i].key);
      const bool may_stay = ((i - home) & mask()) < ((i - hole) & mask());
      if (may_stay) continue;
      slots_[hole] = std::move(slots_[i]);
      hole = i;
    }
    slots_[hole] = Slot{};
    --used_;
  }
  std::size_t size() const { return used_; }
  std::int64_t left_out() const { return left_out_; }

 private:
  struct Slot {
    std::uintptr_t key = 0;
    bool is_used = false;
    Value value{};
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t next(std::size_t i) const { return (i + 1) & mask(); }
  std::size_t home_of(std::uintptr_t key) const {
    const auto mixed = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(mixed >> 32) & mask();
  }
  void place(std::uintptr_t key, Value value) {
    std::size_t i = home_of(key);
    while (slots_[i].is_used) i = next(i);
    slots_[i].key = key;
    slots_[i].is_used = true;
    slots_[i].value = std::move(value);
  }
  void grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    for (Slot& slot : before) {
      if (slot.is_used) place(slot.key, std::move(slot.value));
    }
  }

  std::size_t limit_;
  std::size_t used_ = 0;
  std::int64_t left_out_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace isobath::profiler
