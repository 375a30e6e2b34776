// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/small_messages.hpp"

#include <algorithm>
#include <exception>

#include "base/expects.hpp"
#include "base/narrow.hpp"
#include "comm/calls/check.hpp"

namespace isobath {
namespace {

constexpr int parcel_tag = 1;

}  // namespace

SmallMessages::SmallMessages(const Communicator& comm, int posted)
    : comm_(comm.split(0, comm.rank())), receives_(static_cast<std::size_t>(posted)) {
  ISOBATH_EXPECTS(posted > 0);
  for (Parcel& parcel : receives_) post(parcel);
}

SmallMessages::~SmallMessages() {
  if (std::uncaught_exceptions() > 0) return;  // the program ends; a wait might never
  for (Parcel& parcel : receives_) {
    if (parcel.request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&parcel.request);
    MPI_Wait(&parcel.request, MPI_STATUS_IGNORE);
  }
  for (Parcel& parcel : sends_) MPI_Wait(&parcel.request, MPI_STATUS_IGNORE);
}

void SmallMessages::post(Parcel& parcel) {
  check(MPI_Irecv(parcel.bytes.data(), static_cast<int>(most_bytes), MPI_BYTE, MPI_ANY_SOURCE, parcel_tag,
                  comm_.handle(), &parcel.request),
        "MPI_Irecv");
}

void SmallMessages::send(int to, std::span<const std::byte> message) {
  ISOBATH_EXPECTS(message.size() <= most_bytes && to != comm_.rank());
  if (free_sends_.empty()) all_sent();
  if (free_sends_.empty()) {
    free_sends_.push_back(sends_.size());
    sends_.emplace_back();  // a deque: the others stay where they are
  }
  Parcel& parcel = sends_[free_sends_.back()];
  free_sends_.pop_back();
  std::ranges::copy(message, parcel.bytes.begin());
  check(MPI_Isend(parcel.bytes.data(), narrow<int>(message.size()), MPI_BYTE, to, parcel_tag, comm_.handle(),
                  &parcel.request),
        "MPI_Isend");
}

bool SmallMessages::all_sent() {
  free_sends_.clear();
  for (std::size_t i = 0; i < sends_.size(); ++i) {
    int is_complete = 0;
    check(MPI_Test(&sends_[i].request, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (is_complete != 0) free_sends_.push_back(i);
  }
  return free_sends_.size() == sends_.size();
}

SmallMessages::Arrived SmallMessages::take(const MPI_Status& status) {
  int bytes = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  taken_ = oldest_;
  oldest_ = (oldest_ + 1) % receives_.size();
  return {
      .source = status.MPI_SOURCE,
      .bytes = std::span<const std::byte>(receives_[*taken_].bytes).first(static_cast<std::size_t>(bytes))};
}

std::optional<SmallMessages::Arrived> SmallMessages::poll() {
  if (taken_) {
    post(receives_[*taken_]);
    taken_.reset();
  }
  int is_there = 0;
  MPI_Status status;
  check(MPI_Test(&receives_[oldest_].request, &is_there, &status), "MPI_Test");
  if (is_there == 0) return std::nullopt;
  return take(status);
}

SmallMessages::Arrived SmallMessages::receive() {
  if (taken_) {
    post(receives_[*taken_]);
    taken_.reset();
  }
  const Waiting waiting = comm_.waiting("MPI_Wait");
  MPI_Status status;
  check(MPI_Wait(&receives_[oldest_].request, &status), "MPI_Wait");
  return take(status);
}

}  // namespace isobath
