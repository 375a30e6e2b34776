// SPDX-License-Identifier: Apache-2.0
// Must not compile: only a vertex in original numbering has a block.
#include "partition/block_partition.hpp"

#ifdef ISOBATH_COUNTERPART
constexpr isobath::GlobalVertex vertex{0};
#else
constexpr isobath::LocalVertex vertex{0};
#endif

int block() { return isobath::BlockPartition(10, 3).block_of(vertex); }
