// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "comm/bare/pending_collective.hpp"

namespace isobath {

/// Fills what is sent with small whole numbers, which depend on rank and place and whose sums are exact in
/// any order, and what is received with a value that no collective gives.
void fill(PendingCollective& pending, const Communicator& comm);

/// Place of the first value on this rank that the collective should have given and has not.
std::optional<std::size_t> wrong_value(PendingCollective& pending, const Communicator& comm);

}  // namespace isobath
