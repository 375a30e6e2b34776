// SPDX-License-Identifier: Apache-2.0
#include "record/records.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "record/credentials.hpp"
#include "record/disclosure.hpp"
#include "record/fact_fields.hpp"
#include "record/fields.hpp"

namespace isobath {
namespace {

using record::fields;
using record::Fields;
using record::header;
using record::Json;

/// Fields have underscores where options have hyphens, and digits alone are a number.
Fields fields_of_switches(const std::vector<NamedValue>& switches) {
  Fields object;
  for (const NamedValue& each : switches) {
    std::string field = each.name;
    std::replace(field.begin(), field.end(), '-', '_');
    if (each.value.find_first_not_of("0123456789") == std::string::npos) {
      object.put(field.c_str(), std::stoi(each.value));
    } else {
      object.put(field.c_str(), each.value);
    }
  }
  return object;
}

Fields fields(const GraphFileRecord& graph) {
  Fields object;
  object.put("path", without_credentials(graph.path, Disorder::removed))
      .put("format", graph.format)
      .put("bytes", graph.bytes)
      .put("num_vertices", graph.num_vertices)
      .put("num_edges", graph.num_edges)
      .put("weighted", graph.weighted)
      .put("assigned_weights", graph.assigned_weights)
      .put("weight_seed", graph.weight_seed)
      .put("numbering", graph.numbering)
      .put("load_seconds", graph.load_seconds);
  return object;
}

Fields fields(const RuleRecord& rule) {
  Fields object;
  object.put("rule", rule.rule)
      .put("violations", rule.violations)
      .put("first_vertex", rule.first_vertex)
      .put("first_other", rule.first_other);
  return object;
}

Fields fields(const ConstructionCheckRecord& check) {
  Fields object;
  object.put("missing_arcs", check.missing_arcs)
      .put("unfounded_arcs", check.unfounded_arcs)
      .put("arcs", check.arcs)
      .put("expected_arcs", check.expected_arcs)
      .put("passed", check.passed);
  return object;
}

Fields fields(const PreparedRecord& prepared) {
  Fields object;
  object.put("by_degree", prepared.by_degree)
      .put("families", prepared.families)
      .put("likely_parents", prepared.likely_parents)
      .put("told_hubs", prepared.told_hubs)
      .put("first_neighbours", prepared.first_neighbours)
      .put("ranks_without_first_neighbours", prepared.ranks_without_first_neighbours)
      .put("by_weight", prepared.by_weight)
      .put("light_streams", prepared.light_streams)
      .put("ranks_without_light_streams", prepared.ranks_without_light_streams)
      .put("core_radius", prepared.core_radius);
  return object;
}

template <class Record>
std::vector<Fields> list_of(const std::vector<Record>& records) {
  std::vector<Fields> objects;
  for (const Record& record : records) objects.push_back(fields(record));
  return objects;
}

Fields fields(const ValidationRecord& validation) {
  Fields object;
  object.put("passed", validation.passed)
      .put("seconds", validation.seconds)
      .put("first_violation", validation.first_violation)
      .put("rules", list_of(validation.rules));
  return object;
}

/// What levels and rounds have in common.
void put_part(Fields& line, const SearchPartRecord& record) {
  line.put("seconds", record.seconds)
      .put("phases", record.phases)
      .put("bytes_sent", record.bytes_sent)
      .put("messages", record.messages)
      .put("bytes_received", record.bytes_received)
      .put("calls", record.calls)
      .put("off_node_bytes", record.off_node_bytes)
      .put("call_seconds", record.call_seconds)
      .put("wait_seconds", record.wait_seconds);
}

template <class T>
std::optional<T> optional_field(const Json& json, const char* name) {
  if (!json.contains(name)) return std::nullopt;
  return json.at(name).get<T>();
}

template <class Facts, class Read>
Facts read_json(const std::string& text, Read&& read) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    throw InternalError("facts from another rank are no JSON object; please report this");
  Facts facts;
  read(json, facts);
  return facts;
}

}  // namespace

