// SPDX-License-Identifier: Apache-2.0
// Every operation against plain loops over all ranks' buffers, byte by byte, under every way to cut messages.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_ranks.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

class UnderEveryLimit : public testing::TestWithParam<CountLimit> {
 protected:
  UnderEveryLimit() : comm_(world().handle(), GetParam()) {}

  const Communicator& comm() const { return comm_; }
  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }

 private:
  Communicator comm_;
};

INSTANTIATE_TEST_SUITE_P(Limits, UnderEveryLimit, testing::ValuesIn(count_limits()),
                         [](const auto& instance) { return name_of(instance.param); });

template <class T, class Combine>
std::vector<T> reduced(const std::vector<std::vector<T>>& values, Combine&& combine) {
  std::vector<T> result = values[0];
  for (std::size_t r = 1; r < values.size(); ++r) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = combine(result[i], values[r][i]);
  }
  return result;
}

TEST_P(UnderEveryLimit, ReducesIntegersAsLoopsDo) {
  for (const std::int64_t length : {0, 1, 7, 8, 20}) {
    std::vector<std::vector<std::int64_t>> values;
    for (int r = 0; r < size(); ++r) {
      values.push_back(buffer_of<std::int64_t>(r, length));
      for (std::int64_t& value : values.back()) value /= 16;  // sums of six stay in range
    }
    const std::vector<std::int64_t> mine = values[static_cast<std::size_t>(rank())];

    std::vector<std::int64_t> sums = mine;
    comm().sum(sums);
    std::vector<std::int64_t> minima = mine;
    comm().min(minima);
    std::vector<std::int64_t> maxima = mine;
    comm().max(maxima);

    EXPECT_EQ(sums, reduced(values, [](auto a, auto b) { return a + b; })) << length;
    EXPECT_EQ(minima, reduced(values, [](auto a, auto b) { return std::min(a, b); })) << length;
    EXPECT_EQ(maxima, reduced(values, [](auto a, auto b) { return std::max(a, b); })) << length;
  }
}

TEST_P(UnderEveryLimit, ReducesFloatingPointAsLoopsDo) {
  std::vector<std::vector<double>> values;
  for (int r = 0; r < size(); ++r) {
    std::vector<double>& own = values.emplace_back();
    for (int i = 0; i < 19; ++i) own.push_back((r * 7 + i * 5) % 11 - 5.25);  // sums are exact in any order
  }
  const std::vector<double> mine = values[static_cast<std::size_t>(rank())];

  std::vector<double> sums = mine;
  comm().sum(sums);
  std::vector<double> minima = mine;
  comm().min(minima);
  std::vector<double> maxima = mine;
  comm().max(maxima);

  EXPECT_EQ(sums, reduced(values, [](auto a, auto b) { return a + b; }));
  EXPECT_EQ(minima, reduced(values, [](auto a, auto b) { return std::min(a, b); }));
  EXPECT_EQ(maxima, reduced(values, [](auto a, auto b) { return std::max(a, b); }));
}

TEST_P(UnderEveryLimit, ReducesSingleValues) {
  EXPECT_EQ(comm().sum(std::int64_t{rank()} + 1), std::int64_t{size()} * (size() + 1) / 2);
  EXPECT_EQ(comm().min(std::int64_t{rank()} + 3), 3);
  EXPECT_EQ(comm().max(std::int64_t{rank()} + 3), size() + 2);
  EXPECT_EQ(comm().sum(rank() + 0.5), size() * (size() - 1) / 2.0 + size() * 0.5);
  EXPECT_EQ(comm().min(rank() + 0.5), 0.5);
  EXPECT_EQ(comm().max(rank() + 0.5), size() - 0.5);
  EXPECT_TRUE(comm().any(rank() == size() - 1));
  EXPECT_FALSE(comm().any(false));
}

TEST_P(UnderEveryLimit, BroadcastsFromEveryRootRank) {
  for (int root_rank = 0; root_rank < size(); ++root_rank) {
    for (const std::int64_t length : {0, 1, 5, 32}) {
      std::vector<Triple> values = buffer_of<Triple>(rank(), length);

      comm().broadcast(std::span<Triple>(values), root_rank);

      EXPECT_EQ(values, buffer_of<Triple>(root_rank, length)) << root_rank << ", " << length;
    }
    EXPECT_EQ(comm().broadcast(rank() * 3.5, root_rank), root_rank * 3.5);
    const std::string text = root_rank == 0 ? "" : std::string(static_cast<std::size_t>(root_rank) * 9, 'x');
    EXPECT_EQ(comm().broadcast(rank() == root_rank ? text : "something else", root_rank), text);
  }
}

