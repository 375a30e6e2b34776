// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace isobath {

/// Which vector instructions a kernel with several implementations may use; each contains those before it.
/// avx2 includes BMI1 and BMI2; avx512 means F, CD, BW, DQ and VL. All of them give the same results.
enum class InstructionSet { portable, avx2, avx512 };

std::string_view name_of(InstructionSet set);
/// Reads a name. @throws UsageError
InstructionSet parse_instruction_set(std::string_view name);

/// True where this processor and this build can run it.
bool is_supported(InstructionSet set);
/// All that can run here, portable first.
std::vector<InstructionSet> supported_instruction_sets();
/// The widest that can run here, or the one named by ISOBATH_INSTRUCTION_SET.
/// @throws UsageError when that name is unknown or cannot run here
InstructionSet best_instruction_set();

/// True on other processors than x86-64, which count bits in other ways.
bool has_popcnt();
/// What every program asks before it counts bits: an x86-64 build does that by the instruction popcnt
/// everywhere (docs/adr/0051). Does nothing in a build that does not.
/// @param has  whether the processor has the instruction
/// @throws EnvironmentError where it lacks it
void require_popcnt(bool has = has_popcnt());

}  // namespace isobath
