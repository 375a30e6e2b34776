// SPDX-License-Identifier: Apache-2.0
#include "collectives/bench.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "comm/bare/collective_calls.hpp"
#include "comm/calls/check.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

BenchOptions quick() {
  BenchOptions options;
  options.rule = {.half_width = 0.5, .least = 3, .most = 15, .budget_seconds = 5};
  options.cache_bytes = 1 << 16;
  options.node_of_rank.assign(static_cast<std::size_t>(test::world().size()), 0);
  return options;
}

CollectiveRecord measured(const CollectiveCell& words, BenchOptions options) {
  CollectiveBench bench(test::world(), std::move(options));
  return bench.measure(understand(words, test::world().size()), 7);
}

bool is_root() { return test::world().rank() == 0; }

TEST(CollectiveBench, GivesTheTimesOfEveryRankAndRepetition) {
  for (const std::string_view name : collective_names()) {
    CollectiveCell words;
    words.collective = name;
    words.size_bytes = 64;
    const CollectiveRecord record = measured(words, quick());
    if (!is_root()) continue;
    EXPECT_EQ(record.not_runnable.value_or(""), "") << name;
    EXPECT_EQ(record.call, name);
    EXPECT_EQ(record.order, 7);
    EXPECT_EQ(record.data_check_failure.value_or(""), "") << name;
    ASSERT_EQ(std::ssize(record.entry_nanoseconds), test::world().size());
    const std::size_t repetitions = record.entry_nanoseconds[0].size();
    EXPECT_GE(repetitions, 1U);
    std::int64_t first = record.entry_nanoseconds[0][0];
    for (std::size_t rank = 0; rank < record.entry_nanoseconds.size(); ++rank) {
      ASSERT_EQ(record.entry_nanoseconds[rank].size(), repetitions);
      ASSERT_EQ(record.exit_nanoseconds[rank].size(), repetitions);
      first = std::min(first, record.entry_nanoseconds[rank][0]);
      for (std::size_t i = 0; i < repetitions; ++i) {
        EXPECT_LE(record.entry_nanoseconds[rank][i], record.exit_nanoseconds[rank][i]);
      }
    }
    EXPECT_EQ(first, 0) << "times begin with the first entry";
  }
}

TEST(CollectiveBench, NoticesACorruptedBufferOnAnyRank) {
  for (const char* cadence : {"isolated", "streaming"}) {
    CollectiveCell words;
    words.collective = "allgather";
    words.size_bytes = 1000;
    words.cadence = cadence;
    BenchOptions options = quick();
    const int victim = test::world().size() - 1;
    options.tamper = [calls = 0, victim](BufferSets& buffers, int set) mutable {
      if (++calls == 2 && test::world().rank() == victim) buffers.receive_bytes(set)[17] ^= std::byte{1};
    };
    const CollectiveRecord record = measured(words, std::move(options));
    ASSERT_TRUE(record.data_check_failure) << "told on all ranks";
    EXPECT_NE(record.data_check_failure->find("rank " + std::to_string(victim) + " after repetition"),
              std::string::npos);
    EXPECT_NE(record.data_check_failure->find("element 17 "), std::string::npos)
        << *record.data_check_failure;
  }
}

TEST(CollectiveBench, MeasuresOnesOwnAlgorithmAsItDoesTheLibrarys) {
  for (const char* cadence : {"isolated", "streaming"}) {
    for (const char* counts : {"uniform", "zipf:1"}) {
      CollectiveCell words;
      words.collective = "allgatherv";
      words.size_bytes = 512;
      words.counts = counts;
      words.cadence = cadence;
      words.own_algorithm = "own_ring";
      const CollectiveRecord record = measured(words, quick());
      EXPECT_EQ(record.data_check_failure.value_or(""), "") << cadence << counts;
      if (!is_root()) continue;
      EXPECT_EQ(record.not_runnable.value_or(""), "");
      EXPECT_EQ(record.call, "own_ring");
      EXPECT_EQ(record.algorithm, "own_ring");
      EXPECT_EQ(record.algorithm_source, "own");
      EXPECT_FALSE(record.algorithm_variable);
      EXPECT_EQ(std::ssize(record.entry_nanoseconds), test::world().size());
      EXPECT_FALSE(record.entry_nanoseconds[0].empty());
    }
  }
}

