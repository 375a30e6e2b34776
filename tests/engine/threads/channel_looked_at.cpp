// SPDX-License-Identifier: Apache-2.0
// One thread fills a message of the channel while another looks whether any is full, and nothing else orders
// the two: whoever comes first, the sanitizer sees it where that look is a race.
#include <cstdint>
#include <cstdio>
#include <span>

#include "base/threads.hpp"
#include "comm/environment.hpp"
#include "comm/messages/channel.hpp"

int main(int argc, char** argv) {
  const isobath::MpiEnvironment environment(&argc, &argv);
  const isobath::Communicator world = environment.world();
  const int other = 1 - world.rank();
  constexpr std::int64_t records = 3 * isobath::coalesced_bytes / sizeof(std::int64_t);
  std::int64_t arrived = 0;
  bool saw_full = false;
  const auto count = [&](int, std::span<const std::byte> bytes) { arrived += std::ssize(bytes) / 8; };
  isobath::Channel channel(world, sizeof(std::int64_t), 2);
  channel.open();
#pragma omp parallel num_threads(2)
  {
    const int me = isobath::thread_id();
    if (me == 0) {
      saw_full = channel.has_full();
    } else {
      for (std::int64_t k = 0; k < records; ++k) channel.put(me, other, k);
    }
  }
  channel.close(count);
  if (arrived != records) return 1;
  std::printf("all records arrived; a full message was seen on the way: %s\n", saw_full ? "yes" : "no");
}
