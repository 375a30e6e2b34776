// SPDX-License-Identifier: Apache-2.0
// isobath-krylov: conjugate gradients, plain and pipelined.
#include "apps/krylov_program.hpp"

int main(int argc, char** argv) {
  return isobath::run_program<isobath::KrylovProgram>(argc, argv, isobath::read_krylov_command_line);
}
