// SPDX-License-Identifier: Apache-2.0
#include "record/overlap.hpp"

#include "record/fields.hpp"

namespace isobath {

using record::Fields;
using record::header;

namespace {

void put_times(Fields& line, const OverlapRecord& record) {
  Fields parts;
  for (const auto& [name, times] : record.parts) {
    Fields part;
    part.put("together_nanoseconds", times.together_nanoseconds)
        .put("rank_nanoseconds", times.rank_nanoseconds);
    parts.put(name.c_str(), part);
  }
  Fields inside;
  for (const auto& [name, by_rank] : record.inside) inside.put(name.c_str(), by_rank);
  line.put("parts", parts)
      .put("inside", inside)
      .put("invalid", record.invalid)
      .put("data_check", record.data_check_failure ? "failed" : "passed")
      .put("data_check_failure", record.data_check_failure);
}

}  // namespace

std::string to_line(const OverlapRecord& record, const std::string& run_id) {
  Fields line = header("overlap", run_id);
  line.put("collective", record.collective)
      .put("size_bytes", record.size_bytes)
      .put("ranks", record.ranks)
      .put("aggregators", record.aggregators)
      .put("threads_per_rank", record.threads_per_rank)
      .put("progress", record.progress)
      .put("tests", record.tests)
      .put("work", record.work)
      .put("work_order", record.work_order)
      .put("work_units", record.work_units)
      .put("work_ratio", record.work_ratio)
      .put("reference_call_nanoseconds", record.reference_call_nanoseconds)
      .put("unit_nanoseconds", record.unit_nanoseconds)
      .put("alignment", record.alignment)
      .put("clock_error_nanoseconds", record.clock_error_nanoseconds)
      .put("oversubscribed", record.oversubscribed)
      .put("launch", record.launch)
      .put("order", record.order)
      .put("advice", record.advice)
      .put("trees", record.trees)
      .put("message_bytes", record.message_bytes)
      .put("depth", record.depth)
      .put("not_runnable", record.not_runnable);
  if (!record.not_runnable) put_times(line, record);
  return line.text();
}

}  // namespace isobath
