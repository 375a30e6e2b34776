// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace isobath::profiler {

/// A named part of the program; the number tells parts of one name apart, a level of a search for example.
struct Region {
  std::string name;
  int number = -1;  // -1: none
};

/// The regions of a program and which it is in. Region 0 is outside all of them, region 1 takes those that
/// are too many.
class Regions {
 public:
  static constexpr std::size_t limit = 4096;
  static constexpr std::size_t deepest = 64;

  Regions() : regions_{{"", -1}, {"(more regions)", -1}} {}

  int current() const { return current_; }
  const std::vector<Region>& all() const { return regions_; }
  /// One of many alike, each of which passes through the same regions; -1: none.
  int search() const { return search_; }
  void set_search(int number) { search_ = number; }

  /// From now on calls belong to this region, inside the one before.
  void enter(const char* name, int number) {
    if (depth_ < deepest) stack_[depth_] = current_;
    ++depth_;
    current_ = find(name, number);
  }
  /// Back to the region before.
  void leave() {
    if (depth_ == 0) return;
    --depth_;
    if (depth_ < deepest) current_ = stack_[depth_];
  }
  /// Instead of the current one.
  void change(const char* name, int number) { current_ = name == nullptr ? 0 : find(name, number); }

 private:
  int find(std::string_view name, int number) {
    // A program changes between few regions: the newest ones are found first.
    for (std::size_t i = regions_.size(); i-- > 2;) {
      if (regions_[i].number == number && regions_[i].name == name) return static_cast<int>(i);
    }
    if (regions_.size() >= limit) return 1;
    regions_.push_back({std::string(name.substr(0, 128)), number});
    return static_cast<int>(regions_.size()) - 1;
  }

  std::vector<Region> regions_;
  std::array<int, deepest> stack_{};
  std::size_t depth_ = 0;
  int current_ = 0;
  int search_ = -1;
};

}  // namespace isobath::profiler
