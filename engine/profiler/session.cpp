// SPDX-License-Identifier: Apache-2.0
#include "profiler/session.hpp"

#include <mpi.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>

#include "profiler/bytes.hpp"
#include "profiler/counting.hpp"
#include "profiler/handles.hpp"
#include "profiler/library.hpp"

namespace isobath::profiler {
namespace {

/// As MPI 4.0 declares it; headers of before do not.
using Isendrecv = int(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                      MPI_Comm comm, MPI_Request* request);

bool is_told(Isendrecv* isendrecv, int bytes, int tag) {
  static constinit LibraryFunction<decltype(PMPI_Wait)> wait{"PMPI_Wait"};
  static constinit LibraryFunction<decltype(PMPI_Get_elements_x)> elements{"PMPI_Get_elements_x"};
  std::array<char, 64> out{};
  std::array<char, 64> in{};
  const MPI_Datatype type = byte_type();
  MPI_Request request{};
  MPI_Status status{};
  MPI_Count found = 0;
  isendrecv(out.data(), bytes, type, 0, tag, in.data(), static_cast<int>(in.size()), type, 0, tag,
            comm_self(), &request);
  wait(&request, &status);
  elements(&status, type, &found);
  return found == bytes && status.MPI_SOURCE == 0 && status.MPI_TAG == tag;
}

/// Whether what completes MPI_Isendrecv says what was received. MPICH 4.0 and 5.0 leave that status as an
/// earlier request left it. Tried by messages of this rank to itself; to be asked before the program sends
/// any. True where the library has no such function.
bool isendrecv_fills_status() {
  auto* const isendrecv = reinterpret_cast<Isendrecv*>(find_if_there("PMPI_Isendrecv"));
  if (isendrecv == nullptr) return true;
  // Twice: what an earlier request left may be right once.
  return is_told(isendrecv, 13, 101) && is_told(isendrecv, 29, 102);
}

constexpr std::int64_t per_second = 1'000'000'000;

/// Order matters: communicators of the same ranks in another order differ.
std::uint64_t hash_of(const std::vector<int>& ranks, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const int rank : ranks) {
    hash ^= static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank)) + 0x9E3779B97F4A7C15ULL +
            (hash << 6) + (hash >> 2);
    hash *= 0xBF58476D1CE4E5B9ULL;
  }
  return hash ^ (hash >> 31);
}

/// Ranks of a group in MPI_COMM_WORLD; -1 for those of another program.
std::vector<int> world_ranks(MPI_Group group, MPI_Group world) {
  static constinit LibraryFunction<decltype(PMPI_Group_size)> group_size{"PMPI_Group_size"};
  static constinit LibraryFunction<decltype(PMPI_Group_translate_ranks)> translate{
      "PMPI_Group_translate_ranks"};
  int size = 0;
  group_size(group, &size);
  std::vector<int> own(static_cast<std::size_t>(size));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> found(own.size());
  translate(group, size, own.data(), world, found.data());
  std::ranges::replace_if(found, [](int rank) { return rank < 0; }, -1);
  return found;
}

void free_group(MPI_Group group) {
  static constinit LibraryFunction<decltype(PMPI_Group_free)> group_free{"PMPI_Group_free"};
  group_free(&group);
}

std::size_t limit_from_environment(const char* name, std::size_t usual) {
  const char* text = std::getenv(name);
  if (text == nullptr) return usual;
  const long long value = std::atoll(text);
  return value < 0 ? usual : static_cast<std::size_t>(value);
}

}  // namespace

std::int64_t now_nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * per_second + now.tv_nsec;
}

Session& Session::instance() {
  // Never destroyed: calls may come while the program ends.
  static Session* const one = new Session;
  return *one;
}

void Session::open(bool is_threaded) {
  const char* folder = std::getenv("ISOBATH_PROFILE_DIR");
  if (folder == nullptr || is_open_) return;
  static constinit LibraryFunction<decltype(PMPI_Comm_rank)> comm_rank{"PMPI_Comm_rank"};
  static constinit LibraryFunction<decltype(PMPI_Comm_size)> comm_size{"PMPI_Comm_size"};
  static constinit LibraryFunction<decltype(PMPI_Comm_group)> comm_group{"PMPI_Comm_group"};
  static constinit LibraryFunction<decltype(PMPI_Get_library_version)> version{"PMPI_Get_library_version"};
  is_threaded_ = is_threaded;
  const char* words = std::getenv("ISOBATH_PROFILE_PCONTROL");
  ipm_regions_ = words != nullptr && std::strcmp(words, "ipm") == 0;
  comm_rank(comm_world(), &rank_);
  comm_size(comm_world(), &size_);
  comm_group(comm_world(), &world_group_);
  file_ = file_of(folder, process_, rank_, size_);
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  int length = 0;
  version(library.data(), &length);
  library_ = library.data();
  judge_world(process_, size_, std::string_view(library_).substr(0, library_.find('\n')));
  beat_.open(folder, rank_);
  fills_status_of_isendrecv_ = isendrecv_fills_status();
  measure();
  has_python_ = limit_from_environment("ISOBATH_PROFILE_PYTHON", 1) != 0 && has_python();
  Limits limits;
  limits.instances = limit_from_environment("ISOBATH_PROFILE_INSTANCES", limits.instances);
  limits.cells = std::max<std::size_t>(16, limit_from_environment("ISOBATH_PROFILE_CELLS", limits.cells));
  recorder_ = std::make_unique<Recorder>(limits, static_cast<std::size_t>(size_));
  communicator(comm_world());
  began_ = now_nanoseconds();
  checkpoint_interval_ =
      per_second * static_cast<std::int64_t>(limit_from_environment("ISOBATH_PROFILE_CHECKPOINT_SECONDS", 1));
  next_checkpoint_ = began_;  // with the first call: who is killed after it has left its file
  is_open_ = true;
}

