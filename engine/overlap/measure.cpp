// SPDX-License-Identifier: Apache-2.0
#include "overlap/measure.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/threads.hpp"
#include "timing/median_interval.hpp"

namespace isobath {
namespace {

/// The parts of one setting on this rank, each a function that measures it once.
class Measurement {
 public:
  Measurement(const OverlapActors& actors, const OverlapSetting& setting)
      : actors_(&actors), setting_(setting) {}

  void all_parts(int repetition) {
    using Part = void (Measurement::*)();
    constexpr std::array<Part, 7> parts = {
        &Measurement::blocking, &Measurement::nonblocking, &Measurement::work_alone, &Measurement::no_overlap,
        &Measurement::overlap,  &Measurement::osu,         &Measurement::imb};
    is_valid_ = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      (this->*parts[(i + static_cast<std::size_t>(repetition)) % parts.size()])();
    }
    is_late_.push_back(is_valid_ ? 0 : 1);
  }

  /// Forgets warm-up, but for how long start and wait took: OSU's loop is as long.
  void begin() {
    osu_target_ = static_cast<std::int64_t>(nonblocking_.mean());
    const std::int64_t target = osu_target_;
    *this = Measurement(*actors_, setting_);
    osu_target_ = target;
  }

  /// Collective.
  OverlapTimes finish() const {
    const Communicator& comm = actors_->comm;
    OverlapTimes times;
    times.blocking = gathered(comm, blocking_);
    times.nonblocking = gathered(comm, nonblocking_);
    times.work = gathered(comm, work_);
    times.no_overlap = gathered(comm, no_overlap_);
    times.overlap = gathered(comm, overlap_);
    times.start = gathered(comm, start_);
    times.inside = gathered(comm, inside_);
    times.test = gathered(comm, test_);
    times.wait = gathered(comm, wait_);
    times.osu = gathered(comm, osu_);
    times.osu_start = gathered(comm, osu_start_);
    times.osu_compute = gathered(comm, osu_compute_);
    times.osu_test = gathered(comm, osu_test_);
    times.osu_wait = gathered(comm, osu_wait_);
    times.imb = gathered(comm, imb_);
    times.imb_work = gathered(comm, imb_work_);
    Durations late = is_late_;
    comm.max(std::span<std::int64_t>(late));
    for (std::size_t i = 0; i < late.size(); ++i) {
      if (late[i] != 0) times.invalid.push_back(static_cast<int>(i));
    }
    return times;
  }

 private:
  template <class Body>
  void timed(OwnTimes& times, Body&& body) {
    if (!actors_->alignment.align()) is_valid_ = false;
    const GlobalClock& clock = actors_->alignment.clock();
    times.entries.push_back(clock.now());
    body();
    times.exits.push_back(clock.now());
  }

