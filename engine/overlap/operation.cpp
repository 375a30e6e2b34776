// SPDX-License-Identifier: Apache-2.0
#include "overlap/operation.hpp"

#include "base/expects.hpp"

namespace isobath {

OverlapOperation::~OverlapOperation() = default;

bool can_be_offloaded(std::string_view collective) {
  return collective == "allreduce" || collective == "reduce" || collective == "bcast" ||
         collective == "barrier";
}

OffloadedOperation::OffloadedOperation(OffloadClient& client, PendingCollective& pending)
    : client_(&client), pending_(&pending) {
  ISOBATH_EXPECTS(can_be_offloaded(pending.name()));
}

void OffloadedOperation::start() {
  const auto send = std::as_bytes(pending_->send());
  const auto receive = std::as_writable_bytes(pending_->receive());
  const std::string_view name = pending_->name();
  if (name == "allreduce") {
    handle_ = client_->start_allreduce(send, receive, TreeType::float64, TreeOperator::sum);
  } else if (name == "reduce") {
    handle_ = client_->start_reduce(send, receive, TreeType::float64, TreeOperator::sum,
                                    PendingCollective::root_rank);
  } else if (name == "bcast") {
    handle_ = client_->start_bcast(receive, PendingCollective::root_rank);
  } else {
    handle_ = client_->start_barrier();
  }
}

}  // namespace isobath