RankFacts Session::facts(const char* how) const {
  RankFacts found;
  found.rank = rank_;
  found.size = size_;
  found.ended = how;
  found.library = library_;
  found.now = now_nanoseconds();
  found.nanoseconds = found.now - began_;
  found.requests_left_out = requests_.left_out();
  found.checkpoint_nanoseconds = checkpoint_nanoseconds_;
  found.overhead = overhead_;
  found.process = process_;
  return found;
}

void Session::thread_begins(Scratch& thread) {
  const std::int64_t now = now_nanoseconds();
  thread.thread_began = std::clamp(now - thread_age(), began_, std::max(began_, now));
  thread.thread = recorder_->thread_begins(thread.thread_began);
}

void Session::thread_ends(const Scratch& thread) {
  if (!is_open_) return;
  lock();
  recorder_->thread_ends(thread.thread, thread.thread_began, now_nanoseconds());
  unlock();
}

bool Session::is_of_mpi4py_here(const void* site) {
  const auto key = reinterpret_cast<std::uintptr_t>(site);
  if (const bool* known = sites_of_mpi4py_.find(key)) return *known;
  const bool is_one = is_of_mpi4py(site);
  sites_of_mpi4py_.insert(key, is_one);
  return is_one;
}

int Session::place_in_python() {
  PythonFrame frame;
  if (!frame.is_known()) return -1;
  lock();
  const auto known = places_.find(frame.key());
  const int number = known == places_.end() ? -1 : known->second;
  const bool is_full = places_.size() >= Limits{}.places;
  unlock();
  if (number >= 0 || is_full) return number;
  PythonPlace place = frame.place();
  lock();
  const int added = recorder_->add_place(std::move(place));
  if (added >= 0 && places_.emplace(frame.key(), added).second) frame.keep();
  unlock();
  return added;
}

void Session::close(const char* how) {
  if (!is_open_) return;
  is_open_ = false;
  write_rank_file(file_, facts(how), *recorder_, Detail::all);
}

void Session::close_own(const char* how) {
  // A child that was forked has our memory, and nothing of its own to tell.
  if (is_open_ && process_.pid == ::getpid()) close(how);
}

/// Without the single collective calls, which are most of a file.
void Session::checkpoint(std::int64_t now) {
  write_rank_file(file_, facts("killed"), *recorder_, Detail::totals);
  const std::int64_t done = now_nanoseconds();
  checkpoint_nanoseconds_ += done - now;
  // Where there is much to write, less often: at most a hundredth of the time.
  constexpr std::int64_t share = 100;
  const std::int64_t spared = checkpoint_interval_ == 0 ? 0 : share * (done - now);
  next_checkpoint_ = done + std::max(checkpoint_interval_, spared);
}

int Session::communicator(MPI_Comm handle) {
  if (handle == comm_null()) return -1;
  if (const int* known = communicators_.find(key_of(handle))) return *known;
  return register_communicator(handle);
}

int Session::register_communicator(MPI_Comm handle) {
  static constinit LibraryFunction<decltype(PMPI_Comm_rank)> comm_rank{"PMPI_Comm_rank"};
  static constinit LibraryFunction<decltype(PMPI_Comm_size)> comm_size{"PMPI_Comm_size"};
  static constinit LibraryFunction<decltype(PMPI_Comm_test_inter)> test_inter{"PMPI_Comm_test_inter"};
  static constinit LibraryFunction<decltype(PMPI_Comm_group)> comm_group{"PMPI_Comm_group"};
  static constinit LibraryFunction<decltype(PMPI_Comm_remote_group)> remote_group{"PMPI_Comm_remote_group"};
  Communicator found;
  int is_inter = 0;
  comm_rank(handle, &found.rank);
  comm_size(handle, &found.size);
  test_inter(handle, &is_inter);
  found.is_inter = is_inter != 0;
  MPI_Group group{};
  comm_group(handle, &group);
  std::vector<int> own = world_ranks(group, world_group_);
  free_group(group);
  found.hash = hash_of(own, 1);
  if (found.is_inter) {
    MPI_Group other{};
    remote_group(handle, &other);
    found.peers = world_ranks(other, world_group_);
    free_group(other);
    // Both groups see the same number.
    found.hash = hash_of(own, 2) ^ hash_of(found.peers, 2);
  } else {
    found.peers = std::move(own);
  }
  const int index = recorder_->add_communicator(std::move(found));
  communicators_.insert(key_of(handle), index);
  ++generation_;
  return index;
}

