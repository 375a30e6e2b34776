// SPDX-License-Identifier: Apache-2.0
// throwing_program KIND RANK: that rank throws, the others wait in a barrier. KIND usage is thrown by all.
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/run_main.hpp"

namespace {

class Throwing final : public isobath::Program {
 public:
  Throwing(std::string kind, int rank) : kind_(std::move(kind)), rank_(rank) {}

  isobath::ExitCode run(isobath::Communicator& world, isobath::Vitals& /*vitals*/) override {
    using namespace isobath;
    if (kind_ == "usage") throw UsageError("this makes no sense");
    if (world.rank() == rank_) {
      if (kind_ == "environment") throw EnvironmentError("the disk is gone");
      if (kind_ == "internal") throw InternalError("one and one is three");
      if (kind_ == "refused") throw RefusedError("this would not fit");
      if (kind_ == "timeout") throw Error(ExitCode::timeout, "nobody came");
      if (kind_ == "memory") throw std::bad_alloc();
      if (kind_ == "foreign") throw std::runtime_error("somebody else's words");
    }
    world.barrier();
    return kind_ == "violations" ? ExitCode::violations : ExitCode::done;
  }

 private:
  std::string kind_;
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  Throwing program(argc > 1 ? argv[1] : "", argc > 2 ? std::stoi(argv[2]) : 0);
  return isobath::run_main(argc, argv, program);
}
