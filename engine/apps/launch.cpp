// SPDX-License-Identifier: Apache-2.0
#include "apps/launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "machine/binding.hpp"
#include "machine/cgroup_limits.hpp"

namespace isobath {
namespace {

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

/// The number at the start of a variable ("4" and "4(x2)" are both 4).
std::optional<int> number_from(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

template <class... Names>
std::optional<int> first_number_from(const char* name, Names... names) {
  if (const std::optional<int> number = number_from(name)) return number;
  if constexpr (sizeof...(names) > 0) return first_number_from(names...);
  return std::nullopt;
}

std::optional<int> launcher_rank() {
  return first_number_from("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID");
}

}  // namespace

int announced_rank() { return launcher_rank().value_or(0); }

std::optional<int> announced_local_ranks() {
  // MPICH and Intel MPI, Open MPI, Slurm (of the first node; nodes are filled alike)
  const std::optional<int> ranks =
      first_number_from("MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE");
  if (ranks) return ranks;
  if (launcher_rank()) return std::nullopt;
  return 1;
}

std::optional<const char*> wait_policy_to_set(std::optional<int> threads) {
  if (is_set("OMP_WAIT_POLICY") || is_set("GOMP_SPINCOUNT") || is_set("KMP_BLOCKTIME")) return std::nullopt;
  const std::optional<int> ranks = announced_local_ranks();
  if (!ranks) return std::nullopt;
  const int each = threads ? *threads : number_from("OMP_NUM_THREADS").value_or(1);
  auto processors = static_cast<std::int64_t>(allowed_cpus().size());
  if (const std::optional<double> limit = cgroup_limits().cpus) {
    processors = std::min(processors, static_cast<std::int64_t>(std::ceil(*limit)));
  }
  return std::int64_t{*ranks} * each <= processors ? "active" : "passive";
}

void choose_wait_policy(char** argv, std::optional<int> threads) {
  const std::optional<const char*> policy = wait_policy_to_set(threads);
  if (!policy || setenv("OMP_WAIT_POLICY", *policy, 1) != 0) return;
  // By its own name: as "/proc/self/exe" the process would show up as "exe" everywhere.
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) execv(self.c_str(), argv);
}

}  // namespace isobath
