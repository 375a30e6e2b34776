// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/ledger/ledger.hpp"
#include "comm/ledger/ledger_waits.hpp"
#include "comm/nodes/clock_offsets.hpp"
#include "graph500/timing_observer.hpp"
#include "partition/grid_shape.hpp"
#include "record/communication.hpp"
#include "record/records.hpp"

namespace isobath {

/// What one search communicated, as all ranks saw it.
struct SearchCommunication {
  std::int64_t bytes_received = 0;
  std::int64_t off_node_bytes = 0;
  std::vector<double> seconds_per_rank;       // of the search
  std::vector<double> mpi_seconds_per_rank;   // inside MPI calls
  std::vector<double> wait_seconds_per_rank;  // of these, before the last rank came
  double clock_error_seconds = 0;
  std::vector<CallCellRecord> cells;               // by level, phase, call and communicator
  std::vector<TrafficMatrixRecord> peer_matrices;  // by level and phase, where they are asked for
};

/// Fills in the parts of the two records that say what was communicated. Levels have the phases that their
/// times have.
void put_communication(SearchRecord& search, const SearchCommunication& communication);
void put_communication(LevelRecord& level, const SearchCommunication& communication);

/// Turns what each rank's ledger holds into records. All functions that communicate do so over a duplicate
/// of the world that reports to no ledger, and never while a clock runs.
class CommunicationRecords {
 public:
  struct Settings {
    std::vector<int> clock_of_rank;  // clocks_of_ranks()
    GridShape shape;
    bool peer_matrices = false;  // one matrix per search, level and phase too
    int max_matrix_ranks = 256;  // with more ranks a row of a matrix stands for a node
    /// With more nodes there are no matrices: every rank adds one up whole, 16 bytes times nodes squared.
    int max_matrix_nodes = 4096;
  };

  /// Collective. Measures the offsets of clocks. `world` keeps `ledger`, and reports to it under number 0.
  CommunicationRecords(const Communicator& world, Ledger& ledger, Settings settings);

  CommunicationRecords(const CommunicationRecords&) = delete;
  CommunicationRecords& operator=(const CommunicationRecords&) = delete;

  Ledger& ledger() { return ledger_; }
  double clock_error_seconds() const { return clock_offset_.error_seconds; }

  /// Collective. Measures the offsets again, because clocks drift; nothing where all ranks share one.
  void align_clocks();
  /// Collective. The ledger's entry is one search; its levels are places in `timeline`.
  /// @param seconds  that the search took on this rank
  SearchCommunication of_search(const Timeline& timeline, double seconds);

  // Collective. Of all entries that were committed; parts of which there is none are left out.
  std::vector<MpiTimeRecord> mpi_times() const;
  std::vector<MessageSizesRecord> message_sizes() const;
  /// One for each part, of a search one for each phase with a call. None where there are too many nodes.
  std::vector<TrafficMatrixRecord> traffic_matrices() const;

 private:
  std::vector<CallCellRecord> reduce_cells(const Timeline& timeline, std::span<const double> waits) const;
  std::vector<TrafficMatrixRecord> peer_matrices(const Timeline& timeline) const;
  bool is_by_node() const { return quiet_.size() > settings_.max_matrix_ranks; }
  /// Nodes are numbered from 0 on without a gap.
  bool has_matrices() const {
    return !is_by_node() || std::ranges::max(ledger_.node_of_rank()) < settings_.max_matrix_nodes;
  }
  TrafficMatrixRecord matrix(std::span<const PeerTraffic> peers) const;
  std::vector<RunPart> parts() const;

  Ledger& ledger_;
  Settings settings_;
  Communicator quiet_;
  LedgerWaits waits_;
  ClockOffset clock_offset_;
};

}  // namespace isobath
