// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "comm/bare/pending_collective.hpp"
#include "krylov/parts.hpp"
#include "overlap/operation.hpp"

namespace isobath {

/// How a sum that a method starts early is carried out.
enum class ReductionForm {
  nonblocking,  // started at begin(), awaited at end()
  blocking,     // called at end(): the control arm, the same method with nothing to hide
};

/// Sums a few values over all ranks.
class ScalarReduction {
 public:
  /// @param operation  an allreduce on the buffers of `pending`; all three outlive the object
  ScalarReduction(PendingCollective& pending, OverlapOperation& operation, ReductionForm form,
                  KrylovObserver& observer)
      : pending_(&pending), operation_(&operation), form_(form), observer_(&observer) {}

  /// Collective. As many values as `pending` has elements; so for all of them.
  void sum(std::span<double> values);
  /// Collective. Work may follow that does not need the sums.
  void begin(std::span<const double> values);
  /// A chance for the library to go on.
  void test();
  /// The sums.
  void end(std::span<double> sums);

 private:
  PendingCollective* pending_;
  OverlapOperation* operation_;
  ReductionForm form_;
  KrylovObserver* observer_;
};

/// A reduction that is to be advanced while rows are worked on, by so many tests; none by default.
struct Cover {
  ScalarReduction* reduction = nullptr;
  int tests = 0;
};

}  // namespace isobath
