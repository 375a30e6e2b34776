// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/buffers.hpp"
#include "comm/bare/collective_calls.hpp"

namespace isobath {

/// The calls of one cell on one rank, one for each set of buffers, with what is done before and after them.
class TimedCalls {
 public:
  /// Collective where the form is persistent. @param tamper  see BenchOptions
  TimedCalls(BufferSets& buffers, BufferMode mode, std::vector<std::unique_ptr<BareCall>> calls,
             std::function<void(BufferSets&, int)> tamper)
      : buffers_(&buffers), mode_(mode), calls_(std::move(calls)), tamper_(std::move(tamper)) {}

  /// The timed part: the call, and the step to the next set.
  void call() noexcept {
    const int code = calls_[next_]->run();
    if (code != call_succeeded) code_ = code;
    if (++next_ == calls_.size()) next_ = 0;
    ++made_;
  }
  /// Writes what the next call sends. Warm buffers are written as a whole for the first calls only.
  void before(int repetition);
  /// Checks what was received since repetition `first`.
  void after(int first);

  /// Calls so far, which is the number of the next repetition.
  int made() const { return made_; }
  /// What MPI returned when it failed; else call_succeeded.
  int code() const { return code_; }
  /// The first thing that was wrong.
  const std::optional<std::string>& fault() const { return fault_; }

 private:
  BufferSets* buffers_;
  BufferMode mode_;
  std::vector<std::unique_ptr<BareCall>> calls_;
  std::function<void(BufferSets&, int)> tamper_;
  std::size_t next_ = 0;
  int made_ = 0;
  int code_ = call_succeeded;
  std::optional<std::string> fault_;
};

}  // namespace isobath
