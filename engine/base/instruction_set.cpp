// SPDX-License-Identifier: Apache-2.0
#include "base/instruction_set.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr InstructionSet all_sets[] = {InstructionSet::portable, InstructionSet::avx2,
                                       InstructionSet::avx512};

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#else
bool has_avx2() { return false; }
bool has_avx512() { return false; }
#endif

#if defined(__POPCNT__)
constexpr bool counts_by_popcnt = true;
#else
constexpr bool counts_by_popcnt = false;
#endif

}  // namespace

#if defined(__x86_64__)
bool has_popcnt() { return __builtin_cpu_supports("popcnt") != 0; }
#else
bool has_popcnt() { return true; }
#endif

void require_popcnt(bool has) {
  if (has || !counts_by_popcnt) return;
  throw EnvironmentError(
      "this processor lacks the instruction popcnt, by which this build counts bits; build with "
      "-DCMAKE_CXX_FLAGS=-mno-popcnt");
}

std::string_view name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::portable:
      break;
  }
  return "portable";
}

InstructionSet parse_instruction_set(std::string_view name) {
  for (const InstructionSet set : all_sets) {
    if (name == name_of(set)) return set;
  }
  throw UsageError(fmt::format("'{}' is no instruction set; choose portable, avx2 or avx512", name));
}

bool is_supported(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return has_avx2();
    case InstructionSet::avx512:
      return has_avx512();
    case InstructionSet::portable:
      break;
  }
  return true;
}

std::vector<InstructionSet> supported_instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : all_sets) {
    if (is_supported(set)) sets.push_back(set);
  }
  return sets;
}

InstructionSet best_instruction_set() {
  const char* const wanted = std::getenv("ISOBATH_INSTRUCTION_SET");
  if (wanted == nullptr || *wanted == '\0') return supported_instruction_sets().back();
  const InstructionSet set = parse_instruction_set(wanted);
  if (!is_supported(set)) {
    throw UsageError(
        fmt::format("ISOBATH_INSTRUCTION_SET asks for {}, which this processor lacks; unset it to use {}",
                    wanted, name_of(supported_instruction_sets().back())));
  }
  return set;
}

}  // namespace isobath
