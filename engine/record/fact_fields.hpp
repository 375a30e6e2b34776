// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/binding.hpp"
#include "machine/host_facts.hpp"
#include "record/build_info.hpp"
#include "record/fields.hpp"
#include "record/records.hpp"

// What the first line of a run and that of a launch both say; for the sources of this layer alone.
namespace isobath::record {

Fields fields(const BuildInfo& build, bool standard_abi);
Fields fields(const MpiFacts& mpi);
Fields fields(const HostFacts& host);
Fields fields(const BindingFacts& binding);

template <class Record>
std::vector<Fields> list_of_facts(const std::vector<Record>& records) {
  std::vector<Fields> objects;
  for (const Record& record : records) objects.push_back(fields(record));
  return objects;
}

}  // namespace isobath::record
