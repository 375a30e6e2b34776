// SPDX-License-Identifier: Apache-2.0
#include "skeleton/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace isobath::skeleton {

namespace {

constexpr std::int64_t most = std::numeric_limits<int>::max();
constexpr int most_unit = 32;

/// Reads line by line, and says where something is wrong.
class Reader {
 public:
  Reader(std::istream& text, const std::string& name, int rank, int ranks)
      : text_(text), name_(name), rank_(rank), ranks_(ranks) {}

  Schedule read() {
    next();
    if (line_ != "isobath-schedule 1") fail("it does not begin with 'isobath-schedule 1'");
    next();
    read_shape();
    while (next()) read_step();
    if (schedule_.steps.empty()) fail("it has no step");
    return std::move(schedule_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(name_ + ", line " + std::to_string(number_) + ": " + why);
  }

  bool next() {
    ++number_;
    const bool is_there = static_cast<bool>(std::getline(text_, line_));
    words_ = std::istringstream(is_there ? line_ : std::string());
    return is_there;
  }

  std::string word(const char* what) {
    std::string found;
    if (!(words_ >> found)) fail(std::string("the ") + what + " is missing");
    return found;
  }

  std::int64_t count(const char* what, std::int64_t least, std::int64_t greatest) {
    std::int64_t found = 0;
    if (!(words_ >> found)) fail(std::string("the ") + what + " is no whole number");
    if (found < least || found > greatest) {
      fail(std::string("the ") + what + " is " + std::to_string(found) + "; it must be " +
           std::to_string(least) + " to " + std::to_string(greatest));
    }
    return found;
  }

  double seconds() {
    double found = 0;
    if (!(words_ >> found) || !std::isfinite(found) || found < 0)
      fail("the seconds are no number of 0 or more");
    return found;
  }

  void at_end() {
    std::string more;
    if (words_ >> more) fail("'" + more + "' is one word too many");
  }

  template <std::size_t size>
  std::size_t choice(const char* what, const std::array<std::string_view, size>& names) {
    const std::string found = word(what);
    const auto place = std::find(names.begin(), names.end(), found);
    if (place == names.end()) fail("there is no " + std::string(what) + " '" + found + "'");
    return static_cast<std::size_t>(place - names.begin());
  }

  void read_shape() {
    if (word("word grid") != "grid") fail("the grid is missing");
    Shape& shape = schedule_.shape;
    shape.rows = static_cast<int>(count("number of rows", 1, most));
    shape.columns = static_cast<int>(count("number of columns", 1, most));
    at_end();
    const std::int64_t ranks = std::int64_t{shape.rows} * shape.columns;
    if (ranks != ranks_) {
      fail("it is for " + std::to_string(ranks) + " ranks, and " + std::to_string(ranks_) + " were started");
    }
    shape.ranks = ranks_;
  }

  void read_step() {
    if (word("word step") != "step") fail("a step begins with the word step");
    Step step;
    step.level = static_cast<int>(count("level", -1, most));
    step.phase = word("phase");
    step.call = static_cast<Call>(choice("call", call_names));
    step.along = static_cast<Along>(choice("communicator", along_names));
    step.unit = static_cast<int>(count("size of a unit", 1, most_unit));
    if ((step.unit & (step.unit - 1)) != 0) fail("a unit has 1, 2, 4, 8, 16 or 32 bytes");
    step.piece = count("size of a message", 0, most);
    step.window = static_cast<int>(count("window", 0, most));
    step.ends = count("word of empty messages", 0, 1) == 1;
    at_end();
    group_ = group_of(schedule_.shape, step.along, rank_);
    step.to.resize(static_cast<std::size_t>(group_.size));
    step.from.resize(static_cast<std::size_t>(group_.size));
    while (true) {
      if (!next()) fail("the step has no end");
      const std::string what = word("word");
      if (what == "end") break;
      read_part(step, what);
      at_end();
    }
    schedule_.steps.push_back(std::move(step));
  }

  void read_part(Step& step, const std::string& what) {
    if (what == "seconds") {
      step.seconds = seconds();
    } else if (what == "seconds_of") {
      const std::int64_t of = count("rank", 0, ranks_ - 1);
      const double found = seconds();
      if (of == rank_) step.seconds = found;
    } else if (what == "each") {
      const Parcel parcel = read_parcel(step);
      for (int member = 0; member < group_.size; ++member) {
        at(step.to, member) = parcel;
        at(step.from, member) = parcel;
      }
    } else if (what == "next") {
      const Parcel parcel = read_parcel(step);
      at(step.to, (group_.place + 1) % group_.size) = parcel;
      at(step.from, (group_.place + group_.size - 1) % group_.size) = parcel;
    } else if (what == "root") {
      step.root = place_of(count("rank", 0, ranks_ - 1));
      if (step.root < 0) fail("the root is not in the communicator");
      at(step.to, step.root) = read_parcel(step);
    } else if (what == "rank") {
      const int place = place_of(count("rank", 0, ranks_ - 1));
      const Parcel parcel = read_parcel(step);
      if (place >= 0) at(step.to, place) = parcel;
    } else if (what == "pair") {
      read_pair(step);
    } else {
      fail("there is no part '" + what + "' of a step");
    }
  }

  void read_pair(Step& step) {
    const std::int64_t from = count("sender", 0, ranks_ - 1);
    const std::int64_t to = count("receiver", 0, ranks_ - 1);
    const Parcel parcel = read_parcel(step);
    const Group group = group_of(schedule_.shape, step.along, static_cast<int>(from));
    const Group other = group_of(schedule_.shape, step.along, static_cast<int>(to));
    if (group.first != other.first || from == to) {
      fail("ranks " + std::to_string(from) + " and " + std::to_string(to) +
           " are no pair of the communicator " + std::string(name_of(step.along)));
    }
    if (from == rank_) at(step.to, other.place) = parcel;
    if (to == rank_) at(step.from, group.place) = parcel;
  }

  Parcel read_parcel(const Step& step) {
    Parcel parcel;
    parcel.units = count("number of units", 0, most);
    parcel.messages = count("number of messages", 0, most);
    const std::int64_t needed =
        step.piece > 0 ? (parcel.units + step.piece - 1) / step.piece : parcel.messages;
    if (parcel.messages > parcel.units || (parcel.units > 0) != (parcel.messages > 0) ||
        parcel.messages != needed) {
      fail(std::to_string(parcel.units) + " units do not make " + std::to_string(parcel.messages) +
           " messages");
    }
    return parcel;
  }

  /// Of a rank in this rank's communicator; -1 where it is in another.
  int place_of(std::int64_t rank) const {
    for (int member = 0; member < group_.size; ++member) {
      if (group_.rank_of(member) == rank) return member;
    }
    return -1;
  }

  static Parcel& at(std::vector<Parcel>& parcels, int member) {
    return parcels[static_cast<std::size_t>(member)];
  }

  std::istream& text_;
  std::string name_;
  int rank_;
  int ranks_;
  int number_ = 0;
  std::string line_;
  std::istringstream words_;
  Schedule schedule_;
  Group group_;
};

}  // namespace

Group group_of(const Shape& shape, Along along, int rank) {
  if (along == Along::world) return {shape.ranks, 0, 1, rank};
  const int column = rank / shape.rows;
  const int row = rank % shape.rows;
  if (along == Along::row) return {shape.columns, row, shape.rows, column};
  return {shape.rows, column * shape.rows, 1, row};
}

std::int64_t units_of_message(const Parcel& parcel, std::int64_t piece, std::int64_t index) {
  if (piece > 0) return std::min(piece, parcel.units - index * piece);
  return parcel.units / parcel.messages + (index < parcel.units % parcel.messages ? 1 : 0);
}

Schedule read_schedule(std::istream& text, const std::string& name, int rank, int ranks) {
  return Reader(text, name, rank, ranks).read();
}

}  // namespace isobath::skeleton
