// SPDX-License-Identifier: Apache-2.0
#include "apps/aggregators.hpp"

#include <chrono>
#include <optional>
#include <thread>

namespace isobath {
namespace {

constexpr int posted_receives = 64;
constexpr std::byte leave{0};
constexpr std::byte aggregate{1};

}  // namespace

Aggregators::Aggregators(const Communicator& world, const AggregationShape& shape)
    : shape_(shape), messages_(world, posted_receives), control_(world, 1) {}

void Aggregators::attend() {
  while (true) {
    if (next_order() == leave) return;
    serve_aggregation(messages_, shape_);
  }
}

std::byte Aggregators::next_order() {
  const Waiting waiting = control_.comm().waiting("MPI_Test", WaitsFor::orders);
  while (true) {
    if (const std::optional<SmallMessages::Arrived> word = control_.poll()) return word->bytes.front();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void Aggregators::wake(const Communicator& workers) {
  if (workers.rank() == 0) tell_all(aggregate);
}

void Aggregators::dismiss() { tell_all(leave); }

void Aggregators::tell_all(std::byte word) {
  const std::byte words[] = {word};
  for (int i = 0; i < shape_.aggregators; ++i) control_.send(shape_.workers + i, words);
}

}  // namespace isobath
