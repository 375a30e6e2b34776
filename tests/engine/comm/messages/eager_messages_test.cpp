// SPDX-License-Identifier: Apache-2.0
// A word from everybody to everybody, and with it what is short.
#include "comm/messages/eager_messages.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "comm/all_ranks.hpp"
#include "comm/exchange/exchanges.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

constexpr std::array<std::int64_t, 5> eager_lengths = {0, 1, 4096, 4097, 50};

std::int64_t length_of(int from, int to, int run) {
  return eager_lengths[static_cast<std::size_t>(from + 2 * to + run) % eager_lengths.size()];
}

TEST(EagerMessages, BringAWordAndWhatIsShort) {
  const Communicator& comm = world();
  if (comm.size() == 1) GTEST_SKIP() << "there is nobody to write to";
  EagerMessages messages(comm);
  for (int run = 0; run < 12; ++run) {
    std::vector<Bytes> parcels;
    std::vector<std::int64_t> words;
    for (int to = 0; to < comm.size(); ++to) {
      parcels.push_back(parcel(comm.rank(), to, length_of(comm.rank(), to, run), 7));
      words.push_back(1000 * comm.rank() + to + run);
    }
    const Traffic before = comm.traffic();
    messages.exchange(words, std::vector<std::span<const std::byte>>(parcels.begin(), parcels.end()));
    const Traffic traffic = comm.traffic() - before;
    std::int64_t sent = 0;
    for (int peer = 0; peer < comm.size(); ++peer) {
      if (peer == comm.rank()) continue;
      const std::int64_t out = length_of(comm.rank(), peer, run);
      sent += 8 + (out <= 4096 ? out : 0);
      const std::int64_t in = length_of(peer, comm.rank(), run);
      const std::span<const std::byte> arrived = messages.parcel_from(static_cast<std::size_t>(peer));
      EXPECT_EQ(messages.word_from(static_cast<std::size_t>(peer)), 1000 * peer + comm.rank() + run);
      EXPECT_EQ(Bytes(arrived.begin(), arrived.end()),
                in <= 4096 ? parcel(peer, comm.rank(), in, 7) : Bytes{});
    }
    EXPECT_EQ(traffic.bytes_sent, sent);
    EXPECT_EQ(traffic.messages, comm.size() - 1);
    EXPECT_EQ(traffic.calls, 1);
  }
}

TEST(EagerMessages, SuitFewRanksAndCallsThatCarryThem) {
  EXPECT_EQ(EagerMessages::suit(world()), world().size() <= 16);
  for (const std::int64_t limit : {4103, 4104}) {
    const Communicator comm(world().handle(), {.bytes_per_call = limit, .prefer_large_counts = false});
    EXPECT_EQ(EagerMessages::suit(comm), limit == 4104);
  }
}

}  // namespace
}  // namespace isobath::test
