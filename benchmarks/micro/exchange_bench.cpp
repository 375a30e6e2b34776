// SPDX-License-Identifier: Apache-2.0
// How long does an exchange take, by kind and by who talks to whom? Run it under mpiexec:
//
//   exchange_bench [REPETITIONS [NODES]]
//
// REPETITIONS (default 41) of each case, in which the ranks meet in a barrier before the clock starts; a
// repetition lasts as long as its slowest rank. NODES (default 1) consecutive parts of the ranks are
// pretended to be nodes for two-level. Prints one line per case: microseconds (median, least and most over
// repetitions), and bytes, messages and calls of one run, counts of counts included, as means over ranks.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "comm/environment.hpp"
#include "comm/exchange/exchange.hpp"

namespace isobath {
namespace {

/// Who sends how much: bytes from one rank to another, own included.
struct TrafficPattern {
  const char* name;
  std::int64_t (*bytes)(int from, int to, int ranks, std::int64_t per_pair);
};

constexpr TrafficPattern patterns[] = {
    // The fold of a wide level: all pairs alike.
    {"uniform", [](int, int, int, std::int64_t per_pair) { return per_pair; }},
    // The first and last levels of a search: few pairs have anything, whatever the number of ranks.
    {"sparse",
     [](int from, int to, int ranks, std::int64_t per_pair) {
       return (from + 1) % ranks == to || (from * 7 + 3) % ranks == to ? per_pair : 0;
     }},
    // Hubs on few ranks, as much in all as uniform: three quarters go to rank 0, of the rest three quarters
    // to
    // rank 1, and so on.
    {"skewed",
     [](int, int to, int ranks, std::int64_t per_pair) {
       std::int64_t bytes = per_pair * ranks * 3 / 4;
       for (int r = 0; r < to && bytes != 0; ++r) bytes /= 4;
       return bytes / 8 * 8;
     }},
};

struct Times {
  double median_seconds;
  double least_seconds;
  double most_seconds;
};

Times times_of(Exchange& exchange, const Communicator& world,
               const std::vector<std::span<const std::byte>>& outgoing, int repetitions) {
  PhaseObserver nobody;
  std::int64_t arrived_bytes = 0;
  const Exchange::Arrived arrived = [&](int, std::span<const std::byte> bytes) {
    arrived_bytes += std::ssize(bytes);
  };
  for (int warm_up = 0; warm_up < 3; ++warm_up) exchange.run(outgoing, arrived, nobody);
  std::vector<double> seconds;
  for (int i = 0; i < repetitions; ++i) {
    world.barrier();
    const double begin = now_seconds();
    exchange.run(outgoing, arrived, nobody);
    seconds.push_back(world.max(now_seconds() - begin));
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back()};
}

void run_case(const Communicator& world, ExchangeKind kind, const TrafficPattern& pattern,
              std::int64_t per_pair, int repetitions, const std::vector<int>& nodes) {
  const Communicator comm = world.split(0, world.rank());  // counts the exchange alone
  const auto exchange = make_exchange(kind, comm, nodes);
  std::vector<std::vector<std::byte>> parcels;
  for (int to = 0; to < comm.size(); ++to) {
    parcels.emplace_back(static_cast<std::size_t>(pattern.bytes(comm.rank(), to, comm.size(), per_pair)));
  }
  const std::vector<std::span<const std::byte>> outgoing(parcels.begin(), parcels.end());

  const Times times = times_of(*exchange, world, outgoing, repetitions);

  const double runs = static_cast<double>(repetitions + 3) * world.size();
  const auto mean = [&](std::int64_t count) { return static_cast<double>(world.sum(count)) / runs; };
  const double bytes = mean(comm.traffic().bytes_sent);
  const double messages = mean(comm.traffic().messages);
  const double calls = mean(comm.traffic().calls);
  if (world.rank() != 0) return;
  fmt::print("{:<8} {:>9} {:<10} {:>12.1f} {:>12.1f} {:>12.1f} {:>13.0f} {:>9.1f} {:>7.1f}\n", pattern.name,
             per_pair, name_of(kind), times.median_seconds * 1e6, times.least_seconds * 1e6,
             times.most_seconds * 1e6, bytes, messages, calls);
  std::fflush(stdout);
}

/// A positive number among the arguments, or what holds without it.
int argument(int argc, char** argv, int index, int otherwise) {
  if (index >= argc) return otherwise;
  const std::string_view text = argv[index];
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value < 1) {
    throw UsageError(
        fmt::format("'{}' is no positive number; usage: exchange_bench [REPETITIONS [NODES]]", text));
  }
  return value;
}

void run_all(const Communicator& world, int repetitions, int num_nodes) {
  std::vector<int> nodes;
  for (int r = 0; r < world.size(); ++r) {
    nodes.push_back(static_cast<int>(std::int64_t{r} * num_nodes / world.size()));
  }
  if (world.rank() == 0) {
    fmt::print("# {}\n# {} ranks, {} pretended nodes, {} repetitions\n", mpi_identity().library_version,
               world.size(), num_nodes, repetitions);
    fmt::print("{:<8} {:>9} {:<10} {:>12} {:>12} {:>12} {:>13} {:>9} {:>7}\n", "pattern", "per pair", "kind",
               "median us", "least us", "most us", "bytes", "messages", "calls");
  }
  for (const TrafficPattern& pattern : patterns) {
    for (const std::int64_t per_pair : {64, 4096, 262144}) {
      for (std::size_t kind = 0; kind < exchange_names.size(); ++kind) {
        run_case(world, static_cast<ExchangeKind>(kind), pattern, per_pair, repetitions, nodes);
      }
    }
  }
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  using namespace isobath;
  try {
    const MpiEnvironment environment(&argc, &argv);
    const Communicator world = environment.world();
    run_all(world, argument(argc, argv, 1, 41), argument(argc, argv, 2, 1));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "exchange_bench: {}\n", error.what());
    abort_all_ranks(exit_code_of(error));
  }
}