/// The block of the last rank is wrong in its last byte.
int wrong_ring(const BareArguments& arguments, MPI_Comm comm) noexcept {
  const int code = own_algorithm("own_ring", Collective::allgather).function(arguments, comm);
  const std::int64_t end = arguments.receive_offsets.back() + arguments.receive_counts.back();
  arguments.receive[end * bytes_of(arguments.type) - 1] ^= std::byte{1};
  return code;
}

int failing_ring(const BareArguments& /*arguments*/, MPI_Comm /*comm*/) noexcept { return MPI_ERR_OTHER; }

TEST(CollectiveBench, ReportsAnAlgorithmThatIsWrong) {
  CollectiveCell words;
  words.collective = "allgather";
  words.size_bytes = 100;
  words.own_algorithm = "own_ring";
  Cell cell = understand(words, test::world().size());
  cell.one.own->function = wrong_ring;
  CollectiveBench bench(test::world(), quick());
  const CollectiveRecord record = bench.measure(cell, 0);
  ASSERT_TRUE(record.data_check_failure) << "told on all ranks";
  EXPECT_NE(record.data_check_failure->find("rank 0 after repetition"), std::string::npos)
      << *record.data_check_failure;
  cell.one.own->function = failing_ring;
  EXPECT_THROW(bench.measure(cell, 1), MpiError);
}

TEST(CollectiveBench, MeasuresEveryWayOfDoingIt) {
  for (const char* buffers : {"warm", "offcache", "dirty"}) {
    for (const char* cadence : {"isolated", "streaming"}) {
      for (const char* form : {"blocking", "nonblocking", "persistent"}) {
        CollectiveCell words;
        words.collective = "alltoallv";
        words.counts = "zipf:1";
        words.size_bytes = 512;
        words.form = form;
        words.buffers = buffers;
        words.cadence = cadence;
        const CollectiveRecord record = measured(words, quick());
        if (!is_root()) continue;
        const bool is_impossible = (words.buffers == "dirty" && words.cadence == "streaming") ||
                                   !call_name(Collective::alltoallv, parse_form(form), false).has_value();
        EXPECT_EQ(record.not_runnable.has_value(), is_impossible) << record.not_runnable.value_or("runs");
        EXPECT_EQ(record.data_check_failure.value_or(""), "") << buffers << cadence << form;
      }
    }
  }
}

TEST(CollectiveBench, AStreamHasBatchesAndDelaysAreNoPartOfATime) {
  CollectiveCell words;
  words.collective = "bcast";
  words.size_bytes = 64;
  words.cadence = "streaming";
  const CollectiveRecord stream = measured(words, quick());
  ASSERT_FALSE(stream.batch_starts.empty());
  EXPECT_EQ(stream.batch_starts.front(), 0);
  EXPECT_LT(stream.batch_starts.size(), stream.entry_nanoseconds[0].size());
  EXPECT_EQ(std::ranges::count(stream.batch_starts, stream.warm_up_repetitions), 1) << "ends with a batch";
  EXPECT_EQ(stream.timed_from, "first_entry");

  words.cadence = "isolated";
  words.alignment = "roundtime";
  words.arrival = "one-late:3000";
  const CollectiveRecord late = measured(words, quick());
  EXPECT_TRUE(late.batch_starts.empty());
  EXPECT_EQ(late.timed_from, "last_entry");
  if (test::world().size() == 1) return;
  std::int64_t behind = 0;  // in some repetition; a rank that loses its processor comes late in others
  for (std::size_t i = 0; i < late.entry_nanoseconds[0].size(); ++i) {
    behind = std::max(behind, late.entry_nanoseconds.back()[i] - late.entry_nanoseconds.front()[i]);
  }
  EXPECT_GE(behind, 2'000'000);
}

