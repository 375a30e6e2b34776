// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/records.hpp"

namespace isobath {

/// Nanoseconds of one part of a repetition.
struct PartTimesRecord {
  std::vector<std::int64_t> together_nanoseconds;           // by repetition: last exit - first entry
  std::vector<std::vector<std::int64_t>> rank_nanoseconds;  // by rank, by repetition
};

/// One non-blocking collective, one size, one way to make progress, one amount of fixed work.
struct OverlapRecord {
  std::string collective;
  std::int64_t size_bytes = 0;  // of a vector, or of the block of one rank
  int ranks = 1;                // that compute and communicate
  int aggregators = 0;          // ranks beside them; busy with offload alone
  int threads_per_rank = 1;
  std::string progress;  // library, tests, thread, spare_thread, library_thread, offload
  int tests = 0;
  std::string work;
  std::optional<int> work_order;  // of product
  std::int64_t work_units = 0;
  double work_ratio = 0;                  // of work to call, as asked for
  double reference_call_nanoseconds = 0;  // by which the work was chosen
  double unit_nanoseconds = 0;
  std::string alignment;
  std::int64_t clock_error_nanoseconds = 0;  // residual of different clocks after the cell; 0 of one clock
  bool oversubscribed = false;
  int launch = 0;
  int order = 0;
  std::optional<std::string> advice;  // what is doubtful about the setting
  std::optional<int> trees;           // of offload, and the next two
  std::optional<int> message_bytes;
  std::optional<int> depth;

  std::optional<std::string> not_runnable;  // and then none of what follows
  std::vector<std::pair<std::string, PartTimesRecord>> parts;
  std::vector<std::pair<std::string, std::vector<std::vector<std::int64_t>>>> inside;
  std::vector<int> invalid;
  std::optional<std::string> data_check_failure;
};

/// As the functions of records.hpp.
std::string to_line(const OverlapRecord& record, const std::string& run_id);

}  // namespace isobath
