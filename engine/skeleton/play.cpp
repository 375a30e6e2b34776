// SPDX-License-Identifier: Apache-2.0
#include "skeleton/play.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "skeleton/world.hpp"

namespace isobath::skeleton {

namespace {

/// Bytes whose contents nobody looks at.
class Buffer {
 public:
  Buffer(std::size_t bytes, std::size_t copied) : bytes_(allocate(bytes > 0 ? bytes : 1, copied)) {
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(bytes_); }

  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(bytes_) + place_of(offset); }

 private:
  void* bytes_;
};

constexpr int data_tag = 1;

/// Messages of a pair under way. The engine's channel has one receive under way from each rank
/// (comm/messages/channel.hpp), and a simulator that looks through thousands for each that arrives would not
/// end.
constexpr std::int64_t messages_at_a_time = 8;

std::int64_t all_units(const std::vector<Parcel>& parcels) {
  std::int64_t sum = 0;
  for (const Parcel& parcel : parcels) sum += parcel.units;
  return sum;
}

int narrow_count(std::int64_t units) {
  if (units > std::numeric_limits<int>::max()) {
    throw std::runtime_error("a step has more than 2^31 units of a rank; take larger units");
  }
  return static_cast<int>(units);
}

/// A type of MPI's own with so many bytes. SimGrid copies what is of any other type, all of it.
MPI_Datatype type_of(int bytes) {
  switch (bytes) {
    case 1:
      return MPI_BYTE;
    case 2:
      return MPI_INT16_T;
    case 4:
      return MPI_INT32_T;
    case 8:
      return MPI_INT64_T;
    case 16:
      return MPI_C_DOUBLE_COMPLEX;
    case 32:
      return MPI_C_LONG_DOUBLE_COMPLEX;
    default:
      throw std::runtime_error("a unit has 1, 2, 4, 8, 16 or 32 bytes, not " + std::to_string(bytes));
  }
}

class Player {
 public:
  explicit Player(const Schedule& schedule) : shape_(schedule.shape) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_split(MPI_COMM_WORLD, rank_ % shape_.rows, rank_, &row_);
    MPI_Comm_split(MPI_COMM_WORLD, rank_ / shape_.rows, rank_, &column_);
    std::int64_t sent = 1;
    std::int64_t received = 1;
    std::int64_t copied = 1;
    for (const Step& step : schedule.steps) {
      const Group group = group_of(shape_, step.along, rank_);
      sent = std::max(sent, all_units(step.to) * step.unit);
      received = std::max(received, std::max(all_units(step.to), all_units(step.from)) * step.unit);
      const bool copies =
          step.call != Call::isend && step.call != Call::isend_all && step.call != Call::sendrecv;
      if (copies) copied = std::max(copied, step.to[static_cast<std::size_t>(group.place)].units * step.unit);
    }
    send_ = std::make_unique<Buffer>(static_cast<std::size_t>(sent), static_cast<std::size_t>(copied));
    receive_ = std::make_unique<Buffer>(static_cast<std::size_t>(received), static_cast<std::size_t>(copied));
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  ~Player() {
    MPI_Comm_free(&row_);
    MPI_Comm_free(&column_);
  }

  /// The first collective of a communicator may arrange it, which later ones need not. All end together.
  void warm_up() const {
    for (MPI_Comm each : {row_, column_, MPI_COMM_WORLD}) {
      const int own = 1;
      int sum = 0;
      MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, each);
      MPI_Barrier(each);
    }
  }

  Played play(const Step& step, double began) {
    const double before = MPI_Wtime();
    step_ = &step;
    group_ = group_of(shape_, step.along, rank_);
    comm_ = step.along == Along::row ? row_ : step.along == Along::column ? column_ : MPI_COMM_WORLD;
    played_ = Played();
    type_ = type_of(step.unit);
    call();
    const double after = MPI_Wtime();
    played_.seconds = after - before;
    played_.ended = after - began;
    return played_;
  }

