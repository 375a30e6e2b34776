// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath::skeleton {

/// What messages cost that SimGrid simulates, by size and by whether they stay on a node: what ranks work,
/// what the network takes, and how long cards are busy. Its own options (smpi/os, ois, or, lat-factor,
/// bw-factor) know sizes alone, and no card. Told by ISOBATH_MESSAGE_COSTS
/// (src/isobath/simulation/segments.py), beside which the options of factors must not be given; where that is
/// not set, SimGrid's options hold. Every rank may ask; the first does it for all, as ranks share what is
/// static (smpirun -no-privatize). Throws std::runtime_error for text that tells no costs.
void take_message_costs();

}  // namespace isobath::skeleton
