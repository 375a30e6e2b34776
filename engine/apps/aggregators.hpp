// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/communicator.hpp"
#include "comm/messages/small_messages.hpp"
#include "overlap/offload.hpp"

namespace isobath {

/// Ranks behind the workers that aggregate for mode offload. Between times they sleep, so that they take no
/// processor from those who are measured.
class Aggregators {
 public:
  /// Collective. @param world  workers first, then aggregators; outlives the object
  Aggregators(const Communicator& world, const AggregationShape& shape);

  /// An aggregator's life: returns when it is dismissed.
  void attend();
  /// Of the workers: aggregators are ready for an OffloadClient until that stops. @param workers  of them all
  void wake(const Communicator& workers);
  /// Of the first worker alone, at the end.
  void dismiss();
  SmallMessages& messages() { return messages_; }

 private:
  std::byte next_order();
  void tell_all(std::byte word);

  AggregationShape shape_;
  SmallMessages messages_;
  SmallMessages control_;
};

}  // namespace isobath
