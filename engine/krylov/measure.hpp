// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/bare/progress_thread.hpp"
#include "krylov/methods.hpp"
#include "overlap/part_times.hpp"
#include "timing/start_alignment.hpp"

namespace isobath {

/// Reads the clock where a part begins; parts of one iteration add up to all of it.
class KrylovClock final : public KrylovObserver {
 public:
  using Nanoseconds = std::array<std::int64_t, krylov_parts.size()>;

  void begins(KrylovPart part) override;
  /// Forgets all; nothing is under way.
  void reset();
  /// Of each part since then, in the order of krylov_parts. The part under way ends.
  Nanoseconds stop();

 private:
  void end_part(std::int64_t now);

  Nanoseconds spent_{};
  std::int64_t begun_ = 0;
  std::int64_t current_ = -1;
};

/// How one setting is measured.
struct KrylovSetting {
  int iterations = 100;
  int repetitions = 5;
  double budget_seconds = 60;  // no repetition begins after it; two are made in any case
  std::string region = {};     // what the iterations that count are announced as; empty: nothing
};

struct KrylovTimes {
  PartTimes solve;                            // all iterations of a repetition
  std::vector<std::vector<Durations>> parts;  // by part as krylov_parts, by rank, by repetition
  std::vector<int> invalid;                   // repetitions in which some rank was late for the start
  std::vector<std::vector<double>> norms;     // by repetition, before each iteration
  double error = 0;                           // greatest distance from the solution at the end
};

/// Collective. The same solve again and again, from the same first guess; the first is not counted.
/// @param progress  awake while solves are measured; nullptr: none
KrylovTimes measure_krylov(const Communicator& comm, StartAlignment& alignment, KrylovSolver& solver,
                           const MeshShare& share, KrylovClock& clock, ProgressThread* progress,
                           const KrylovSetting& setting);

}  // namespace isobath
