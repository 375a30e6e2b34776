// SPDX-License-Identifier: Apache-2.0
#include "record/collective.hpp"

#include "record/disclosure.hpp"
#include "record/fact_fields.hpp"
#include "record/fields.hpp"

namespace isobath {
namespace {

using record::Fields;
using record::header;

Fields fields(const CountFactsRecord& facts) {
  Fields object;
  object.put("total_bytes", facts.total_bytes)
      .put("largest_row_bytes", facts.largest_row_bytes)
      .put("largest_column_bytes", facts.largest_column_bytes)
      .put("largest_entry_bytes", facts.largest_entry_bytes)
      .put("fewest_peers", facts.fewest_peers)
      .put("most_peers", facts.most_peers)
      .put("gini", facts.gini);
  return object;
}

void put_samples(Fields& line, const CollectiveRecord& record) {
  line.put("entry_nanoseconds", record.entry_nanoseconds).put("exit_nanoseconds", record.exit_nanoseconds);
  if (!record.batch_starts.empty()) line.put("batch_starts", record.batch_starts);
  line.put("timed_from", record.timed_from);
  if (!record.slowest_nanoseconds.empty()) line.put("slowest_nanoseconds", record.slowest_nanoseconds);
  line.put("warm_up_repetitions", record.warm_up_repetitions)
      .put("invalid", record.invalid)
      .put("context_switches", record.context_switches)
      .put("stopped_because", record.stopped_because)
      .put("data_check", record.data_check_failure ? "failed" : "passed")
      .put("data_check_failure", record.data_check_failure);
}

}  // namespace

std::string to_line(const LaunchRecord& record, const std::string& run_id) {
  Fields line = header("launch", run_id);
  line.put("program", record.program)
      .put("version", record.version)
      .put("argv", stored_words(record.argv))
      .put("started", record.started)
      .put("launch", record.launch)
      .put("ranks", record.ranks)
      .put("threads_per_rank", record.threads_per_rank)
      .put("oversubscribed", record.oversubscribed)
      .put("build", record::fields(record.build, record.mpi.standard_abi))
      .put("mpi", record::fields(record.mpi))
      .put("hosts", record::list_of_facts(record.hosts))
      .put("binding", record::list_of_facts(record.binding))
      .put("nodes", record.nodes)
      .put("node_of_rank", record.node_of_rank)
      .put("node_map_is_override", record.node_map_is_override)
      .put("clock_resolution_seconds", record.clock_resolution_seconds)
      .put("clocks", record.clocks)
      .put("clock_error_seconds", record.clock_error_seconds)
      .put("environment", record.environment);
  return line.text();
}

std::string to_line(const CollectiveRecord& record, const std::string& run_id) {
  Fields line = header("collective", run_id);
  line.put("collective", record.collective)
      .put("form", record.form)
      .put("call", record.call)
      .put("size_bytes", record.size_bytes)
      .put("bytes_per_rank", record.bytes_per_rank)
      .put("wire_bytes", record.wire_bytes)
      .put("ranks", record.ranks)
      .put("communicators", record.communicators)
      .put("shape", record.shape);
  if (!record.coordinates.empty()) line.put("coordinates", record.coordinates);
  line.put("along", record.along)
      .put("together", record.together)
      .put("counts", record.counts)
      .put("count_facts", fields(record.count_facts))
      .put("datatype", record.datatype)
      .put("operation", record.operation)
      .put("root_rank", record.root_rank)
      .put("buffers", record.buffers)
      .put("cadence", record.cadence)
      .put("alignment", record.alignment)
      .put("arrival", record.arrival)
      .put("algorithm", record.algorithm)
      .put("algorithm_variable", record.algorithm_variable)
      .put("algorithm_source", record.algorithm_source);
  if (record.stack_samples > 0) {
    line.put("stack_samples", record.stack_samples).put("stack_functions", record.stack_functions);
  }
  line.put("oversubscribed", record.oversubscribed)
      .put("launch", record.launch)
      .put("order", record.order)
      .put("started_seconds", record.started_seconds)
      .put("clock_error_nanoseconds", record.clock_error_nanoseconds)
      .put("needed_bytes", record.needed_bytes)
      .put("not_runnable", record.not_runnable);
  if (!record.not_runnable) put_samples(line, record);
  return line.text();
}

}  // namespace isobath
