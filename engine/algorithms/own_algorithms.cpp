// SPDX-License-Identifier: Apache-2.0
#include "algorithms/own_algorithms.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

// One line for each: a function that a file of this folder defines in isobath::own, and the collectives that
// it carries out. docs/how-to/benchmark-your-algorithm.md says how to add one.
#define ISOBATH_OWN_ALGORITHMS(ROW) ROW(ring, Collective::allgather, Collective::allgatherv)

namespace isobath {
namespace own {

#define ISOBATH_DECLARE(function, ...) int function(const BareArguments& arguments, MPI_Comm comm) noexcept;
ISOBATH_OWN_ALGORITHMS(ISOBATH_DECLARE)
#undef ISOBATH_DECLARE

}  // namespace own

namespace {

class OwnCall final : public BareCall {
 public:
  OwnCall(OwnFunction function, BareArguments arguments, MPI_Comm comm)
      : function_(function), arguments_(std::move(arguments)), comm_(comm) {}
  int start() noexcept override { return function_(arguments_, comm_); }
  int wait() noexcept override { return MPI_SUCCESS; }
  int test(bool& is_complete) noexcept override {
    is_complete = true;
    return MPI_SUCCESS;
  }

 private:
  OwnFunction function_;
  BareArguments arguments_;
  MPI_Comm comm_;
};

}  // namespace

std::vector<OwnAlgorithm> own_algorithms() {
#define ISOBATH_LIST(function, ...) {"own_" #function, own::function, {__VA_ARGS__}},
  return {ISOBATH_OWN_ALGORITHMS(ISOBATH_LIST)};
#undef ISOBATH_LIST
}

OwnAlgorithm own_algorithm(std::string_view name, Collective collective) {
  std::string all;
  for (OwnAlgorithm& algorithm : own_algorithms()) {
    if (std::ranges::count(algorithm.collectives, collective) == 0) continue;
    if (algorithm.name == name) return std::move(algorithm);
    all += fmt::format("{}{}", all.empty() ? "there is " : ", ", algorithm.name);
  }
  throw UsageError(
      fmt::format("{} has no algorithm '{}' of one's own, {}; one of the library is written VARIABLE=VALUE",
                  name_of(collective), name, all.empty() ? "nor any other" : all));
}

std::string list_of_own_algorithms() {
  std::string text;
  for (const OwnAlgorithm& algorithm : own_algorithms()) {
    text += algorithm.name;
    for (const Collective collective : algorithm.collectives) text += fmt::format(" {}", name_of(collective));
    text += '\n';
  }
  return text;
}

std::unique_ptr<BareCall> make_own_call(OwnFunction function, BareArguments arguments, MPI_Comm comm) {
  return std::make_unique<OwnCall>(function, std::move(arguments), comm);
}

}  // namespace isobath
