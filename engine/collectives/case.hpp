// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/own_algorithms.hpp"
#include "collectives/counts.hpp"
#include "collectives/pattern.hpp"
#include "comm/bare/cartesian.hpp"
#include "comm/bare/collective_calls.hpp"

namespace isobath {

/// What one communicator is asked to do. Counts are in elements.
struct Setting {
  int ranks = 1;
  ElementType type = ElementType::plain_byte;
  Operation operation = Operation::sum;
  int root_rank = 0;
  std::int64_t block = 0;         // the size on the x-axis, of regular collectives
  Counts counts = {};             // of irregular ones, in the form that the case names
  std::vector<int> extents = {};  // of the arrangement in which neighbours are neighbours; product: ranks
};

/// What one rank of it passes and gets.
struct Layout {
  BareArguments arguments;  // without buffers
  std::int64_t send_elements = 0;
  std::int64_t receive_elements = 0;
  bool sends_from_receive_buffer = false;  // bcast has one buffer
  std::vector<SentBlock> sent;
  std::vector<ExpectedBlock> expected;
};

/// One collective: all that the benchmark must know of it. Derived in docs/explanation/collectives.md.
struct Case {
  /// What a matrix of its counts looks like: one for all (1 x 1), one from each rank (ranks x 1), to each
  /// rank (1 x ranks), for each pair.
  enum class CountForm { one, from_each, to_each, pairs };

  Collective collective;
  CountForm counts = CountForm::one;
  bool is_irregular = false;  // counts may differ; else all are Setting::block
  bool has_root = false;
  bool is_reduction = false;
  bool has_neighbours = false;
  bool has_size = true;  // a barrier has none
  Layout (*layout)(const Setting& setting, int rank) = nullptr;
  /// Elements that one rank contributes; of irregular counts the rank with most.
  std::int64_t (*contribution)(const Setting& setting) = nullptr;
  /// Lower bound on the elements into or out of the busiest rank.
  std::int64_t (*wire)(const Setting& setting) = nullptr;
  /// What carries it out in the place of the MPI library.
  std::optional<OwnAlgorithm> own = {};

  /// The function that is called, as MPI names it, or one's own algorithm. Absent where there is none.
  std::optional<std::string> call_name(Form form, bool large_counts) const;
  /// Collective where the form is persistent. The call that call_name() names; as make_bare_call().
  std::unique_ptr<BareCall> make_call(Form form, bool large_counts, const BareArguments& arguments,
                                      const BareCommunicator& comm) const;
};

/// Blocks one after the other: counts become offsets.
std::vector<std::int64_t> offsets_of(const std::vector<std::int64_t>& counts);
std::int64_t sum_of(const std::vector<std::int64_t>& counts);

}  // namespace isobath
