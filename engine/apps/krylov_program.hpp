// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/krylov_options.hpp"
#include "apps/run_main.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// isobath-krylov between the start and the end of MPI.
class KrylovProgram final : public Program {
 public:
  KrylovProgram(KrylovOptions options, std::vector<std::string> argv);

  /// Threads of ours call MPI beside the main one; where there are none, it is not asked to bear them.
  ThreadLevel thread_level() const override;
  std::string heartbeat_file() const override { return options_.heartbeat_file; }
  ExitCode run(Communicator& world, Vitals& vitals) override;
  RecordWriter* records() override { return records_ ? &*records_ : nullptr; }

 private:
  KrylovOptions options_;
  std::vector<std::string> argv_;
  std::string started_at_;
  std::optional<RecordWriter> records_;
};

}  // namespace isobath
