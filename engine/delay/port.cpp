// SPDX-License-Identifier: Apache-2.0
#include "delay/port.hpp"

#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "delay/delay_queue.hpp"

namespace isobath {
namespace {

constexpr std::size_t frames_at_a_time = 32;
constexpr int batches_at_a_time = 16;  // then other ports have their turn

/// Room of a socket, in bytes of the kernel's memory (it takes twice as many): for about as many frames as
/// the queue takes. It is used only while frames wait.
constexpr int socket_room = 128 << 20;

void set(int descriptor, int level, int option, int value, const char* what) {
  if (setsockopt(descriptor, level, option, &value, sizeof value) != 0) {
    throw EnvironmentError(fmt::format("this kernel's packet sockets cannot {} ({}); use a newer one", what,
                                       std::strerror(errno)));
  }
}

std::int64_t nanoseconds_of(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * nanoseconds_per_second + time.tv_nsec;
}

/// The clock by which the kernel says when a frame came.
std::int64_t kernel_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds_of(time);
}

/// When a message came, by that clock; nothing known: 0.
std::int64_t stamp_of(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
      timespec time{};
      std::memcpy(&time, CMSG_DATA(part), sizeof time);
      return nanoseconds_of(time);
    }
  }
  return 0;
}

}  // namespace

/// Room for the frames of one call.
struct Port::Batch {
  struct Slot {
    std::array<std::byte, largest_frame> bytes;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(timespec))> control;
    iovec place;
  };
  std::array<Slot, frames_at_a_time> slots;
  std::array<mmsghdr, frames_at_a_time> messages;

  /// As before any call: a call writes over some of it.
  void clear() {
    for (std::size_t i = 0; i < frames_at_a_time; ++i) {
      Slot& slot = slots[i];
      slot.place = {.iov_base = slot.bytes.data(), .iov_len = slot.bytes.size()};
      messages[i] = {};
      messages[i].msg_hdr.msg_iov = &slot.place;
      messages[i].msg_hdr.msg_iovlen = 1;
      messages[i].msg_hdr.msg_control = slot.control.data();
      messages[i].msg_hdr.msg_controllen = slot.control.size();
    }
  }
};

Port::Port(const std::string& interface)
    : descriptor_(socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
      batch_(std::make_unique<Batch>()) {
  if (descriptor_ < 0) {
    throw EnvironmentError(
        fmt::format("no packet socket can be had ({}); in a container, start it with --cap-add NET_RAW",
                    std::strerror(errno)));
  }
  try {
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_ALL);
    address.sll_ifindex = static_cast<int>(if_nametoindex(interface.c_str()));
    if (address.sll_ifindex == 0) {
      throw EnvironmentError(fmt::format("there is no interface {}; name one that is here", interface));
    }
    // All of it before the socket is bound: until then no frame comes.
    set(descriptor_, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1, "leave out what is sent");
    set(descriptor_, SOL_PACKET, PACKET_VNET_HDR, 1, "hand on sums that are not computed");
    set(descriptor_, SOL_SOCKET, SO_TIMESTAMPNS, 1, "say when a frame came");
    set(descriptor_, SOL_SOCKET, SO_RCVBUFFORCE, socket_room, "keep many frames");
    set(descriptor_, SOL_SOCKET, SO_SNDBUFFORCE, socket_room, "keep many frames");
    if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw EnvironmentError(
          fmt::format("no frames of {} can be had ({}); see ip link", interface, std::strerror(errno)));
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Port::~Port() { close(descriptor_); }

void Port::read(const std::function<void(std::int64_t, std::span<const std::byte>)>& keep) {
  for (int batch = 0; batch < batches_at_a_time; ++batch) {
    batch_->clear();
    const int received =
        recvmmsg(descriptor_, batch_->messages.data(), frames_at_a_time, MSG_DONTWAIT | MSG_TRUNC, nullptr);
    if (received <= 0) return;  // none is there; what else is wrong with the interface ends with its node
    const std::int64_t now = now_nanoseconds();
    const std::int64_t kernel_now = kernel_nanoseconds();
    for (int i = 0; i < received; ++i) {
      mmsghdr& message = batch_->messages[static_cast<std::size_t>(i)];
      const std::int64_t stamp = stamp_of(message.msg_hdr);
      const std::int64_t age = stamp == 0 ? 0 : std::max<std::int64_t>(kernel_now - stamp, 0);
      // Longer than the room: told by its length, and refused by the queue.
      keep(now - age, {batch_->slots[static_cast<std::size_t>(i)].bytes.data(), message.msg_len});
    }
    if (static_cast<std::size_t>(received) < frames_at_a_time) return;
  }
}

bool Port::send(std::span<const std::byte> frame) {
  return ::send(descriptor_, frame.data(), frame.size(), MSG_DONTWAIT) == static_cast<ssize_t>(frame.size());
}

std::int64_t Port::lost() {
  tpacket_stats counted{};
  socklen_t size = sizeof counted;
  if (getsockopt(descriptor_, SOL_PACKET, PACKET_STATISTICS, &counted, &size) != 0) return 0;
  return counted.tp_drops;
}

}  // namespace isobath
