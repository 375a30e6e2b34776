// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/collectives_options.hpp"
#include "apps/run_main.hpp"
#include "placement/thread_setup.hpp"
#include "record/collective.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// isobath-collectives between the start and the end of MPI.
class CollectivesProgram final : public Program {
 public:
  CollectivesProgram(CollectivesOptions options, std::vector<std::string> argv);

  std::string heartbeat_file() const override { return options_.heartbeat_file; }
  ExitCode run(Communicator& world, Vitals& vitals) override;
  RecordWriter* records() override { return records_ ? &*records_ : nullptr; }

 private:
  void open_records(const Communicator& world);

  CollectivesOptions options_;
  std::vector<std::string> argv_;
  std::string started_at_;
  std::optional<RecordWriter> records_;
};

}  // namespace isobath