TEST_P(UnderEveryLimit, AllgathersOneValueOfEach) {
  std::vector<std::int64_t> numbers;
  std::vector<Triple> triples;
  for (int r = 0; r < size(); ++r) {
    numbers.push_back(element<std::int64_t>(r, 0, 1));
    triples.push_back(element<Triple>(r, 0, 1));
  }
  EXPECT_EQ(comm().allgather(numbers[static_cast<std::size_t>(rank())]), numbers);
  EXPECT_EQ(comm().allgather(triples[static_cast<std::size_t>(rank())]), triples);
}

TEST_P(UnderEveryLimit, AllgathersTexts) {
  std::vector<std::string> texts;
  for (int r = 0; r < size(); ++r)
    texts.push_back(r == 1 ? "" : "rank " + std::string(static_cast<std::size_t>(r * 7), '*'));
  EXPECT_EQ(comm().allgather(texts[static_cast<std::size_t>(rank())]), texts);
  EXPECT_EQ(comm().allgather(std::string()), std::vector<std::string>(texts.size()));
}

template <class T>
void allgatherv_agrees(const Communicator& comm) {
  for (const NamedCounts& pattern : count_patterns()) {  // a row of the matrix: its own piece for each rank
    const std::vector<std::int64_t> counts = pattern.matrix(comm.size())[0];
    std::vector<T> expected;
    for (int r = 0; r < comm.size(); ++r) {
      for (const T& value : buffer_of<T>(r, counts[static_cast<std::size_t>(r)])) expected.push_back(value);
    }
    const std::vector<T> mine = buffer_of<T>(comm.rank(), counts[static_cast<std::size_t>(comm.rank())]);

    std::vector<T> all(expected.size());
    comm.allgatherv<T>(mine, counts, all);
    const std::vector<T> counted = comm.allgatherv<T>(mine);

    EXPECT_EQ(all, expected) << pattern.name;
    EXPECT_EQ(counted, expected) << pattern.name;

    const auto first = std::accumulate(counts.begin(), counts.begin() + comm.rank(), std::int64_t{0});
    std::vector<T> in_place(expected.size());
    std::copy(mine.begin(), mine.end(), in_place.begin() + first);
    comm.allgatherv<T>(std::span<const T>(in_place).subspan(static_cast<std::size_t>(first), mine.size()),
                       counts, in_place);
    EXPECT_EQ(in_place, expected) << pattern.name << ", in place";
  }
}

TEST_P(UnderEveryLimit, AllgathersPiecesOfDifferentLength) {
  allgatherv_agrees<char>(comm());
  allgatherv_agrees<std::uint64_t>(comm());
  allgatherv_agrees<Triple>(comm());
}

template <class T>
void alltoallv_agrees(const Communicator& comm) {
  for (const NamedCounts& pattern : count_patterns()) {
    const CountMatrix counts = pattern.matrix(comm.size());
    std::vector<std::vector<T>> sent;
    for (int r = 0; r < comm.size(); ++r)
      sent.push_back(buffer_of<T>(r, sum_of(counts[static_cast<std::size_t>(r)])));
    const auto own = static_cast<std::size_t>(comm.rank());

    const std::vector<T> received = comm.alltoallv<T>(sent[own], counts[own]);

    EXPECT_EQ(received, exchanged(counts, sent, comm.rank())) << pattern.name;
  }
}

TEST_P(UnderEveryLimit, ExchangesBetweenAllPairs) {
  alltoallv_agrees<char>(comm());
  alltoallv_agrees<std::uint64_t>(comm());
  alltoallv_agrees<Triple>(comm());
}

