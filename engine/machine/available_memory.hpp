// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace isobath {

/// Bytes that processes may still take on this machine: what its kernel calls available, or what is left to
/// the container where that is less. Absent where nobody tells. `root` stands for / in tests.
std::optional<std::int64_t> available_bytes(const std::filesystem::path& root = "/");

}  // namespace isobath