 private:
  void call() {
    switch (step_->call) {
      case Call::compute:
        return compute(step_->seconds);
      case Call::barrier:
        ++played_.calls;
        MPI_Barrier(comm_);
        return;
      case Call::bcast:
        return broadcast();
      case Call::allreduce:
        return reduce();
      case Call::allgather:
      case Call::allgatherv:
        return gather();
      case Call::alltoall:
        return exchange_equal();
      case Call::alltoallv:
        return exchange();
      case Call::sendrecv:
        return shift();
      case Call::isend:
        return send_messages();
      case Call::isend_all:
        return send_to_all();
    }
  }

  void count(std::int64_t messages, std::int64_t bytes) {
    played_.messages += bytes > 0 ? messages : 0;
    played_.bytes_sent += bytes;
  }
  std::int64_t others() const { return group_.size - 1; }
  std::int64_t own_units() const { return step_->to[static_cast<std::size_t>(group_.place)].units; }

  void broadcast() {
    const std::int64_t units = step_->to[static_cast<std::size_t>(step_->root)].units;
    ++played_.calls;
    if (group_.place == step_->root) count(others(), others() * units * step_->unit);
    MPI_Bcast(send_->at(0), narrow_count(units), type_, step_->root, comm_);
  }

  void reduce() {
    const std::int64_t bytes = own_units() * step_->unit;
    ++played_.calls;
    count(others(), others() * bytes);
    MPI_Allreduce(send_->at(0), receive_->at(0), narrow_count(bytes), MPI_BYTE, MPI_BOR, comm_);
  }

  void gather() {
    std::vector<int> counts;
    std::vector<int> offsets;
    if (all_units(step_->to) == 0) return;  // as in the engine, which does not call then
    lay_out(step_->to, counts, offsets);
    ++played_.calls;
    count(others(), others() * own_units() * step_->unit);
    const int own = counts[static_cast<std::size_t>(group_.place)];
    if (step_->call == Call::allgather) {
      MPI_Allgather(send_->at(0), own, type_, receive_->at(0), own, type_, comm_);
    } else {
      MPI_Allgatherv(send_->at(0), own, type_, receive_->at(0), counts.data(), offsets.data(), type_, comm_);
    }
  }

  void exchange_equal() {
    const std::int64_t units = own_units();
    ++played_.calls;
    count(others(), others() * units * step_->unit);
    MPI_Alltoall(send_->at(0), narrow_count(units), type_, receive_->at(0), narrow_count(units), type_,
                 comm_);
  }

  void exchange() {
    std::vector<int> sent;
    std::vector<int> sent_at;
    std::vector<int> received;
    std::vector<int> received_at;
    lay_out(step_->to, sent, sent_at);
    lay_out(step_->from, received, received_at);
    sent[static_cast<std::size_t>(group_.place)] = 0;  // what stays is no message
    received[static_cast<std::size_t>(group_.place)] = 0;
    ++played_.calls;
    for (const int units : sent) count(1, std::int64_t{units} * step_->unit);
    MPI_Alltoallv(send_->at(0), sent.data(), sent_at.data(), type_, receive_->at(0), received.data(),
                  received_at.data(), type_, comm_);
  }

  void lay_out(const std::vector<Parcel>& parcels, std::vector<int>& counts,
               std::vector<int>& offsets) const {
    std::int64_t offset = 0;
    for (const Parcel& parcel : parcels) {
      counts.push_back(narrow_count(parcel.units));
      offsets.push_back(static_cast<int>(place_of(static_cast<std::size_t>(narrow_count(offset)))));
      offset += parcel.units;
    }
  }

  /// To the one at each distance in turn, and from the one as far away on the other side.
  void shift() {
    for (int distance = 1; distance < group_.size; ++distance) {
      const int to = (group_.place + distance) % group_.size;
      const int from = (group_.place + group_.size - distance) % group_.size;
      const Parcel& out = step_->to[static_cast<std::size_t>(to)];
      const Parcel& in = step_->from[static_cast<std::size_t>(from)];
      for (std::int64_t index = 0; index < std::max(out.messages, in.messages); ++index) {
        const bool sends = index < out.messages;
        const bool receives = index < in.messages;
        const std::int64_t sent = sends ? units_of_message(out, step_->piece, index) : 0;
        const std::int64_t received = receives ? units_of_message(in, step_->piece, index) : 0;
        ++played_.calls;
        count(1, sent * step_->unit);
        MPI_Sendrecv(send_->at(0), narrow_count(sent), type_, sends ? to : MPI_PROC_NULL, data_tag,
                     receive_->at(0), narrow_count(received), type_, receives ? from : MPI_PROC_NULL,
                     data_tag, comm_, MPI_STATUS_IGNORE);
      }
    }
  }

