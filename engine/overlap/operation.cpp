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
  ISOBATH_EXPECTS(can_be_offloaded(pending.which().name));
}

void OffloadedOperation::start() {
  CollectiveArguments& arguments = pending_->arguments();
  const auto send = std::as_bytes(std::span(arguments.send));
  const auto receive = std::as_writable_bytes(std::span(arguments.receive));
  const std::string_view name = pending_->which().name;
  if (name == "allreduce") {
    handle_ = client_->start_allreduce(send, receive, TreeType::float64, TreeOperator::sum);
  } else if (name == "reduce") {
    handle_ = client_->start_reduce(send, receive, TreeType::float64, TreeOperator::sum, arguments.root_rank);
  } else if (name == "bcast") {
    handle_ = client_->start_bcast(receive, arguments.root_rank);
  } else {
    handle_ = client_->start_barrier();
  }
}

}  // namespace isobath
