// SPDX-License-Identifier: Apache-2.0
#include "bfs/proposals.hpp"

#include <cstring>
#include <thread>

#include "base/first_exception.hpp"
#include "base/threads.hpp"

namespace isobath {

/// One thread's view of its team (scan_and_send.hpp). Who communicates says so to the observer.
class Proposals::Tasks {
 public:
  Tasks(Proposals& proposals, FrontierWork& work, const FirstException& failure, SearchObserver& observer)
      : proposals_(proposals),
        channel_(*proposals.channel_),
        work_(work),
        failure_(failure),
        observer_(observer) {}

  /// Who only communicates receives as soon as he can, also where he is alone and has to scan: `always`.
  void begin(Duty duty, bool always) {
    turns_to_scan_ = duty == Duty::both;
    looks_always_ = always;
    if (duty == Duty::communicate) observer_.phase(Phase::fold);
  }
  bool has_failed() const { return failure_.caught(); }
  bool is_all_taken() const { return work_.is_all_taken(); }
  bool is_all_scanned() const { return work_.is_all_scanned(); }
  bool is_crowded() const { return channel_.is_crowded(); }
  bool looks_after_scan() const { return looks_always_ || channel_.has_full(); }
  void scan_some() { proposals_.scan_some_into_channel(work_, thread_id()); }
  bool communicate() {
    if (turns_to_scan_) observer_.phase(Phase::fold);
    const bool found = channel_.progress(adopt_);
    if (turns_to_scan_) observer_.phase(Phase::top_down);
    return found;
  }
  void wait() { std::this_thread::yield(); }

