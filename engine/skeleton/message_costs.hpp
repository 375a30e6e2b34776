// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath::skeleton {

/// What messages cost the ranks that SimGrid simulates, by size and by whether they stay on a node. Its own
/// options (smpi/os, ois, or) know sizes alone. Told by ISOBATH_MESSAGE_COSTS
/// (src/isobath/simulation/segments.py); where that is not set, SimGrid's options hold. Every rank may ask;
/// the first does it for all, as ranks share what is static (smpirun -no-privatize). Throws
/// std::runtime_error for text that tells no costs.
void take_message_costs();

}  // namespace isobath::skeleton
