// SPDX-License-Identifier: Apache-2.0
#include "record/krylov.hpp"

#include "record/fields.hpp"

namespace isobath {

using record::Fields;
using record::header;

std::string to_line(const KrylovRecord& record, const std::string& run_id) {
  Fields line = header("krylov", run_id);
  line.put("implementation", "isobath")
      .put("method", record.method)
      .put("elements", record.elements)
      .put("iterations", record.iterations)
      .put("ranks", record.ranks)
      .put("aggregators", record.aggregators)
      .put("threads_per_rank", record.threads_per_rank)
      .put("progress", record.progress)
      .put("tests", record.tests)
      .put("alignment", record.alignment)
      .put("oversubscribed", record.oversubscribed)
      .put("launch", record.launch)
      .put("order", record.order)
      .put("not_runnable", record.not_runnable);
  if (record.not_runnable) return line.text();
  Fields solve;
  solve.put("together_nanoseconds", record.solve.together_nanoseconds)
      .put("rank_nanoseconds", record.solve.rank_nanoseconds);
  Fields parts;
  for (const auto& [name, by_rank] : record.parts) parts.put(name.c_str(), by_rank);
  line.put("solve", solve)
      .put("parts", parts)
      .put("invalid", record.invalid)
      .put("norms", record.norms)
      .put("error", record.error)
      .put("data_check", record.data_check_failure ? "failed" : "passed")
      .put("data_check_failure", record.data_check_failure);
  return line.text();
}

}  // namespace isobath