  void blocking() {
    timed(blocking_, [&] { actors_->operation.call(); });
  }
  void nonblocking() {
    timed(nonblocking_, [&] {
      actors_->operation.start();
      actors_->operation.wait();
    });
  }
  void work_alone() {
    if (actors_->progress != nullptr) actors_->progress->pause();
    timed(work_, [&] { actors_->work.run(0, setting_.units); });
    if (actors_->progress != nullptr) actors_->progress->resume();
  }
  void no_overlap() {
    timed(no_overlap_, [&] {
      actors_->operation.call();
      actors_->work.run(0, setting_.units);
    });
  }
  void overlap() {
    timed(overlap_, [&] {
      const std::int64_t begun = now_nanoseconds();
      actors_->operation.start();
      const std::int64_t started = now_nanoseconds();
      std::int64_t testing = 0;
      for (int slice = 0; slice <= setting_.tests; ++slice) {
        const auto [first, end] = static_share(setting_.units, slice, setting_.tests + 1);
        actors_->work.run(first, end);
        if (slice == setting_.tests) break;
        const std::int64_t before = now_nanoseconds();
        actors_->operation.test();
        testing += now_nanoseconds() - before;
      }
      const std::int64_t worked = now_nanoseconds();
      actors_->operation.wait();
      wait_.push_back(now_nanoseconds() - worked);
      start_.push_back(started - begun);
      inside_.push_back(worked - started - testing);
      test_.push_back(testing);
    });
  }
  void osu() {
    timed(osu_, [&] {
      const std::int64_t asked = now_nanoseconds();
      actors_->operation.start();
      const std::int64_t begun = now_nanoseconds();
      std::int64_t testing = 0;
      std::int64_t passed = 0;
      for (int tested = 0; passed < osu_target_; passed = now_nanoseconds() - begun) {
        actors_->work.run(0, 1);
        if (tested >= setting_.tests || passed * (setting_.tests + 1) < osu_target_ * (tested + 1)) continue;
        const std::int64_t before = now_nanoseconds();
        actors_->operation.test();
        testing += now_nanoseconds() - before;
        ++tested;
      }
      const std::int64_t computed = now_nanoseconds();
      actors_->operation.wait();
      osu_wait_.push_back(now_nanoseconds() - computed);
      osu_start_.push_back(begun - asked);
      osu_compute_.push_back(computed - begun);
      osu_test_.push_back(testing);
    });
  }
  void imb() {
    timed(imb_, [&] {
      actors_->operation.start();
      const std::int64_t begun = now_nanoseconds();
      actors_->work.run(0, setting_.imb_units);
      imb_work_.push_back(now_nanoseconds() - begun);
      actors_->operation.wait();
    });
  }

  const OverlapActors* actors_;
  OverlapSetting setting_;
  std::int64_t osu_target_ = 0;
  bool is_valid_ = true;
  OwnTimes blocking_, nonblocking_, work_, no_overlap_, overlap_, osu_, imb_;
  Durations start_, inside_, test_, wait_, imb_work_, is_late_;
  Durations osu_start_, osu_compute_, osu_test_, osu_wait_;
};

/// Collective. Median of `repetitions` of what all ranks need together, the first few left out.
template <class Body>
double median_together(const OverlapActors& actors, int repetitions, Body&& body) {
  OwnTimes own;
  for (int i = -3; i < repetitions; ++i) {
    actors.alignment.align();
    const std::int64_t entry = actors.alignment.clock().now();
    body();
    if (i < 0) continue;
    own.entries.push_back(entry);
    own.exits.push_back(actors.alignment.clock().now());
  }
  return median_of(gathered(actors.comm, own).together);
}

}  // namespace

OverlapCalibration calibrate_overlap(const OverlapActors& actors) {
  OverlapCalibration found;
  found.call_nanoseconds = median_together(actors, 11, [&] {
    actors.operation.start();
    actors.operation.wait();
  });
  // As much work that reading the clock and starting threads do not count: at least 50 microseconds.
  if (actors.progress != nullptr) actors.progress->pause();
  for (std::int64_t units = 1; units <= (std::int64_t{1} << 30); units *= 4) {
    const double together = median_together(actors, 5, [&] { actors.work.run(0, units); });
    found.unit_nanoseconds = std::max(1e-3, together / static_cast<double>(units));
    if (together >= 50'000) break;
  }
  if (actors.progress != nullptr) actors.progress->resume();
  return found;
}

OverlapTimes measure_overlap(const OverlapActors& actors, const OverlapSetting& setting) {
  if (actors.progress != nullptr) actors.progress->resume();
  Measurement measurement(actors, setting);
  const std::int64_t begun = now_nanoseconds();
  const auto is_spent = [&](double part) {
    const std::int64_t elapsed = actors.comm.max(now_nanoseconds() - begun);
    return static_cast<double>(elapsed) > part * setting.budget_seconds * 1e9;
  };
  for (int i = 0; i < std::max(1, setting.warm_ups); ++i) {
    measurement.all_parts(i);
    if (is_spent(0.25)) break;
  }
  measurement.begin();
  for (int i = 0; i < setting.repetitions; ++i) {
    measurement.all_parts(i);
    if (is_spent(1)) break;
  }
  if (actors.progress != nullptr) actors.progress->pause();
  return measurement.finish();
}

}  // namespace isobath
