// SPDX-License-Identifier: Apache-2.0
#include "timing/start_alignment.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {
namespace {

constexpr std::pair<Alignment, std::string_view> names[] = {
    {Alignment::dissemination, "barrier:dissemination"},
    {Alignment::library_barrier, "barrier:library"},
    {Alignment::double_dissemination, "barrier:double"},
    {Alignment::round_time, "roundtime"},
};

constexpr std::int64_t longest_lead = 100'000'000;

}  // namespace

std::string_view name_of(Alignment alignment) {
  for (const auto& [value, name] : names) {
    if (value == alignment) return name;
  }
  return {};
}

Alignment parse_alignment(std::string_view text) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  throw UsageError(
      "alignment '" + std::string(text) +
      "' is unknown; choose barrier:dissemination, barrier:library, barrier:double or roundtime");
}

DisseminationRound dissemination_round(int rank, int size, int distance) {
  ISOBATH_EXPECTS(rank >= 0 && rank < size && distance > 0 && distance < size);
  return {.to = static_cast<int>((std::int64_t{rank} + distance) % size),
          .from = (rank - distance + size) % size};
}

void dissemination_barrier(const Communicator& comm) {
  const std::array<std::byte, 1> told{};
  std::array<std::byte, 1> heard{};
  for (std::int64_t distance = 1; distance < comm.size(); distance *= 2) {
    const auto [to, from] = dissemination_round(comm.rank(), comm.size(), static_cast<int>(distance));
    comm.send_receive(std::span<const std::byte>(told), to, std::span<std::byte>(heard), from);
  }
}

StartAlignment::StartAlignment(const Communicator& comm, GlobalClock clock, StartOptions options)
    : comm_(&comm), clock_(clock), options_(std::move(options)) {
  if (options_.delays.empty()) options_.delays.assign(static_cast<std::size_t>(comm.size()), 0);
  if (std::ssize(options_.delays) != comm.size()) {
    throw UsageError("there are " + std::to_string(options_.delays.size()) + " arrival delays for " +
                     std::to_string(comm.size()) + " ranks; give one for each rank");
  }
  is_delayed_ = std::any_of(options_.delays.begin(), options_.delays.end(),
                            [](std::int64_t delay) { return delay != 0; });
  if (is_delayed_ && options_.alignment != Alignment::round_time) {
    throw UsageError(
        "ranks can arrive late on purpose with alignment roundtime only; choose it, or arrival zero");
  }
  if (options_.alignment == Alignment::round_time) {
    lead_ = options_.lead_nanoseconds ? *options_.lead_nanoseconds : measured_lead();
  }
}

std::int64_t StartAlignment::measured_lead() const {
  std::int64_t longest = 0;
  for (int round = 0; round < 11; ++round) {
    dissemination_barrier(*comm_);
    const std::int64_t start = clock_.now();
    comm_->broadcast(start, 0);
    if (round > 0) longest = std::max(longest, clock_.now() - start);  // the first opens connections
  }
  return std::clamp<std::int64_t>(3 * comm_->max(longest), 5'000, longest_lead);
}

void StartAlignment::lengthen_lead() {
  if (options_.alignment != Alignment::round_time || options_.lead_nanoseconds) return;
  lead_ = std::min(2 * lead_, longest_lead);
}

bool StartAlignment::spin_until_start() {
  dissemination_barrier(*comm_);
  const std::int64_t chosen = comm_->broadcast(clock_.now() + lead_, 0);  // rank 0's counts
  const std::int64_t own = chosen + options_.delays[static_cast<std::size_t>(comm_->rank())];
  const bool is_late = clock_.now() > own;
  while (clock_.now() < own) {
  }
  return !is_late;
}

bool StartAlignment::align() {
  switch (options_.alignment) {
    case Alignment::dissemination:
      dissemination_barrier(*comm_);
      return true;
    case Alignment::library_barrier:
      comm_->barrier();
      return true;
    case Alignment::double_dissemination:
      dissemination_barrier(*comm_);
      dissemination_barrier(*comm_);
      return true;
    case Alignment::round_time:
      return spin_until_start();
  }
  return false;
}

}  // namespace isobath
