// SPDX-License-Identifier: Apache-2.0
#include "reference/collectives.hpp"

#include <cstddef>

namespace isobath::reference {
namespace {

/// Copies `count` elements, one by one.
void copy(const std::vector<std::int64_t>& from, std::int64_t from_offset, std::vector<std::int64_t>& to,
          std::int64_t to_offset, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) {
    to.at(static_cast<std::size_t>(to_offset + k)) = from.at(static_cast<std::size_t>(from_offset + k));
  }
}

/// Element `k` of ranks 0 to `end` - 1, combined in their order.
std::int64_t combination(const AllBuffers& ranks, std::size_t end, std::size_t k, const Combine& combine) {
  std::int64_t value = ranks.at(0).send.at(k);
  for (std::size_t r = 1; r < end; ++r) value = combine(value, ranks.at(r).send.at(k));
  return value;
}

void gather_into(AllBuffers& ranks, std::size_t receiver) {
  for (std::size_t s = 0; s < ranks.size(); ++s) {
    copy(ranks[s].send, 0, ranks[receiver].receive, ranks[receiver].receive_offsets.at(s),
         ranks[receiver].receive_counts.at(s));
  }
}

}  // namespace

void bcast(AllBuffers& ranks, int root_rank) {
  const std::vector<std::int64_t> vector = ranks.at(static_cast<std::size_t>(root_rank)).receive;
  for (RankBuffers& rank : ranks) rank.receive = vector;
}

void gatherv(AllBuffers& ranks, int root_rank) { gather_into(ranks, static_cast<std::size_t>(root_rank)); }

void scatterv(AllBuffers& ranks, int root_rank) {
  const RankBuffers root = ranks.at(static_cast<std::size_t>(root_rank));
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    copy(root.send, root.send_offsets.at(r), ranks[r].receive, 0, root.send_counts.at(r));
  }
}

void allgatherv(AllBuffers& ranks) {
  for (std::size_t r = 0; r < ranks.size(); ++r) gather_into(ranks, r);
}

void alltoallv(AllBuffers& ranks) {
  for (std::size_t from = 0; from < ranks.size(); ++from) {
    for (std::size_t to = 0; to < ranks.size(); ++to) {
      copy(ranks[from].send, ranks[from].send_offsets.at(to), ranks[to].receive,
           ranks[to].receive_offsets.at(from), ranks[from].send_counts.at(to));
    }
  }
}

void reduce(AllBuffers& ranks, int root_rank, const Combine& combine) {
  RankBuffers& root = ranks.at(static_cast<std::size_t>(root_rank));
  for (std::size_t k = 0; k < root.receive.size(); ++k)
    root.receive[k] = combination(ranks, ranks.size(), k, combine);
}

void allreduce(AllBuffers& ranks, const Combine& combine) {
  for (std::size_t r = 0; r < ranks.size(); ++r) reduce(ranks, static_cast<int>(r), combine);
}

void reduce_scatter(AllBuffers& ranks, const Combine& combine) {
  std::size_t first = 0;
  for (RankBuffers& rank : ranks) {
    for (std::size_t k = 0; k < rank.receive.size(); ++k) {
      rank.receive[k] = combination(ranks, ranks.size(), first + k, combine);
    }
    first += rank.receive.size();
  }
}

void scan(AllBuffers& ranks, const Combine& combine) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    for (std::size_t k = 0; k < ranks[r].receive.size(); ++k) {
      ranks[r].receive[k] = combination(ranks, r + 1, k, combine);
    }
  }
}

void exscan(AllBuffers& ranks, const Combine& combine) {
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    for (std::size_t k = 0; k < ranks[r].receive.size(); ++k) {
      ranks[r].receive[k] = combination(ranks, r, k, combine);
    }
  }
}

void neighbor_allgatherv(AllBuffers& ranks) {
  for (RankBuffers& rank : ranks) {
    for (std::size_t i = 0; i < rank.neighbours.size(); ++i) {
      if (rank.neighbours[i] < 0) continue;
      copy(ranks.at(static_cast<std::size_t>(rank.neighbours[i])).send, 0, rank.receive,
           rank.receive_offsets.at(i), rank.receive_counts.at(i));
    }
  }
}

void neighbor_alltoallv(AllBuffers& ranks) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    RankBuffers& rank = ranks[r];
    for (std::size_t i = 0; i < rank.neighbours.size(); ++i) {
      if (rank.neighbours[i] < 0) continue;
      const RankBuffers& neighbour = ranks.at(static_cast<std::size_t>(rank.neighbours[i]));
      for (std::size_t j = 0; j < neighbour.neighbours.size(); ++j) {
        if (neighbour.neighbours[j] != static_cast<int>(r)) continue;
        copy(neighbour.send, neighbour.send_offsets.at(j), rank.receive, rank.receive_offsets.at(i),
             rank.receive_counts.at(i));
      }
    }
  }
}

}  // namespace isobath::reference
