// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/grid_sums.hpp"

#include <cstring>

#include "base/expects.hpp"

namespace isobath {

GridSums::Group::Group(const Communicator& comm) : comm_(comm) {
  if (comm.size() > 1 && EagerMessages::suit(comm)) eager_.emplace(comm);
}

/// The first value is the word of a message, the others are its parcel.
void GridSums::Group::sum(std::span<std::int64_t> values) {
  ISOBATH_EXPECTS(!values.empty() && EagerMessages::carry(std::ssize(std::as_bytes(values))));
  if (!eager_) return comm_.sum(values);
  const auto size = static_cast<std::size_t>(comm_.size());
  const std::span<std::int64_t> others = values.subspan(1);
  first_.assign(size, values[0]);
  others_.assign(size, std::as_bytes(others));
  eager_->exchange(first_, others_);
  for (std::size_t rank = 0; rank < size; ++rank) {
    if (rank == static_cast<std::size_t>(comm_.rank())) continue;
    values[0] += eager_->word_from(rank);
    const std::span<const std::byte> parcel = eager_->parcel_from(rank);
    ISOBATH_EXPECTS(parcel.size() == std::as_bytes(others).size());
    for (std::size_t i = 0; i < others.size(); ++i) {
      std::int64_t value = 0;
      std::memcpy(&value, parcel.data() + i * sizeof value, sizeof value);
      others[i] += value;
    }
  }
}

}  // namespace isobath
