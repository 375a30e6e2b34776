// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/bare/pending_collective.hpp"
#include "overlap/offload.hpp"

namespace isobath {

/// A collective operation, whoever carries it out.
class OverlapOperation {
 public:
  OverlapOperation() = default;
  OverlapOperation(const OverlapOperation&) = delete;
  OverlapOperation& operator=(const OverlapOperation&) = delete;
  virtual ~OverlapOperation();

  virtual void call() = 0;
  virtual void start() = 0;
  virtual void test() = 0;
  virtual void wait() = 0;
};

/// By the MPI library.
class LibraryOperation final : public OverlapOperation {
 public:
  explicit LibraryOperation(PendingCollective& pending) : pending_(&pending) {}
  void call() override { pending_->call(); }
  void start() override { pending_->start(); }
  void test() override { pending_->test(); }
  void wait() override { pending_->wait(); }

 private:
  PendingCollective* pending_;
};

/// Can the aggregation trees do it? allreduce, reduce, bcast, barrier.
bool can_be_offloaded(std::string_view collective);

/// By aggregators, on the buffers that the library would use.
class OffloadedOperation final : public OverlapOperation {
 public:
  /// @param client, pending  outlive the object; can_be_offloaded()
  OffloadedOperation(OffloadClient& client, PendingCollective& pending);
  void call() override {
    start();
    wait();
  }
  void start() override;
  void test() override { client_->test(handle_); }
  void wait() override { client_->wait(handle_); }

 private:
  OffloadClient* client_;
  PendingCollective* pending_;
  OffloadClient::Handle handle_ = 0;
};

}  // namespace isobath
