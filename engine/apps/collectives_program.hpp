// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/collectives_options.hpp"
#include "apps/run_program.hpp"

namespace isobath {

/// isobath-collectives between the start and the end of MPI.
class CollectivesProgram final : public ProgramOf<CollectivesOptions> {
 public:
  using ProgramOf::ProgramOf;
  ExitCode run(Communicator& world, Vitals& vitals) override;
};

}  // namespace isobath