TEST_P(UnderEveryLimit, TellsWhatWillBeReceived) {
  for (const NamedCounts& pattern : count_patterns()) {
    const CountMatrix matrix = pattern.matrix(size());

    const ExchangeCounts counts = comm().exchange_counts(matrix[static_cast<std::size_t>(rank())]);

    EXPECT_EQ(counts.send_counts, matrix[static_cast<std::size_t>(rank())]) << pattern.name;
    std::int64_t send_offset = 0;
    std::int64_t receive_offset = 0;
    for (std::size_t r = 0; r < matrix.size(); ++r) {
      EXPECT_EQ(counts.receive_counts[r], matrix[r][static_cast<std::size_t>(rank())]) << pattern.name;
      EXPECT_EQ(counts.send_offsets[r], send_offset) << pattern.name;
      EXPECT_EQ(counts.receive_offsets[r], receive_offset) << pattern.name;
      send_offset += counts.send_counts[r];
      receive_offset += counts.receive_counts[r];
    }
    EXPECT_EQ(counts.receive_total, receive_offset) << pattern.name;
  }
}

/// Groups in reverse order with a gap after each: offsets are free, and nothing else is written.
TEST_P(UnderEveryLimit, ExchangesFromAndToAnyOffsets) {
  constexpr std::int64_t gap = 3;
  const auto own = static_cast<std::size_t>(rank());
  const CountMatrix matrix = count_patterns()[3].matrix(size());
  ExchangeCounts counts = comm().exchange_counts(matrix[own]);
  std::int64_t send_end = 0;
  std::int64_t receive_end = 0;
  for (std::size_t r = matrix.size(); r-- > 0;) {
    counts.send_offsets[r] = send_end;
    counts.receive_offsets[r] = receive_end;
    send_end += counts.send_counts[r] + gap;
    receive_end += counts.receive_counts[r] + gap;
  }
  std::vector<std::uint32_t> send(static_cast<std::size_t>(send_end), 0xDDDDDDDD);
  std::vector<std::uint32_t> expected(static_cast<std::size_t>(receive_end), 0xEEEEEEEE);
  for (int r = 0; r < size(); ++r) {
    const auto other = static_cast<std::size_t>(r);
    for (std::int64_t i = 0; i < counts.send_counts[other]; ++i) {
      send[static_cast<std::size_t>(counts.send_offsets[other] + i)] =
          element<std::uint32_t>(rank(), i, static_cast<std::uint64_t>(r));
    }
    for (std::int64_t i = 0; i < counts.receive_counts[other]; ++i) {
      expected[static_cast<std::size_t>(counts.receive_offsets[other] + i)] =
          element<std::uint32_t>(r, i, static_cast<std::uint64_t>(rank()));
    }
  }

  std::vector<std::uint32_t> receive(expected.size(), 0xEEEEEEEE);
  comm().alltoallv<std::uint32_t>(send, counts, receive);

  EXPECT_EQ(receive, expected);
}

TEST_P(UnderEveryLimit, PassesAlongARing) {
  for (int shift = 0; shift < size(); ++shift) {
    const int to = (rank() + shift) % size();
    const int from = (rank() + size() - shift) % size();
    for (const std::int64_t length : {0, 1, 6, 27}) {
      const auto length_of = [&](int r) {
        return shift == 0 ? length : length * (r % 3);
      };  // also nothing at all
      const std::vector<Triple> send = buffer_of<Triple>(rank(), length_of(rank()));

      std::vector<Triple> receive(static_cast<std::size_t>(length_of(from)));
      comm().send_receive<Triple>(send, to, receive, from);

      EXPECT_EQ(receive, buffer_of<Triple>(from, length_of(from))) << shift << ", " << length;
    }
  }
}

TEST_P(UnderEveryLimit, KeepsOperationsApartThatFollowEachOther) {
  for (int round = 0; round < 8; ++round) {  // no barrier between: a fast rank is a round ahead
    const auto salt = static_cast<std::uint64_t>(round);
    const std::vector<std::int64_t> counts(static_cast<std::size_t>(size()), 1 + round % 4);
    std::vector<std::vector<std::uint64_t>> sent;
    CountMatrix matrix;
    for (int r = 0; r < size(); ++r) {
      sent.push_back(buffer_of<std::uint64_t>(r, sum_of(counts), salt));
      matrix.push_back(counts);
    }
    ASSERT_EQ(comm().alltoallv<std::uint64_t>(sent[static_cast<std::size_t>(rank())], counts),
              exchanged(matrix, sent, rank()));
    ASSERT_EQ(comm().allgather(element<std::uint64_t>(rank(), round, salt)).back(),
              element<std::uint64_t>(size() - 1, round, salt));
  }
}

}  // namespace
}  // namespace isobath::test
