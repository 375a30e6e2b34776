// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace isobath::skeleton {

/// What ranks do in a step. The names are those of the ledger (comm/ledger/call_kind.hpp); compute is no MPI
/// call, and isend_all is one call to and from all others at once.
enum class Call : unsigned char {
  compute,
  barrier,
  bcast,
  allreduce,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  sendrecv,
  isend,
  isend_all,
};
inline constexpr std::array<std::string_view, 11> call_names = {
    "compute",  "barrier",   "bcast",    "allreduce", "allgather", "allgatherv",
    "alltoall", "alltoallv", "sendrecv", "isend",     "isend_all"};
constexpr std::string_view name_of(Call call) { return call_names[static_cast<std::size_t>(call)]; }

enum class Along : unsigned char { world, row, column };
inline constexpr std::array<std::string_view, 3> along_names = {"world", "row", "column"};
constexpr std::string_view name_of(Along along) { return along_names[static_cast<std::size_t>(along)]; }

/// Ranks on a grid, numbered along its columns: rank = column * rows + row.
struct Shape {
  int ranks = 1;
  int rows = 1;
  int columns = 1;
};

/// The ranks of one communicator, as their numbers in it: `first + place * stride` is the rank of the
/// program.
struct Group {
  int size = 1;
  int first = 0;
  int stride = 1;
  int place = 0;  // of this rank

  int rank_of(int member) const { return first + member * stride; }
};
Group group_of(const Shape& shape, Along along, int rank);

/// What goes to one other rank of the communicator, or comes from it.
struct Parcel {
  std::int64_t units = 0;
  std::int64_t messages = 0;  // that the units are cut into; 0 where there are none
};

/// One call, or one computation, of every rank; what is here is this rank's part.
struct Step {
  int level = -1;
  std::string phase;
  Call call = Call::barrier;
  Along along = Along::world;
  int unit = 1;            // bytes of one unit: counts of bytes overflow where those of tuples do not
  std::int64_t piece = 0;  // units of a message; 0: a parcel is cut into equal ones
  int window = 0;          // ranks that a rank sends to at the same time; 0: all
  bool ends = false;       // an empty message to every other rank follows, which says that it was the last
  double seconds = 0;      // of computation
  int root = 0;            // of bcast, its number in the communicator
  std::vector<Parcel>
      to;  // by number in the communicator; collectives that gather have their own in `to` too
  std::vector<Parcel> from;
};

struct Schedule {
  Shape shape;
  std::vector<Step> steps;
};

/// Units of one message of a parcel.
std::int64_t units_of_message(const Parcel& parcel, std::int64_t piece, std::int64_t index);

/// The part of one rank. The form is told in docs/explanation/simulating.md.
/// @param name  of the file, for messages
/// Throws std::runtime_error, whose text is a sentence, for a text that is no schedule of so many ranks.
Schedule read_schedule(std::istream& text, const std::string& name, int rank, int ranks);

}  // namespace isobath::skeleton