std::string to_line(const RunRecord& run, const std::string& run_id) {
  Fields line = header("run", run_id);
  line.put("program", run.program)
      .put("version", run.version)
      .put("argv", stored_words(run.argv))
      .put("started", run.started)
      .put("scale", run.scale)
      .put("edgefactor", run.edgefactor)
      .put("seeds", run.seeds)
      .put("kernel", run.kernel)
      .put("plan", run.plan);
  if (run.paths) {
    Fields paths;
    paths.put("plan", run.paths->plan).put("pruned", run.paths->pruned).put("delta", run.paths->delta);
    line.put("paths", paths);
  }
  if (run.switches) line.put("switches", fields_of_switches(*run.switches));
  line.put("tasks", run.tasks)
      .put("grid_rows", run.grid_rows)
      .put("grid_cols", run.grid_cols)
      .put("ranks", run.ranks)
      .put("threads_per_rank", run.threads_per_rank)
      .put("oversubscribed", run.oversubscribed)
      .put("edges_storage", run.edges_storage)
      .put("keys_requested", run.keys_requested)
      .put("validation", run.validation)
      .put("official", run.official)
      .put("warmup_searches", run.warmup_searches)
      .put("leaves_pruned", run.leaves_pruned)
      .put("relabelled", run.relabelled)
      .put("alpha", run.alpha)
      .put("beta", run.beta)
      .put("instruction_set", run.instruction_set)
      .put("build", fields(run.build, run.mpi.standard_abi))
      .put("mpi", fields(run.mpi))
      .put("hosts", record::list_of_facts(run.hosts))
      .put("binding", record::list_of_facts(run.binding))
      .put("clock_resolution_seconds", run.clock_resolution_seconds)
      .put("nodes", run.nodes)
      .put("node_of_rank", run.node_of_rank)
      .put("node_map_is_override", run.node_map_is_override)
      .put("clock_error_seconds", run.clock_error_seconds);
  if (run.graph) line.put("graph", fields(*run.graph));
  return line.text();
}

std::string to_line(const ConstructionRecord& record, const std::string& run_id) {
  Fields line = header("construction", run_id);
  line.put("kernel", record.kernel)
      .put("seconds", record.seconds)
      .put("retrieval_seconds", record.retrieval_seconds)
      .put("generation_seconds", record.generation_seconds)
      .put("phases", record.phases)
      .put("num_vertices", record.num_vertices)
      .put("num_edges", record.num_edges)
      .put("self_loops", record.self_loops)
      .put("distinct_edges", record.distinct_edges)
      .put("isolated_vertices", record.isolated_vertices)
      .put("leaves", record.leaves)
      .put("searched_vertices", record.searched_vertices)
      .put("stored_arcs", record.stored_arcs)
      .put("hubs", record.hubs)
      .put("max_degree_with_duplicates", record.max_degree_with_duplicates)
      .put("components", record.components)
      .put("largest_component_vertices", record.largest_component_vertices)
      .put("largest_component_edges", record.largest_component_edges)
      .put("imbalance", record.imbalance)
      .put("prepared", fields(record.prepared))
      .put("peak_bytes_per_rank", record.peak_bytes_per_rank);
  if (record.check) line.put("check", fields(*record.check));
  if (record.path_plan) {
    Fields path_plan;
    path_plan.put("plan", record.path_plan->plan)
        .put("pruned", record.path_plan->pruned)
        .put("reason", record.path_plan->reason);
    line.put("path_plan", path_plan);
  }
  return line.text();
}

std::string to_line(const SearchRecord& record, const std::string& run_id) {
  Fields line = header("search", run_id);
  line.put("kernel", record.kernel)
      .put("index", record.index)
      .put("warmup", record.warmup)
      .put("root", record.root)
      .put("seconds", record.seconds)
      .put("seconds_min", record.seconds_min)
      .put("seconds_mean", record.seconds_mean)
      .put("traversed_edges", record.traversed_edges)
      .put("traversed_edges_with_self_loops", record.traversed_edges_with_self_loops)
      .put("teps", record.teps)
      .put("started_seconds", record.started_seconds)
      .put("phases", record.phases)
      .put("bytes_sent", record.bytes_sent)
      .put("messages", record.messages)
      .put("page_faults", record.page_faults)
      .put("bytes_received", record.bytes_received)
      .put("off_node_bytes", record.off_node_bytes)
      .put("seconds_per_rank", record.seconds_per_rank)
      .put("mpi_seconds_per_rank", record.mpi_seconds_per_rank)
      .put("wait_seconds_per_rank", record.wait_seconds_per_rank)
      .put("clock_error_seconds", record.clock_error_seconds);
  line.put("rounds", record.rounds);
  if (record.validation) {
    line.put("vertices_reached", record.vertices_reached).put("levels", record.levels);
    if (record.levels) line.put("vertices_per_level", record.vertices_per_level);
    line.put("tree_levels", record.tree_levels);
    if (record.distances) {
      Fields distances;
      distances.put("mean", record.distances->mean).put("max", record.distances->max);
      line.put("distances", distances);
    }
    line.put("validation", fields(*record.validation));
  }
  return line.text();
}

