// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/overlap.hpp"

namespace isobath {

/// One method of conjugate gradients on one mesh, under one way to make progress.
struct KrylovRecord {
  std::string method;  // cg, single, gropp, pipelined
  std::int64_t elements = 0;
  int iterations = 0;
  int ranks = 1;        // that compute and communicate
  int aggregators = 0;  // ranks beside them; busy with offload alone
  int threads_per_rank = 1;
  std::string progress;  // blocking, or as of OverlapRecord
  int tests = 0;
  std::string alignment;
  bool oversubscribed = false;
  int launch = 0;
  int order = 0;

  std::optional<std::string> not_runnable;  // and then none of what follows
  PartTimesRecord solve;
  std::vector<std::pair<std::string, std::vector<std::vector<std::int64_t>>>> parts;
  std::vector<int> invalid;
  std::vector<double> norms;
  double error = 0;
  std::optional<std::string> data_check_failure;
};

/// As the functions of records.hpp.
std::string to_line(const KrylovRecord& record, const std::string& run_id);

}  // namespace isobath