 private:
  Proposals& proposals_;
  Channel& channel_;
  FrontierWork& work_;
  const FirstException& failure_;
  SearchObserver& observer_;
  const Channel::Arrived adopt_ = proposals_.adopting();
  bool turns_to_scan_ = false;
  bool looks_always_ = false;
};

Proposals::Proposals(PublishedSearch& search, const PlanOptions& options, Duty of_first)
    : search_(search), of_first_(of_first), pieces_(search.graph.layout.row_offset) {
  const GridLayout& layout = search.graph.layout;
  const Communicator& row_comm = search.grid.row_comm;
  if (search.switches.dedup) proposed_ = LargeArray<Word>(layout.row_words());
  if (layout.shape.cols == 1) return;
  if (!search.switches.exchange) {
    channel_ = std::make_unique<Channel>(row_comm, proposal_bytes(), search.threads);
    return;
  }
  exchange_ = make_exchange(*search.switches.exchange, row_comm, search.built.row_nodes(options));
  outgoing_.resize(static_cast<std::size_t>(layout.shape.cols));
}

template <class Put>
std::int64_t Proposals::scan(std::span<const std::uint32_t> columns, Put&& put) {
  if (search_.switches.id_bits == 64) return scan_as<WideProposal>(columns, put);
  return scan_as<Proposal>(columns, put);
}

template <class Tuple, class Put>
std::int64_t Proposals::scan_as(std::span<const std::uint32_t> columns, Put&& put) {
  PublishedSearch& search = search_;
  const Rows& targets_of = search.graph.by_source();
  const auto own = static_cast<std::size_t>(search.graph.layout.grid_col());
  std::int64_t arcs = 0;
  for (const std::uint32_t col : columns) {
    const GlobalVertex parent = search.original_of(col);
    const std::span<const std::uint32_t> targets = targets_of.of(col);
    arcs += std::ssize(targets);
    for (const std::uint32_t row : targets) {
      const std::size_t piece = pieces_.of(row);
      const std::uint32_t target = pieces_.position(row, piece);
      if (piece == own) {
        search.adopt(target, parent);
      } else if (!search.switches.dedup || claim_bit(proposed_.span(), row)) {
        if constexpr (std::is_same_v<Tuple, WideProposal>) {
          put(static_cast<int>(piece), WideProposal{target, raw(parent)});
        } else {
          put(static_cast<int>(piece), Proposal{target, search.graph.source_at(col)});
        }
      }
    }
  }
  return arcs;
}

std::int64_t Proposals::scan_and_fold(std::span<const std::uint32_t> frontier, SearchObserver& observer) {
  observer.phase(Phase::top_down);
  FrontierWork work(frontier);
  if (exchange_) {
    exchange_after_scanning(work, observer);
  } else if (channel_) {
    scan_and_send(work, observer);
  } else {
    scan_alone(work);
  }
  return work.arcs();
}

/// One grid column: all targets are own.
void Proposals::scan_alone(FrontierWork& work) {
#pragma omp parallel num_threads(search_.threads)
  for (auto columns = work.take(); !columns.empty(); columns = work.take()) {
    work.scanned(columns, scan(columns, [](int, const auto&) {}));
  }
}

void Proposals::exchange_after_scanning(FrontierWork& work, SearchObserver& observer) {
  for (auto& bytes : outgoing_) bytes.clear();
#pragma omp parallel num_threads(search_.threads)
  {
    std::vector<std::vector<std::byte>> mine(outgoing_.size());
    const auto put = [&](int to, const auto& proposal) {
      const auto bytes = std::as_bytes(std::span(&proposal, 1));
      auto& all = mine[static_cast<std::size_t>(to)];
      all.insert(all.end(), bytes.begin(), bytes.end());
    };
    for (auto columns = work.take(); !columns.empty(); columns = work.take()) {
      work.scanned(columns, scan(columns, put));
    }
#pragma omp critical
    for (std::size_t to = 0; to < mine.size(); ++to) {
      outgoing_[to].insert(outgoing_[to].end(), mine[to].begin(), mine[to].end());
    }
  }
  const std::vector<std::span<const std::byte>> parcels(outgoing_.begin(), outgoing_.end());
  exchange_->run(parcels, adopting(), observer);
}

/// A few columns; what they propose goes into the channel. From any thread.
void Proposals::scan_some_into_channel(FrontierWork& work, int thread) {
  const auto columns = work.take();
  const auto put = [&](int to, const auto& proposal) { channel_->put(thread, to, proposal); };
  work.scanned(columns, scan(columns, put));
}

/// The threads scan the columns into the channel while messages travel.
void Proposals::scan_and_send(FrontierWork& work, SearchObserver& observer) {
  channel_->open();
  FirstException failure;
#pragma omp parallel num_threads(search_.threads)
  failure.guard([&] {
    const bool alone = num_threads() == 1;  // no other thread was to be had, or none was asked for
    const Duty duty = thread_id() > 0 ? Duty::scan : alone ? Duty::both : of_first_;
    Tasks tasks(*this, work, failure, observer);
    tasks.begin(duty, of_first_ == Duty::communicate);
    while (take_turn(duty, tasks)) {
    }
  });
  failure.rethrow();
  observer.phase(Phase::fold);
  channel_->close(adopting());
}

Channel::Arrived Proposals::adopting() {
  return [this](int grid_col, std::span<const std::byte> proposals) { adopt_arrived(grid_col, proposals); };
}

/// Own vertices adopt what arrived from a grid column.
void Proposals::adopt_arrived(int grid_col, std::span<const std::byte> proposals) {
  if (search_.switches.id_bits == 64) {
    adopt_as<WideProposal>(grid_col, proposals);
  } else {
    adopt_as<Proposal>(grid_col, proposals);
  }
}

template <class Tuple>
void Proposals::adopt_as(int grid_col, std::span<const std::byte> proposals) {
  PublishedSearch& search = search_;
  const GridLayout& layout = search.graph.layout;
  const std::int64_t first_source = layout.blocks.first(layout.shape.rank_at(0, grid_col));
  for (std::size_t at = 0; at < proposals.size(); at += sizeof(Tuple)) {
    Tuple proposal;
    std::memcpy(&proposal, &proposals[at], sizeof(Tuple));
    if constexpr (std::is_same_v<Tuple, WideProposal>) {
      search.adopt(static_cast<std::uint32_t>(proposal.target), GlobalVertex{proposal.parent});
    } else {
      search.adopt(proposal.target, GlobalVertex{first_source + proposal.source});
    }
  }
}

}  // namespace isobath
