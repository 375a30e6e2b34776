// SPDX-License-Identifier: Apache-2.0
#include "record/fact_fields.hpp"

namespace isobath::record {

Fields fields(const BuildInfo& build, bool standard_abi) {
  Fields object;
  object.put("commit", build.commit)
      .put("dirty", build.dirty)
      .put("compiler", build.compiler)
      .put("flags", build.flags)
      .put("build_type", build.build_type)
      .put("preset", build.preset)
      .put("mpi_compiled", build.mpi_compiled)
      .put("standard_abi", standard_abi);
  return object;
}

Fields fields(const MpiFacts& mpi) {
  Fields object;
  object.put("library_version", mpi.library_version)
      .put("standard_version", mpi.standard_version)
      .put("thread_level", mpi.thread_level)
      .put("large_counts", mpi.large_counts);
  return object;
}

Fields fields(const HostFacts& host) {
  Fields object;
  object.put("hostname", host.hostname)
      .put("cpu_model", host.cpu_model)
      .put("cores", host.cores)
      .put("sockets", host.sockets)
      .put("numa_nodes", host.numa_nodes)
      .put("l1d_bytes", host.l1d_bytes)
      .put("l2_bytes", host.l2_bytes)
      .put("l3_bytes", host.l3_bytes)
      .put("memory_bytes", host.memory_bytes)
      .put("cgroup_memory_bytes", host.cgroup_memory_bytes)
      .put("cgroup_cpus", host.cgroup_cpus)
      .put("kernel", host.kernel)
      .put("huge_pages", host.huge_pages)
      .put("clock_source", host.clock_source);
  return object;
}

Fields fields(const BindingFacts& binding) {
  Fields object;
  object.put("rank", binding.rank)
      .put("hostname", binding.hostname)
      .put("pid", binding.pid)
      .put("cpus", binding.cpus)
      .put("thread_cpus", binding.thread_cpus);
  return object;
}

}  // namespace isobath::record
