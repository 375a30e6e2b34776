// SPDX-License-Identifier: Apache-2.0
// Where the system gives packet sockets, frames by the loopback interface; where it does not, the sentence
// that says so. Between nodes: tests/system/test_delay_line.py.
#include "delay/port.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "delay/delay_line.hpp"
#include "delay/delay_queue.hpp"

namespace isobath {
namespace {

const std::string absent_interface = "isobath-none";

/// Empty where it is had.
template <class Make>
std::string refusal_of_system(Make&& make) {
  try {
    make();
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return {};
}

/// The sentence about an interface that is not here: of one who may have no socket, about that.
void expect_absent_interface_is_named(const std::string& sentence) {
  const int descriptor = socket(AF_PACKET, SOCK_RAW, 0);
  if (descriptor >= 0) {
    close(descriptor);
    EXPECT_EQ(sentence, "there is no interface isobath-none; name one that is here");
  } else {
    EXPECT_TRUE(sentence.starts_with("no packet socket can be had (")) << sentence;
    EXPECT_TRUE(sentence.ends_with("); in a container, start it with --cap-add NET_RAW")) << sentence;
  }
}

/// Of one who may have less than it takes.
void expect_says_what_is_lacking(const std::string& sentence) {
  const std::array<std::string, 3> begins = {"no packet socket can be had (",
                                             "this kernel's packet sockets cannot ",
                                             "no frames of lo can be had ("};
  EXPECT_TRUE(std::ranges::any_of(begins, [&](const std::string& begin) {
    return sentence.starts_with(begin);
  })) << sentence;
}

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

/// A frame of a type for experiments that no other frame equals.
std::vector<std::byte> own_frame(std::size_t size) {
  std::vector<std::byte> frame(frame_header + size);
  frame[frame_header + 12] = std::byte{0x88};
  frame[frame_header + 13] = std::byte{0xB5};
  const int process = getpid();
  for (std::size_t i = 14; i < size; ++i) {
    frame[frame_header + i] =
        static_cast<std::byte>(i * 7 + static_cast<std::size_t>(process >> (i % 4 * 8)));
  }
  return frame;
}

struct CameBack {
  std::int64_t arrived = 0;
  std::size_t size = 0;
  bool is_equal = false;
};

/// Reads until a frame comes of that size, header and all. What is longer than the room is told by its size.
CameBack awaited(Port& port, const std::vector<std::byte>& sent) {
  std::optional<CameBack> found;
  while (!found) {
    pollfd waiting{.fd = port.descriptor(), .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, 60'000) <= 0) break;
    port.read([&](std::int64_t arrived, std::span<const std::byte> frame) {
      if (frame.size() != sent.size()) return;
      const std::size_t kept = std::min(frame.size(), largest_frame);
      const auto begin = static_cast<std::ptrdiff_t>(frame_header);
      const bool is_equal = std::equal(sent.begin() + begin, sent.begin() + static_cast<std::ptrdiff_t>(kept),
                                       frame.begin() + begin);
      if (is_equal) found = {arrived, frame.size(), true};
    });
  }
  return found.value_or(CameBack{});
}

TEST(Port, NamesTheInterfaceThatIsNotHereAndKeepsNoDescriptor) {
  const std::ptrdiff_t before = open_descriptors();
  expect_absent_interface_is_named(refusal_of_system([] { const Port port(absent_interface); }));
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Port, FramesComeBackAsTheyWereSent) {
  const std::string refused = refusal_of_system([] { const Port port("lo"); });
  if (!refused.empty()) {
    expect_says_what_is_lacking(refused);
    return;
  }
  Port sender("lo");
  Port receiver("lo");
  for (const std::size_t size :
       {std::size_t{60}, std::size_t{1500}, largest_frame - frame_header, 2 * largest_frame}) {
    const std::vector<std::byte> frame = own_frame(size);
    const std::int64_t sent_at = now_nanoseconds();
    ASSERT_TRUE(sender.send(frame)) << size;
    const CameBack came = awaited(receiver, frame);
    ASSERT_TRUE(came.is_equal) << size;
    EXPECT_EQ(came.size, frame.size());
    EXPECT_LE(came.arrived, now_nanoseconds());
    EXPECT_GE(came.arrived, sent_at - nanoseconds_per_second) << "two clocks are read";
  }
  EXPECT_FALSE(sender.send(std::span<const std::byte>())) << "what is no frame is lost";
  EXPECT_FALSE(sender.send(std::vector<std::byte>(frame_header)));
}

TEST(DelayLine, AnInterfaceThatIsNotHereTakesTheOthersWithIt) {
  const std::ptrdiff_t before = open_descriptors();
  const auto make = [](const std::vector<std::string>& interfaces) {
    const DelayLine line({.interfaces = interfaces, .latency_nanoseconds = 1000, .limit = 10});
  };
  expect_absent_interface_is_named(refusal_of_system([&] { make({absent_interface}); }));
  const std::string second = refusal_of_system([&] { make({"lo", absent_interface}); });
  if (refusal_of_system([] { const Port port("lo"); }).empty()) {
    expect_absent_interface_is_named(second);
  } else {
    expect_says_what_is_lacking(second);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(DelayLine, EndsWithItsInputAndPassesNothingBack) {
  const DelayOptions options{.interfaces = {"lo"}, .latency_nanoseconds = 1000, .limit = 10};
  const std::string refused = refusal_of_system([&] { const DelayLine line(options); });
  if (!refused.empty()) {
    expect_says_what_is_lacking(refused);
    return;
  }
  std::array<int, 2> input{};
  ASSERT_EQ(pipe(input.data()), 0);
  close(input[1]);
  DelayLine line(options);
  Port sender("lo");
  ASSERT_TRUE(sender.send(own_frame(60)));
  const DelayReport report = line.run_until(input[0]);
  close(input[0]);
  EXPECT_EQ(report.passed, 0) << "a frame does not go back by the interface that it came from";
  EXPECT_EQ(report.lateness.count(), 0);
  EXPECT_GE(report.processor_seconds, 0);
}

}  // namespace
}  // namespace isobath