TEST(CollectiveBench, RunsCommunicatorsAloneAndTogether) {
  const int ranks = test::world().size();
  if (ranks % 2 != 0) GTEST_SKIP() << "needs two rows";
  for (const bool together : {false, true}) {
    CollectiveCell words;
    words.collective = "allreduce";
    words.size_bytes = 80;
    words.shape = "2x" + std::to_string(ranks / 2);
    words.along = "row";
    words.together = together;
    const CollectiveRecord record = measured(words, quick());
    if (!is_root()) continue;
    EXPECT_EQ(record.ranks, ranks / 2);
    EXPECT_EQ(record.communicators, together ? 2 : 1);
    EXPECT_EQ(std::ssize(record.entry_nanoseconds), ranks / 2);
    EXPECT_EQ(record.slowest_nanoseconds.empty(), !together);
    EXPECT_EQ(record.data_check_failure.value_or(""), "");
  }
}

TEST(CollectiveBench, ReplaysTheCountsOfEveryRowOfAGrid) {
  const int ranks = test::world().size();
  if (ranks % 2 != 0) GTEST_SKIP() << "needs two rows";
  BenchOptions options = quick();
  ByteMatrix matrix(static_cast<std::size_t>(ranks),
                    std::vector<std::int64_t>(static_cast<std::size_t>(ranks)));
  for (int i = 0; i < ranks; ++i) {
    for (int j = 0; j < ranks; ++j)
      matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = 100 * i + j;
  }
  options.matrices["fold"] = matrix;
  CollectiveCell words;
  words.collective = "alltoallv";
  words.counts = "recorded:fold";
  words.shape = "2x" + std::to_string(ranks / 2);
  words.along = "row";
  words.together = true;
  const CollectiveRecord record = measured(words, std::move(options));
  if (!is_root()) return;
  EXPECT_EQ(record.not_runnable.value_or(""), "");
  EXPECT_EQ(record.data_check_failure.value_or(""), "");
  std::int64_t total = 0;  // the first row: ranks 0, 2, 4, ...
  for (int i = 0; i < ranks; i += 2) {
    for (int j = 0; j < ranks; j += 2) total += 100 * i + j;
  }
  EXPECT_EQ(record.count_facts.total_bytes, total);
}

