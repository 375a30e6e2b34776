// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/overlap_options.hpp"
#include "apps/run_main.hpp"
#include "comm/node_map.hpp"
#include "comm/progress_thread.hpp"
#include "placement/thread_setup.hpp"
#include "record/overlap.hpp"
#include "record/record_writer.hpp"
#include "timing/global_clock.hpp"

namespace isobath {

/// isobath-overlap between the start and the end of MPI.
class OverlapProgram final : public Program {
 public:
  OverlapProgram(OverlapOptions options, std::vector<std::string> argv);

  /// Threads of ours call MPI beside the main one; where there are none, it is not asked to bear them.
  ThreadLevel thread_level() const override;
  std::string heartbeat_file() const override { return options_.heartbeat_file; }
  ExitCode run(Communicator& world, Vitals& vitals) override;
  RecordWriter* records() override { return records_ ? &*records_ : nullptr; }

 private:
  OverlapOptions options_;
  std::vector<std::string> argv_;
  std::string started_at_;
  std::optional<RecordWriter> records_;
};

}  // namespace isobath
