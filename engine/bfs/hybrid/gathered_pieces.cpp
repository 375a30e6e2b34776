// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/gathered_pieces.hpp"

#include <numeric>

#include "base/expects.hpp"

namespace isobath {

GatheredPieces::GatheredPieces(const Communicator& comm) : comm_(comm) {
  if (comm.size() > 1 && EagerMessages::suit(comm)) eager_.emplace(comm);
}

void GatheredPieces::tell(std::span<const std::byte> mine, std::int64_t form) {
  ISOBATH_EXPECTS(0 <= form && form < forms);
  const auto size = static_cast<std::size_t>(comm_.size());
  const auto own = static_cast<std::size_t>(comm_.rank());
  mine_ = mine;
  const std::int64_t told = std::ssize(mine) * forms + form;
  if (eager_) {
    lengths_.assign(size, told);
    pieces_.assign(size, mine);
    eager_->exchange(lengths_, pieces_);
    for (std::size_t rank = 0; rank < size; ++rank) {
      if (rank != own) lengths_[rank] = eager_->word_from(rank);
    }
  } else {
    lengths_ = comm_.allgather(told);
  }
  forms_.clear();
  for (std::int64_t& length : lengths_) {
    forms_.push_back(length % forms);
    length /= forms;
  }
}

std::int64_t GatheredPieces::total_bytes() const {
  return std::accumulate(lengths_.begin(), lengths_.end(), std::int64_t{0});
}

void GatheredPieces::bring() {
  const auto own = static_cast<std::size_t>(comm_.rank());
  missing_.clear();
  for (std::size_t rank = 0; rank < count(); ++rank) {
    missing_.push_back(came_with_length(rank) ? 0 : lengths_[rank]);
  }
  late_.resize(static_cast<std::size_t>(std::accumulate(missing_.begin(), missing_.end(), std::int64_t{0})));
  comm_.allgatherv<std::byte>(mine_.first(static_cast<std::size_t>(missing_[own])), missing_, late_);
  pieces_.clear();
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < count(); ++rank) {
    const auto length = static_cast<std::size_t>(missing_[rank]);
    if (rank == own) {
      pieces_.push_back(mine_);
    } else if (came_with_length(rank)) {
      pieces_.push_back(eager_->parcel_from(rank));
    } else {
      pieces_.push_back(std::span(late_).subspan(begin, length));
    }
    begin += length;
  }
}

}  // namespace isobath