void Session::forget(MPI_Comm handle) {
  communicators_.erase(key_of(handle));
  ++generation_;
}

const Communicator& Session::neighbours(MPI_Comm handle, int communicator) {
  static constinit LibraryFunction<decltype(PMPI_Topo_test)> topo_test{"PMPI_Topo_test"};
  static constinit LibraryFunction<decltype(PMPI_Cartdim_get)> cartdim_get{"PMPI_Cartdim_get"};
  static constinit LibraryFunction<decltype(PMPI_Cart_shift)> cart_shift{"PMPI_Cart_shift"};
  static constinit LibraryFunction<decltype(PMPI_Graph_neighbors_count)> graph_count{
      "PMPI_Graph_neighbors_count"};
  static constinit LibraryFunction<decltype(PMPI_Graph_neighbors)> graph{"PMPI_Graph_neighbors"};
  static constinit LibraryFunction<decltype(PMPI_Dist_graph_neighbors_count)> dist_count{
      "PMPI_Dist_graph_neighbors_count"};
  static constinit LibraryFunction<decltype(PMPI_Dist_graph_neighbors)> dist{"PMPI_Dist_graph_neighbors"};
  Communicator& found = recorder_->communicators()[static_cast<std::size_t>(communicator)];
  if (found.knows_neighbours) return found;
  found.knows_neighbours = true;
  int kind = MPI_UNDEFINED;
  topo_test(handle, &kind);
  if (kind == MPI_CART) {
    int dimensions = 0;
    cartdim_get(handle, &dimensions);
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      int below = 0;
      int above = 0;
      cart_shift(handle, dimension, 1, &below, &above);
      for (const int neighbour : {below, above})
        found.sources.push_back(neighbour == MPI_PROC_NULL ? -1 : neighbour);
    }
    found.destinations = found.sources;
  } else if (kind == MPI_GRAPH) {
    int count = 0;
    graph_count(handle, found.rank, &count);
    found.sources.resize(static_cast<std::size_t>(count));
    graph(handle, found.rank, count, found.sources.data());
    found.destinations = found.sources;
  } else if (kind == MPI_DIST_GRAPH) {
    int in = 0;
    int out = 0;
    int is_weighted = 0;
    dist_count(handle, &in, &out, &is_weighted);
    found.sources.resize(static_cast<std::size_t>(in));
    found.destinations.resize(static_cast<std::size_t>(out));
    std::vector<int> weights(static_cast<std::size_t>(std::max(in, out)));
    std::vector<int> more_weights(weights.size());
    dist(handle, in, found.sources.data(), weights.data(), out, found.destinations.data(),
         more_weights.data());
  }
  return found;
}

/// Makes calls that call nothing, on a recorder of its own.
void Session::measure() {
  constexpr int calls = 500;
  constexpr int batches = 5;
  constexpr int counts = 4096;
  const Limits small{64, 64};
  recorder_ = std::make_unique<Recorder>(small, static_cast<std::size_t>(size_));
  communicator(comm_world());
  is_open_ = true;
  const MPI_Datatype byte = byte_type();
  std::int64_t best = per_second;
  for (int batch = 0; batch < batches; ++batch) {
    const std::int64_t before = now_nanoseconds();
    for (int i = 0; i < calls; ++i) {
      Call call(CallId::send, &best, Join::none);
      if (call.is_counted()) count_before::send(call, nullptr, 8, byte, rank_, 0, comm_world());
      call.begin();
      call.end(MPI_SUCCESS);
    }
    best = std::min(best, now_nanoseconds() - before);
  }
  overhead_.nanoseconds_per_call = static_cast<double>(best) / calls;
  // A communicator of many ranks that exists only here: its counts are looked at, nothing is sent.
  Communicator wide;
  wide.peers.assign(counts, 0);
  wide.size = counts;
  const int index = recorder_->add_communicator(std::move(wide));
  const std::vector<int> zeros(counts);
  best = per_second;
  for (int batch = 0; batch < batches; ++batch) {
    Call call(CallId::alltoallv, &best, Join::none);
    call.on_number(index);
    const std::int64_t before = now_nanoseconds();
    if (call.is_counted()) count_blocks(call, zeros.data(), byte, true);
    best = std::min(best, now_nanoseconds() - before);
  }
  overhead_.nanoseconds_per_count = static_cast<double>(best) / counts;
  is_open_ = false;
  scratch().thread = -1;  // of that recorder
  communicators_.erase(key_of(comm_world()));
  ++generation_;
}

}  // namespace isobath::profiler