std::string to_line(const LevelRecord& record, const std::string& run_id) {
  Fields line = header("level", run_id);
  line.put("search", record.search)
      .put("level", record.level)
      .put("direction", record.direction)
      .put("frontier_vertices", record.frontier_vertices)
      .put("arcs_scanned", record.arcs_scanned);
  put_part(line, record);
  return line.text();
}

std::string to_line(const RoundRecord& record, const std::string& run_id) {
  Fields line = header("round", run_id);
  line.put("search", record.search)
      .put("round", record.round)
      .put("active_vertices", record.active_vertices)
      .put("arcs_relaxed", record.arcs_relaxed);
  put_part(line, record);
  return line.text();
}

std::string to_line(const FinishRecord& record, const std::string& run_id) {
  std::int64_t peak_bytes = 0;
  for (const std::int64_t bytes : record.peak_bytes_per_rank) peak_bytes += bytes;
  Fields line = header("finish", run_id);
  line.put("state", record.state)
      .put("searches_completed", record.searches_completed)
      .put("violations", record.violations)
      .put("peak_bytes_per_rank", record.peak_bytes_per_rank)
      .put("peak_bytes", peak_bytes)
      .put("huge_pages_requested_bytes", record.huge_pages_requested_bytes)
      .put("huge_pages_obtained_bytes", record.huge_pages_obtained_bytes)
      .put("seconds", record.seconds)
      .put("graph_generation_seconds", record.graph_generation_seconds)
      .put("construction_seconds", record.construction_seconds)
      .put("validation_copy_seconds", record.validation_copy_seconds)
      .put("disclosures", record.disclosures);
  return line.text();
}

std::string to_line(const FailureRecord& record, const std::string& run_id) {
  Fields line = header("failure", run_id);
  line.put("phase", record.phase)
      .put("rank", record.rank)
      .put("signal", record.signal)
      .put("last_call", record.last_call)
      .put("elapsed_seconds", record.elapsed_seconds)
      .put("message", without_credentials(record.message))
      .put("exit_code", record.exit_code);
  return line.text();
}

std::string to_json(const BuildInfo& build, bool standard_abi) {
  Fields object;
  object.put("version", build.version).put("build", fields(build, standard_abi));
  return object.text();
}

std::string to_json(const HostFacts& host) { return fields(host).text(); }
std::string to_json(const BindingFacts& binding) { return fields(binding).text(); }

HostFacts host_facts_from_json(const std::string& text) {
  return read_json<HostFacts>(text, [](const Json& json, HostFacts& host) {
    host.hostname = json.value("hostname", "");
    host.cpu_model = json.value("cpu_model", "");
    host.cores = json.value("cores", 1);
    host.sockets = optional_field<int>(json, "sockets");
    host.numa_nodes = optional_field<int>(json, "numa_nodes");
    host.l1d_bytes = optional_field<std::int64_t>(json, "l1d_bytes");
    host.l2_bytes = optional_field<std::int64_t>(json, "l2_bytes");
    host.l3_bytes = optional_field<std::int64_t>(json, "l3_bytes");
    host.memory_bytes = optional_field<std::int64_t>(json, "memory_bytes");
    host.cgroup_memory_bytes = optional_field<std::int64_t>(json, "cgroup_memory_bytes");
    host.cgroup_cpus = optional_field<double>(json, "cgroup_cpus");
    host.kernel = optional_field<std::string>(json, "kernel");
    host.huge_pages = optional_field<std::string>(json, "huge_pages");
    host.clock_source = optional_field<std::string>(json, "clock_source");
  });
}

BindingFacts binding_from_json(const std::string& text) {
  return read_json<BindingFacts>(text, [](const Json& json, BindingFacts& binding) {
    binding.rank = json.value("rank", 0);
    binding.hostname = json.value("hostname", "");
    binding.pid = json.value("pid", 0);
    binding.cpus = json.value("cpus", "");
    binding.thread_cpus = json.value("thread_cpus", std::vector<std::string>());
  });
}

}  // namespace isobath
