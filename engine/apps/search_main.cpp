// SPDX-License-Identifier: Apache-2.0
// isobath-search: searches of the graph of a file.
#include "apps/search_program.hpp"

int main(int argc, char** argv) {
  return isobath::run_program<isobath::SearchProgram>(argc, argv, isobath::read_search_command_line);
}