TEST(CollectiveBench, SaysWhatDoesNotFit) {
  CollectiveCell words;
  words.collective = "alltoall";
  words.size_bytes = std::int64_t{1} << 40;
  const CollectiveRecord huge = measured(words, quick());
  ASSERT_TRUE(huge.not_runnable);
  EXPECT_NE(huge.not_runnable->find("needs "), std::string::npos) << *huge.not_runnable;
  EXPECT_NE(huge.not_runnable->find(", has "), std::string::npos) << *huge.not_runnable;
  BenchOptions options = quick();
  options.memory_limit = 1000;
  words.size_bytes = 100'000;
  const CollectiveRecord limited = measured(words, std::move(options));
  ASSERT_TRUE(limited.not_runnable);
  EXPECT_NE(limited.not_runnable->find("has 0.0 MB"), std::string::npos) << *limited.not_runnable;
  EXPECT_GT(limited.needed_bytes, 200'000);
}

TEST(CollectiveBench, ForcesAlgorithmsOrSaysWhyNot) {
  CollectiveCell words;
  words.collective = "bcast";
  words.size_bytes = 256;
  words.algorithm = AlgorithmChoice{"NO_SUCH_VARIABLE", "ring"};
  const CollectiveRecord impossible = measured(words, quick());
  ASSERT_TRUE(impossible.not_runnable);
  EXPECT_NE(impossible.not_runnable->find("needs the control variable NO_SUCH_VARIABLE"), std::string::npos);
  words.algorithm = AlgorithmChoice{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"};
  const CollectiveRecord forced = measured(words, quick());
  if (forced.not_runnable) GTEST_SKIP() << *forced.not_runnable;
  EXPECT_EQ(forced.algorithm.value_or(""), "binomial");
  EXPECT_EQ(forced.algorithm_source, "forced");
  if (!is_root()) return;
  EXPECT_EQ(forced.data_check_failure.value_or(""), "");
}

TEST(CollectiveBench, LooksAtStacksAfterTheTimesAndOnlyWhereItIsAskedTo) {
  for (const bool wanted : {false, true}) {
    CollectiveCell words;
    words.collective = "alltoall";
    words.size_bytes = 4096;
    BenchOptions options = quick();
    if (wanted) options.stack_seconds = 0.02;
    const CollectiveRecord record = measured(words, std::move(options));
    if (!is_root()) continue;
    EXPECT_EQ(record.data_check_failure.value_or(""), "");
    EXPECT_TRUE(wanted || record.stack_samples == 0);
    for (const auto& [name, samples] : record.stack_functions) {
      EXPECT_TRUE(wanted) << name;
      EXPECT_LE(samples, record.stack_samples) << name;
    }
    if (test::world().size() > 1 && record.stack_samples > 20) {
      EXPECT_GT(2 * record.stack_functions.at("MPI_Alltoall"), record.stack_samples);
    }
  }
}

TEST(CollectiveBench, ChecksWhatCallsReceivedThatAreMadeForTheirStacksAlone) {
  CollectiveCell words;
  words.collective = "alltoall";
  words.size_bytes = 512;
  for (const char* buffers : {"warm", "offcache", "dirty"}) {
    words.buffers = buffers;
    BenchOptions options = quick();
    options.rule.budget_seconds = 1e-9;  // for one call, which is made in any case
    options.stack_seconds = 0.02;
    options.tamper = [calls = 0](BufferSets& sets, int set) mutable {
      if (++calls == 2) sets.receive_bytes(set)[0] ^= std::byte{1};
    };
    const CollectiveRecord record = measured(words, std::move(options));
    ASSERT_TRUE(record.data_check_failure) << buffers;
    EXPECT_NE(record.data_check_failure->find("after repetition 1: "), std::string::npos)
        << *record.data_check_failure;
    if (!is_root()) continue;
    EXPECT_EQ(record.entry_nanoseconds[0].size(), 1U) << "the second call is not of the timed ones";
  }
}

TEST(CollectiveBench, LooksAtNoStacksOfNonblockingCalls) {
  CollectiveCell words;
  words.collective = "alltoall";
  words.size_bytes = 4096;
  words.form = "nonblocking";
  BenchOptions options = quick();
  options.stack_seconds = 0.02;
  EXPECT_EQ(measured(words, std::move(options)).stack_samples, 0);
}

TEST(CollectiveBench, NoticesWhereTheLibraryWouldTakeAnotherAlgorithm) {
  CollectiveCell words;
  words.collective = "allgather";
  words.size_bytes = 64;
  words.algorithm = AlgorithmChoice{"MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM", "recursive_doubling"};
  const int ranks = test::world().size();
  const CollectiveRecord record = measured(words, quick());
  if (record.not_runnable && record.not_runnable->find("control variable") != std::string::npos) {
    GTEST_SKIP() << *record.not_runnable;
  }
  const bool is_power_of_two = (ranks & (ranks - 1)) == 0;
  EXPECT_EQ(!record.not_runnable, is_power_of_two) << record.not_runnable.value_or("runs");
  words.algorithm.reset();
  const CollectiveRecord afterwards = measured(words, quick());
  EXPECT_EQ(afterwards.not_runnable.value_or(""), "") << "nothing stays forced";
  EXPECT_EQ(afterwards.algorithm_source, "unknown");
}

}  // namespace
}  // namespace isobath
