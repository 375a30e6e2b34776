// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/pending_collective.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/narrow.hpp"
#include "comm/calls/check.hpp"

namespace isobath {
namespace {

/// Whether every rank has a block for each, and not one vector.
bool moves_blocks(Collective collective) {
  switch (collective) {
    case Collective::barrier:
    case Collective::bcast:
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::vector<std::string_view> overlap_collectives() {
  std::vector<std::string_view> names;
  for (const std::string_view name : collective_names()) {
    if (!name.starts_with("neighbor_")) names.push_back(name);
  }
  return names;
}

Collective parse_overlap_collective(std::string_view name) {
  const std::vector<std::string_view> all = overlap_collectives();
  if (std::ranges::find(all, name) != all.end()) return parse_collective(name);
  throw UsageError(fmt::format("collective '{}' is unknown; choose one of {}", name, fmt::join(all, ", ")));
}

PendingCollective::PendingCollective(Collective collective, const Communicator& comm, std::int64_t count)
    : name_(name_of(collective)), count_(count) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::int64_t all = moves_blocks(collective) ? count * comm.size() : count;
  narrow<int>(all * std::int64_t{sizeof(double)}, "a buffer's bytes");
  send_.resize(static_cast<std::size_t>(all));
  receive_.resize(static_cast<std::size_t>(all));
  const std::vector<std::int64_t> counts(ranks, count);
  std::vector<std::int64_t> offsets;
  for (int rank = 0; rank < comm.size(); ++rank) offsets.push_back(rank * count);
  const BareArguments arguments{.send = std::as_bytes(send()).data(),
                                .receive = std::as_writable_bytes(receive()).data(),
                                .send_count = count,
                                .receive_count = count,
                                .send_counts = counts,
                                .send_offsets = offsets,
                                .receive_counts = counts,
                                .receive_offsets = offsets,
                                .type = ElementType::double_precision,
                                .root_rank = root_rank};
  blocking_ = make_bare_call(collective, Form::blocking, false, arguments, comm.handle());
  nonblocking_ = make_bare_call(collective, Form::nonblocking, false, arguments, comm.handle());
}

void PendingCollective::call() { check(blocking_->start(), name_.c_str()); }

void PendingCollective::start() { check(nonblocking_->start(), name_.c_str()); }

bool PendingCollective::test() {
  bool is_complete = false;
  check(nonblocking_->test(is_complete), "MPI_Test");
  return is_complete;
}

void PendingCollective::wait() { check(nonblocking_->wait(), "MPI_Wait"); }

}  // namespace isobath
