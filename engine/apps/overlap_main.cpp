// SPDX-License-Identifier: Apache-2.0
// isobath-overlap: what non-blocking collectives hide.
#include "apps/overlap_program.hpp"

int main(int argc, char** argv) {
  return isobath::run_program<isobath::OverlapProgram>(argc, argv, isobath::read_overlap_command_line);
}
