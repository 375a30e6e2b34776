// SPDX-License-Identifier: Apache-2.0
// isobath-skeleton: the calls of a search without its data, under the MPI at hand or under SimGrid's.
#include "skeleton/play.hpp"

int main(int argc, char** argv) { return isobath::skeleton::run_program(argc, argv); }
