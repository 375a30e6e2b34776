// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "profiler/call_id.hpp"
#include "profiler/python_frame.hpp"
#include "profiler/regions.hpp"
#include "profiler/traffic.hpp"

namespace isobath::profiler {

/// Which part of the traffic between ranks a call belongs to.
enum class TrafficClass : unsigned char { point_to_point, collective, one_sided };
inline constexpr std::array<std::string_view, 3> traffic_class_names = {"point_to_point", "collective",
                                                                        "one_sided"};

/// One kind of call at one place of the program, on one communicator, in one region of one search.
struct Cell {
  const void* site = nullptr;
  int place = -1;  // in Python; -1: the site itself is the place
  CallId call{};
  Join join = Join::none;
  int communicator = -1;  // -1: none, as for waits
  int region = 0;
  int search = -1;
  std::int64_t calls = 0;
  std::int64_t messages = 0;
  std::int64_t bytes_sent = 0;
  std::int64_t bytes_received = 0;
  std::int64_t receives_unknown = 0;
  std::int64_t kept_bytes = 0;
  std::int64_t argument_bytes = 0;
  std::int64_t nanoseconds = 0;
  std::int64_t max_nanoseconds = 0;
};

/// One collective call that ranks wait for each other in, as the clock of this rank saw it.
struct Instance {
  std::int64_t entry = 0;
  std::int64_t exit = 0;
  int cell = 0;
  int root = -1;
  std::int64_t bytes_sent = 0;  // by it
  // By all calls of this rank to here, this one included: two instances tell what happened between them.
  std::int64_t all_calls = 0;
  std::int64_t all_bytes_sent = 0;
  std::int64_t all_nanoseconds = 0;
};

/// What one thread did, or all those that came when there were too many to tell apart.
struct ThreadTotals {
  int threads = 0;
  int alive = 0;
  std::int64_t begun = 0;     // when those that are alive began, added up
  std::int64_t finished = 0;  // wall time of those that ended
  std::int64_t calls = 0;
  std::int64_t bytes_sent = 0;
  std::int64_t bytes_received = 0;
  std::int64_t nanoseconds = 0;

  std::int64_t wall(std::int64_t now) const { return finished + alive * now - begun; }
};

/// A call that is over.
struct CallFacts {
  CallId call{};
  int thread = 0;
  Join join = Join::none;
  TrafficClass traffic_class = TrafficClass::point_to_point;
  const void* site = nullptr;
  int place = -1;
  std::int64_t asked = 0;  // nanoseconds that asking for the place took
  int communicator = -1;
  int root = -1;
  std::int64_t entry = 0;
  std::int64_t exit = 0;
};

/// How much may be kept. What does not fit is counted without its place, never dropped.
struct Limits {
  std::size_t cells = 16384;
  std::size_t threads = 1024;
  std::size_t instances = 65536;
  std::size_t places = 16384;
};

/// Everything that one rank records, in memory that does not grow with the number of calls. Knows no MPI and
/// no clock.
class Recorder {
 public:
  Recorder(Limits limits, std::size_t ranks);

  /// Adds a call. Traffic that was not counted because the call failed is left empty by the caller.
  void add(const CallFacts& facts, const Traffic& traffic);
  int add_communicator(Communicator communicator);
  /// @return its number, that of the same place where it is known; -1 where there are too many
  int add_place(PythonPlace place);
  /// @return its number; the last one is that of all which are too many
  int thread_begins(std::int64_t begin);
  /// @param begin  what thread_begins() was told
  void thread_ends(int thread, std::int64_t begin, std::int64_t now);

  std::vector<Communicator>& communicators() { return communicators_; }
  const std::vector<Communicator>& communicators() const { return communicators_; }
  Regions& regions() { return regions_; }
  const Regions& regions() const { return regions_; }

  /// In the order in which they were met; those beyond the limit share the last ones, without site and
  /// region.
  const std::vector<Cell>& cells() const { return cells_; }
  /// By number.
  const std::vector<PythonPlace>& places() const { return places_; }
  /// What asking for places took, in nanoseconds.
  std::int64_t asked() const { return asked_; }
  /// By number, in the order of their first calls.
  const std::vector<ThreadTotals>& threads() const { return threads_; }
  const std::vector<Instance>& instances() const { return instances_; }
  std::int64_t instances_left_out() const { return instances_left_out_; }
  std::int64_t calls_without_cell() const { return calls_without_cell_; }
  std::int64_t calls() const { return calls_; }
  std::int64_t scanned() const { return scanned_; }
  /// Absent where the call never was made.
  const CallSizes* sizes(CallId call) const { return sizes_[static_cast<std::size_t>(call)].get(); }
  /// To and from each rank of MPI_COMM_WORLD, what all of a communicator got alike included.
  std::vector<PeerTraffic> peers(TrafficClass traffic_class) const;
  PeerTraffic outside() const { return outside_; }

 private:
  std::size_t cell_of(const CallFacts& facts);
  std::size_t shared_cell(const CallFacts& facts);
  void add_item(const Traffic::Item& item, TrafficClass traffic_class);
  void add_sizes(CallId call, const Traffic& traffic, std::int64_t sent, double nanoseconds);

  Limits limits_;
  std::vector<Communicator> communicators_;
  Regions regions_;
  std::vector<Cell> cells_;
  std::vector<PythonPlace> places_;
  std::vector<std::uint32_t> index_;  // open addressing; 0: free, else cell + 1
  std::vector<ThreadTotals> threads_;
  std::vector<Instance> instances_;
  std::int64_t instances_left_out_ = 0;
  std::int64_t calls_without_cell_ = 0;
  std::int64_t calls_ = 0;
  std::int64_t bytes_sent_ = 0;
  std::int64_t nanoseconds_ = 0;
  std::int64_t scanned_ = 0;
  std::int64_t asked_ = 0;
  std::array<std::unique_ptr<CallSizes>, num_calls> sizes_;
  std::array<std::vector<PeerTraffic>, traffic_class_names.size()> peers_;
  PeerTraffic outside_;
};

}  // namespace isobath::profiler
