// SPDX-License-Identifier: Apache-2.0
#include "collectives/timed_calls.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isobath {
namespace {

/// All of them are warm-up, unless the budget is too small for a warm-up: is_warm() of timing.
constexpr int wholly_written = 10;

}  // namespace

void TimedCalls::before(int repetition) {
  if (mode_ == BufferMode::offcache) return;  // written long before, so that no cache has it
  const bool is_whole = mode_ == BufferMode::dirty || repetition < wholly_written;
  if (is_whole) {
    buffers_->fill(0, repetition + 1);
  } else {
    buffers_->stamp(0, repetition + 1);
  }
}

void TimedCalls::after(int first) {
  const int used = std::min(made_ - first, buffers_->sets());
  for (int i = 0; i < used; ++i) {
    const int set = (made_ - 1 - i) % buffers_->sets();
    if (tamper_) tamper_(*buffers_, set);
    if (!fault_) {
      if (const std::optional<std::string> found = buffers_->fault(set)) {
        fault_ = fmt::format("after repetition {}: {}", made_ - 1 - i, *found);
      }
    }
    if (mode_ == BufferMode::offcache) buffers_->stamp(set, made_ + set + 1);
  }
}

}  // namespace isobath
