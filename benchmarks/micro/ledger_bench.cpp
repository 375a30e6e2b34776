// SPDX-License-Identifier: Apache-2.0
// What does the ledger add to a call? Items are calls: those that send, as an allreduce does, to so many
// peers; polls, which send nothing; and for comparison the two readings of the clock that are part of each.
#include <cstdint>
#include <numeric>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/clock.hpp"
#include "comm/ledger/ledger.hpp"

namespace isobath {
namespace {

constexpr int calls_of_a_search = 400;  // 20 levels of 20 calls

class Written {
 public:
  explicit Written(int ranks)
      : ranks_(ranks),
        ledger_({.rank = 0,
                 .node_of_rank = std::vector<int>(static_cast<std::size_t>(ranks)),
                 .buckets = {},
                 .clock = {}}) {
    std::vector<int> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    ledger_.communicator(all);
  }

  /// `make` makes one call.
  template <class Make>
  void searches(benchmark::State& state, Make&& make) {
    for ([[maybe_unused]] auto _ : state) {
      state.PauseTiming();
      ledger_.clear();
      state.ResumeTiming();
      ledger_.begin(RunPart::search);
      for (int call = 0; call < calls_of_a_search; ++call) {
        ledger_.enter(call / 20, call % 2 == 0 ? Phase::fold : Phase::reduce);
        make(ledger_);
      }
      ledger_.end();
    }
    state.SetItemsProcessed(state.iterations() * calls_of_a_search);
  }
  int ranks() const { return ranks_; }

 private:
  int ranks_;
  Ledger ledger_;
};

void collective(benchmark::State& state) {
  Written written(static_cast<int>(state.range(0)) + 1);
  written.searches(state, [&](CallLedger& ledger) {
    ledger.entered(CallKind::allreduce, 0);
    for (int peer = 1; peer < written.ranks(); ++peer) {
      ledger.sent(peer, 8);
      ledger.received(peer, 8);
    }
    ledger.kept(8);
    ledger.left();
  });
}
BENCHMARK(collective)->Arg(1)->Arg(3)->Arg(15)->Arg(63);

void send(benchmark::State& state) {
  Written written(2);
  written.searches(state, [&](CallLedger& ledger) {
    ledger.entered(CallKind::isend, 0);
    ledger.sent(1, 4096);
    ledger.left();
  });
}
BENCHMARK(send);

void poll(benchmark::State& state) {
  Written written(2);
  written.searches(state, [&](CallLedger& ledger) {
    ledger.entered(CallKind::test, 0);
    ledger.left();
  });
}
BENCHMARK(poll);

void two_readings_of_the_clock(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    for (int call = 0; call < calls_of_a_search; ++call) {
      benchmark::DoNotOptimize(now_seconds());
      benchmark::DoNotOptimize(now_seconds());
    }
  }
  state.SetItemsProcessed(state.iterations() * calls_of_a_search);
}
BENCHMARK(two_readings_of_the_clock);

}  // namespace
}  // namespace isobath

BENCHMARK_MAIN();
