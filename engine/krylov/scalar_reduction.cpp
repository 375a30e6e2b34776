// SPDX-License-Identifier: Apache-2.0
#include "krylov/scalar_reduction.hpp"

#include <algorithm>

#include "base/expects.hpp"

namespace isobath {

KrylovObserver::~KrylovObserver() = default;

void ScalarReduction::sum(std::span<double> values) {
  observer_->begins(KrylovPart::reduction);
  ISOBATH_EXPECTS(values.size() == pending_->send().size());
  std::ranges::copy(values, pending_->send().begin());
  operation_->call();
  std::ranges::copy(pending_->receive(), values.begin());
}

void ScalarReduction::begin(std::span<const double> values) {
  observer_->begins(KrylovPart::reduction_start);
  ISOBATH_EXPECTS(values.size() == pending_->send().size());
  std::ranges::copy(values, pending_->send().begin());
  if (form_ == ReductionForm::nonblocking) operation_->start();
}

void ScalarReduction::test() {
  if (form_ == ReductionForm::blocking) return;
  observer_->begins(KrylovPart::reduction_test);
  operation_->test();
}

void ScalarReduction::end(std::span<double> sums) {
  if (form_ == ReductionForm::nonblocking) {
    observer_->begins(KrylovPart::reduction_wait);
    operation_->wait();
  } else {
    observer_->begins(KrylovPart::reduction);
    operation_->call();
  }
  std::ranges::copy(pending_->receive(), sums.begin());
}

}  // namespace isobath
