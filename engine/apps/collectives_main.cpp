// SPDX-License-Identifier: Apache-2.0
// isobath-collectives: what the collectives of an MPI library cost.
#include "apps/collectives_program.hpp"

int main(int argc, char** argv) {
  return isobath::run_program<isobath::CollectivesProgram>(argc, argv,
                                                           isobath::read_collectives_command_line);
}
