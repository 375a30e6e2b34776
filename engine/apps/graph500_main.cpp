// SPDX-License-Identifier: Apache-2.0
// isobath-graph500: one run of the Graph500 benchmark.
#include "apps/graph500_program.hpp"

int main(int argc, char** argv) {
  return isobath::run_program<isobath::Graph500Program>(argc, argv, isobath::read_command_line);
}
