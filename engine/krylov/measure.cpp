// SPDX-License-Identifier: Apache-2.0
#include "krylov/measure.hpp"

#include <span>

#include "base/clock.hpp"
#include "comm/ledger/region.hpp"

namespace isobath {
namespace {

constexpr int least_repetitions = 2;

/// Collective. Repetitions in which any rank was late.
std::vector<int> late_anywhere(const Communicator& comm, Durations is_late) {
  comm.max(std::span<std::int64_t>(is_late));
  std::vector<int> late;
  for (std::size_t i = 0; i < is_late.size(); ++i) {
    if (is_late[i] != 0) late.push_back(static_cast<int>(i));
  }
  return late;
}

}  // namespace

void KrylovClock::end_part(std::int64_t now) {
  if (current_ >= 0) spent_[static_cast<std::size_t>(current_)] += now - begun_;
  begun_ = now;
}

void KrylovClock::begins(KrylovPart part) {
  end_part(now_nanoseconds());
  current_ = static_cast<std::int64_t>(part);
}

void KrylovClock::reset() {
  spent_ = {};
  current_ = -1;
}

KrylovClock::Nanoseconds KrylovClock::stop() {
  end_part(now_nanoseconds());
  current_ = -1;
  return spent_;
}

KrylovTimes measure_krylov(const Communicator& comm, StartAlignment& alignment, KrylovSolver& solver,
                           const MeshShare& share, KrylovClock& clock, ProgressThread* progress,
                           const KrylovSetting& setting) {
  KrylovTimes times;
  OwnTimes own;
  Durations is_late;
  std::array<Durations, krylov_parts.size()> parts;
  MeshVector right(share);
  MeshVector x(share);
  fill_boundary(share, right);
  if (progress != nullptr) progress->resume();
  const std::int64_t begun = now_nanoseconds();
  const auto is_spent = [&] {
    const std::int64_t elapsed = comm.max(now_nanoseconds() - begun);
    return static_cast<double>(elapsed) > setting.budget_seconds * 1e9;
  };
  for (int i = -1; i < setting.repetitions; ++i) {
    if (i >= least_repetitions && is_spent()) break;
    fill_boundary(share, x);
    solver.begin(right, x);
    const bool is_on_time = alignment.align();
    const bool is_announced = i >= 0 && !setting.region.empty();
    if (is_announced) announce_region(setting.region.c_str(), -1);
    clock.reset();
    const std::int64_t entry = alignment.clock().now();
    solver.iterate(setting.iterations);
    const KrylovClock::Nanoseconds spent = clock.stop();
    const std::int64_t exit = alignment.clock().now();
    if (is_announced) announce_region(nullptr, -1);
    if (i < 0) continue;
    own.entries.push_back(entry);
    own.exits.push_back(exit);
    is_late.push_back(is_on_time ? 0 : 1);
    for (std::size_t part = 0; part < parts.size(); ++part) parts[part].push_back(spent[part]);
    times.norms.push_back(solver.norms());
  }
  if (progress != nullptr) progress->pause();
  times.solve = gathered(comm, own);
  for (const Durations& one : parts) times.parts.push_back(gathered(comm, one));
  times.invalid = late_anywhere(comm, is_late);
  times.error = comm.max(greatest_error(share, x));
  return times;
}

}  // namespace isobath
