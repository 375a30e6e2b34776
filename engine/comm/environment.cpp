// SPDX-License-Identifier: Apache-2.0
#include "comm/environment.hpp"

#include <mpi.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>

#include <fmt/format.h>

#include "comm/calls/calls.hpp"
#include "comm/calls/check.hpp"

struct MPI_ABI_Comm;  // what the standard ABI's communicators point to; other MPIs have no such type

namespace isobath {
namespace {

bool is_initialized() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  return initialized != 0;
}

bool is_finalized() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized != 0;
}

/// By name, since the numbers differ between libraries.
std::string name_of_thread_level(int level) {
  if (level == MPI_THREAD_SINGLE) return "single";
  if (level == MPI_THREAD_FUNNELED) return "funneled";
  if (level == MPI_THREAD_SERIALIZED) return "serialized";
  if (level == MPI_THREAD_MULTIPLE) return "multiple";
  return "unknown";
}

/// A whole number from the environment; nothing where the variable is absent or empty.
/// @throws UsageError when it is no number between 1 and that of `int`
std::optional<std::int64_t> positive_from_environment(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::string_view digits = text;
  int value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || value < 1) {
    throw UsageError(fmt::format("{} is '{}'; set it to a whole number from 1 to {}, or unset it", name,
                                 digits, std::numeric_limits<int>::max()));
  }
  return value;
}

std::string library_description() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::string library_name() {
  std::string text = library_description();
  text = text.substr(0, text.find('\n'));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\0')) text.pop_back();
  return text;
}

/// What a person set wrongly is wrong use; all else is the machine's.
[[noreturn]] void refuse(const WorldFault& fault) {
  const std::string sentence = fmt::format("{}; {}", fault.fact, fault.cure);
  if (fault.launched.variable == expected_ranks && fault.launched.ranks == 0) throw UsageError(sentence);
  throw MpiError(sentence);
}

}  // namespace

MpiEnvironment::MpiEnvironment(int* argc, char*** argv, ThreadLevel wanted)
    : launch_(launch_variables(environ)), exceptions_before_(std::uncaught_exceptions()) {
  if (is_initialized()) throw InternalError("MPI is initialised twice in this process; please report this");
  // Open MPI 4.1's osc/rdma gives windows of disjoint communicators the same shared memory (its file is named
  // by the communicator's number, which the rows of a grid have in common). Other MPI libraries do not read
  // this.
  setenv("OMPI_MCA_osc", "^rdma", 0);
  if (const std::optional<WorldFault> fault = certain_fault(launch_, library_description())) refuse(*fault);
  int granted = MPI_THREAD_SINGLE;
  check(
      MPI_Init_thread(argc, argv, wanted == ThreadLevel::multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                      &granted),
      "MPI_Init_thread");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // MPI 4 asks this one where no communicator is concerned.
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (granted < MPI_THREAD_FUNNELED && wanted != ThreadLevel::single) {  // the standard orders the levels
    MPI_Finalize();
    throw MpiError(fmt::format(
        "{} grants thread level '{}', but '{}' is needed; use an MPI built with thread support, "
        "or one thread a rank: --threads 1",
        library_name(), name_of_thread_level(granted), name_of_thread_level(MPI_THREAD_FUNNELED)));
  }
}

MpiEnvironment::~MpiEnvironment() {
  // While an exception passes, the other ranks may be inside a collective, and MPI_Finalize would wait for
  // them. The launcher ends them when this process leaves without it.
  if (!is_finalized() && std::uncaught_exceptions() == exceptions_before_) MPI_Finalize();
}

Communicator MpiEnvironment::world(CountLimit limit) const {
  int size = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  if (const std::optional<WorldFault> fault = world_fault(launch_, size, library_name())) refuse(*fault);
  if (const std::optional<std::int64_t> bytes = positive_from_environment("ISOBATH_MPI_COUNT_LIMIT")) {
    limit = {.bytes_per_call = *bytes, .prefer_large_counts = false};
  }
  // A launcher may pass the variable to some ranks only; all must cut messages alike.
  std::int64_t strictest[] = {limit.bytes_per_call, limit.prefer_large_counts ? 1 : 0};
  check(MPI_Allreduce(MPI_IN_PLACE, strictest, 2, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
  return Communicator(MPI_COMM_WORLD,
                      {.bytes_per_call = strictest[0], .prefer_large_counts = strictest[1] != 0});
}

void abort_all_ranks(ExitCode code) {
  std::fflush(nullptr);
  if (is_initialized() && !is_finalized()) {
    // Launchers end all processes at once and drop what they have not forwarded yet: the reason, just said.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
  }
  std::_Exit(static_cast<int>(code));
}

MpiIdentity mpi_identity() {
  MpiIdentity identity;
  identity.library_version = library_name();
  int version = 0;
  int subversion = 0;
  check(MPI_Get_version(&version, &subversion), "MPI_Get_version");
  identity.standard_version = fmt::format("{}.{}", version, subversion);
  identity.thread_level = "none";
  if (is_initialized() && !is_finalized()) {
    int level = 0;
    check(MPI_Query_thread(&level), "MPI_Query_thread");
    identity.thread_level = name_of_thread_level(level);
  }
  identity.large_counts = large_count_calls() != nullptr;
  identity.standard_abi = std::is_same_v<MPI_Comm, MPI_ABI_Comm*>;
  return identity;
}

std::vector<int> world_ranks_of(MPI_Comm comm, int size) {
  MPI_Group here = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  check(MPI_Comm_group(comm, &here), "MPI_Comm_group");
  check(MPI_Comm_group(MPI_COMM_WORLD, &all), "MPI_Comm_group");
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> world_ranks(ranks.size());
  check(MPI_Group_translate_ranks(here, size, ranks.data(), all, world_ranks.data()),
        "MPI_Group_translate_ranks");
  MPI_Group_free(&here);
  MPI_Group_free(&all);
  return world_ranks;
}

}  // namespace isobath
