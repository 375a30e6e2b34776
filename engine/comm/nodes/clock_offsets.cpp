// SPDX-License-Identifier: Apache-2.0
#include "comm/nodes/clock_offsets.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/expects.hpp"
#include "comm/calls/check.hpp"
#include "comm/nodes/rank_list.hpp"

namespace isobath {
namespace {

constexpr int clock_tag = 2;

MPI_Request receive(const Communicator& comm, int from, double& value) {
  MPI_Request request = MPI_REQUEST_NULL;
  const CountedCall call = comm.counted(CallKind::irecv, "MPI_Irecv");
  check(MPI_Irecv(&value, 1, MPI_DOUBLE, from, clock_tag, comm.handle(), &request), "MPI_Irecv");
  return request;
}

MPI_Request send(const Communicator& comm, int to, const double& value) {
  MPI_Request request = MPI_REQUEST_NULL;
  CountedCall call = comm.counted(CallKind::isend, "MPI_Isend");
  call.sent(to, sizeof(double));
  check(MPI_Isend(&value, 1, MPI_DOUBLE, to, clock_tag, comm.handle(), &request), "MPI_Isend");
  return request;
}

void wait(const Communicator& comm, MPI_Request& request) {
  const CountedCall call = comm.counted(CallKind::wait, "MPI_Wait");
  check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

/// Rank 0's side: offset and error of the clock of rank `leader`.
ClockOffset ask(const Communicator& comm, int leader, const Clock& now, int rounds) {
  ClockOffset best{.seconds = 0, .error_seconds = std::numeric_limits<double>::infinity()};
  for (int round = 0; round < rounds; ++round) {
    double theirs = 0;
    const double start = now();
    MPI_Request answer = receive(comm, leader, theirs);
    MPI_Request question = send(comm, leader, start);
    wait(comm, answer);
    const double stop = now();
    wait(comm, question);
    const double half = (stop - start) / 2;
    if (half < best.error_seconds) {
      best = {.seconds = start + half - theirs, .error_seconds = half, .measured_at = theirs};
    }
  }
  return best;
}

/// The other side.
void answer_all(const Communicator& comm, const Clock& now, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    double question = 0;
    MPI_Request asked = receive(comm, 0, question);
    wait(comm, asked);
    const double time = now();
    MPI_Request answer = send(comm, 0, time);
    wait(comm, answer);
  }
}

}  // namespace

std::vector<double> parse_clock_skew(std::string_view text, int ranks) {
  return parse_rank_list(
      "ISOBATH_CLOCK_SKEW", text, ranks,
      fmt::format("set it to {} numbers, seconds to add to each rank's clock, as in 0,0.5,-2, or unset it",
                  ranks));
}

std::vector<double> clock_skew(const Communicator& world) {
  const std::string text = text_of_rank_0(world, "ISOBATH_CLOCK_SKEW");
  if (text.empty()) return std::vector<double>(static_cast<std::size_t>(world.size()), 0.0);
  return parse_clock_skew(text, world.size());
}

std::vector<double> clock_drift(const Communicator& world) {
  const std::string text = text_of_rank_0(world, "ISOBATH_CLOCK_DRIFT");
  if (text.empty()) return std::vector<double>(static_cast<std::size_t>(world.size()), 0.0);
  return parse_rank_list(
      "ISOBATH_CLOCK_DRIFT", text, world.size(),
      fmt::format(
          "set it to {} numbers, microseconds a second for each rank's clock, as in 0,20, or unset it",
          world.size()));
}

std::vector<int> clocks_of_ranks(std::span<const int> node_of_rank, std::span<const double> skew) {
  ISOBATH_EXPECTS(node_of_rank.size() == skew.size());
  std::map<std::pair<int, double>, int> number_of;
  std::vector<int> clock_of_rank;
  for (std::size_t rank = 0; rank < skew.size(); ++rank) {
    const auto next = static_cast<int>(number_of.size());
    clock_of_rank.push_back(number_of.try_emplace({node_of_rank[rank], skew[rank]}, next).first->second);
  }
  return clock_of_rank;
}

ClockOffset measure_clock_offset(const Communicator& world, std::span<const int> clock_of_rank,
                                 const Clock& now, int rounds) {
  ISOBATH_EXPECTS(std::ssize(clock_of_rank) == world.size() && rounds > 0);
  const int clocks = *std::max_element(clock_of_rank.begin(), clock_of_rank.end()) + 1;
  std::vector<ClockOffset> offsets(static_cast<std::size_t>(clocks));
  std::vector<int> leaders(offsets.size(), world.size());  // the first rank of each clock
  for (int rank = world.size() - 1; rank >= 0; --rank) {
    leaders[static_cast<std::size_t>(clock_of_rank[static_cast<std::size_t>(rank)])] = rank;
  }
  for (int clock = 1; clock < clocks; ++clock) {
    const int leader = leaders[static_cast<std::size_t>(clock)];
    if (world.rank() == 0) offsets[static_cast<std::size_t>(clock)] = ask(world, leader, now, rounds);
    if (world.rank() == leader) answer_all(world, now, rounds);
  }
  if (clocks > 1) world.broadcast(std::span<ClockOffset>(offsets), 0);
  ClockOffset own = offsets[static_cast<std::size_t>(clock_of_rank[static_cast<std::size_t>(world.rank())])];
  for (const ClockOffset& offset : offsets)
    own.error_seconds = std::max(own.error_seconds, offset.error_seconds);
  return own;
}

}  // namespace isobath