  /// All ranks that it sends to at the same time, or so many of them.
  void send_messages() {
    const int window = step_->window > 0 ? step_->window : group_.size;
    for (int first = 1; first < group_.size; first += window) {
      send_to(first, std::min(first + window, group_.size));
    }
  }

  /// A message to and from every other rank, counted as one call.
  void send_to_all() {
    send_to(1, group_.size);
    played_.calls = 1;
  }

  /// To and from the ranks at these distances, a few messages of each at a time.
  void send_to(int first, int end) {
    std::int64_t longest = 0;
    for (int distance = first; distance < end; ++distance) {
      longest = std::max({longest, messages_of(to_at(distance)), messages_of(from_at(distance))});
    }
    std::size_t arrived = 0;
    for (std::int64_t index = 0; index < longest; index += messages_at_a_time) {
      std::vector<MPI_Request> requests;
      for (int distance = first; distance < end; ++distance) {
        receive_some(from_at(distance), index, arrived, requests);
      }
      for (int distance = first; distance < end; ++distance) send_some(to_at(distance), index, requests);
      MPI_Waitall(narrow_count(static_cast<std::int64_t>(requests.size())), requests.data(),
                  MPI_STATUSES_IGNORE);
    }
  }

  /// The other rank at a distance, and its parcel.
  struct Partner {
    int rank;
    const Parcel* parcel;
  };
  Partner to_at(int distance) const {
    const int rank = (group_.place + distance) % group_.size;
    return {rank, &step_->to[static_cast<std::size_t>(rank)]};
  }
  Partner from_at(int distance) const {
    const int rank = (group_.place + group_.size - distance) % group_.size;
    return {rank, &step_->from[static_cast<std::size_t>(rank)]};
  }
  std::int64_t messages_of(const Partner& partner) const {
    return partner.parcel->messages + (step_->ends ? 1 : 0);
  }
  int units_of(const Partner& partner, std::int64_t index) const {
    if (index >= partner.parcel->messages) return 0;  // the empty one, which says that it was the last
    return narrow_count(units_of_message(*partner.parcel, step_->piece, index));
  }

  void receive_some(const Partner& from, std::int64_t begin, std::size_t& arrived,
                    std::vector<MPI_Request>& requests) {
    const std::int64_t end = std::min(begin + messages_at_a_time, messages_of(from));
    for (std::int64_t index = begin; index < end; ++index) {
      const int units = units_of(from, index);
      MPI_Irecv(receive_->at(arrived), units, type_, from.rank, data_tag, comm_, &requests.emplace_back());
      arrived += static_cast<std::size_t>(units) * static_cast<std::size_t>(step_->unit);
    }
  }

  void send_some(const Partner& to, std::int64_t begin, std::vector<MPI_Request>& requests) {
    const std::int64_t end = std::min(begin + messages_at_a_time, messages_of(to));
    for (std::int64_t index = begin; index < end; ++index) {
      const int units = units_of(to, index);
      ++played_.calls;
      count(1, std::int64_t{units} * step_->unit);
      MPI_Isend(send_->at(0), units, type_, to.rank, data_tag, comm_, &requests.emplace_back());
    }
  }

  Shape shape_;
  int rank_ = 0;
  MPI_Comm row_ = MPI_COMM_NULL;
  MPI_Comm column_ = MPI_COMM_NULL;
  std::unique_ptr<Buffer> send_;
  std::unique_ptr<Buffer> receive_;

  // the step that is played
  const Step* step_ = nullptr;
  Group group_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Datatype type_ = MPI_BYTE;
  Played played_;
};

}  // namespace

std::vector<Played> play(const Schedule& schedule) {
  Player player(schedule);
  player.warm_up();
  const double began = MPI_Wtime();
  std::vector<Played> played;
  played.reserve(schedule.steps.size());
  for (const Step& step : schedule.steps) played.push_back(player.play(step, began));
  return played;
}

}  // namespace isobath::skeleton
