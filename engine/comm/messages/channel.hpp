// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/expects.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Bytes of records that travel together.
inline constexpr std::size_t coalesced_bytes = 4096;

/// Small records to any rank, put by any thread and sent while more are being put: coalesced into messages
/// of `coalesced_bytes`, sent without waiting, received and handed over while others are under way. From
/// open() to close() is one round: who has closed it has sent and received all of it.
///
/// Messages that are full go at once; what is left in the threads' buffers is put together per destination
/// when the round is closed. So b bytes to a rank are always ceil(b / coalesced_bytes) messages, whatever the
/// number of threads. An empty message says that its sender has no more in this round.
///
/// Rounds cannot mix. Messages of a pair of ranks arrive in the order in which they were sent, and from each
/// rank there is one receive under way, which is begun again after each message but not after the empty one.
/// What a rank that is ahead sends for its next round is thus received by nobody before the receiver opens
/// that round too.
///
/// One thread communicates: it alone calls open(), progress() and close().
class Channel {
 public:
  /// Whole records from one rank, own rank excluded; valid during the call.
  using Arrived = std::function<void(int source, std::span<const std::byte> records)>;

  /// One per communicator at a time. @param comm  outlives the channel
  /// @param record_bytes  of every record, at most coalesced_bytes
  /// @param writers  threads that put records
  Channel(const Communicator& comm, std::size_t record_bytes, int writers);
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  /// From thread `writer`, inside a round, to another rank.
  template <Transferable Record>
  void put(int writer, int to, const Record& record) {
    ISOBATH_ASSERT(sizeof(Record) == record_bytes_ && to != comm_.rank());
    put_bytes(filling_[static_cast<std::size_t>(writer)][static_cast<std::size_t>(to)], to, &record);
  }
  /// So much is full and not sent that who puts records should wait for progress. From any thread.
  bool is_crowded() const { return unsent_ > most_unsent_; }
  std::int64_t most_unsent() const { return most_unsent_; }
  /// Messages that ever had to be held at the same time: its memory. While nobody puts records.
  std::int64_t messages_held() const { return std::ssize(messages_); }
  /// Are messages full that progress() has not begun to send? From any thread.
  bool has_full() const { return full_count_ > 0; }

  /// A round begins. It needs no agreement with other ranks, but all of them go through every round.
  void open();
  /// Begins to send what is full, hands over what has arrived, and returns. False where there was nothing.
  bool progress(const Arrived& arrived);
  /// The rest of the round; no thread puts records any more.
  void close(const Arrived& arrived);

 private:
  struct Message {
    int to = 0;
    int pieces_under_way = 0;
    std::size_t size = 0;
    std::array<std::byte, coalesced_bytes> bytes;
  };
  /// What comes from one rank.
  struct Incoming {
    std::vector<std::byte> piece;  // of the receive under way
    std::vector<std::byte> begun;  // where a limit cuts records
  };
  enum class Until { now, one_is_complete };

  void put_bytes(Message*& filling, int to, const void* record) {
    if (filling == nullptr) filling = fresh_message(to);
    std::memcpy(filling->bytes.data() + filling->size, record, record_bytes_);
    filling->size += record_bytes_;
    if (filling->size + record_bytes_ <= coalesced_bytes) return;
    hand_over(filling);
    filling = nullptr;
  }
  Message* fresh_message(int to);
  void hand_over(Message* message);
  void hand_over_rest();
  bool begin_sends();
  void begin_send(Message& message);
  void end_to_all();
  void begin_receive(int from);
  bool complete(Until until, const Arrived& arrived);
  void take(int from, std::size_t bytes, const Arrived& arrived);
  void piece_is_sent(std::size_t slot);
  MPI_Request& send_slot(Message* message);

  const Communicator& comm_;
  const std::size_t record_bytes_;
  const std::size_t piece_bytes_;  // longest message of the library
  const std::int64_t most_unsent_;
  std::vector<std::vector<Message*>> filling_;  // [writer][destination]

  // Shared by all threads.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Message>> messages_;
  std::vector<Message*> free_;
  std::vector<Message*> full_;
  std::atomic<std::int64_t> full_count_ = 0;
  std::atomic<std::int64_t> unsent_ = 0;  // full, sends not complete

  // Of the thread that communicates. The first size() requests are receives, by source; sends follow.
  std::vector<Message*> to_send_;
  std::vector<Incoming> incoming_;
  std::vector<MPI_Request> requests_;
  std::vector<Message*> message_of_;  // by request; nullptr for receives and for empty messages
  std::vector<std::size_t> free_slots_;
  std::vector<int> completed_;
  std::vector<MPI_Status> statuses_;
  std::vector<int> received_bytes_;
  int ended_ = 0;
  int sends_under_way_ = 0;
};

}  // namespace isobath
