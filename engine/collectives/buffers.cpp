// SPDX-License-Identifier: Apache-2.0
#include "collectives/buffers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {
namespace {

constexpr std::array<std::string_view, 3> modes = {"warm", "offcache", "dirty"};
constexpr std::size_t guard_bytes = 64;
/// Sets do not share pages, so that none is fetched along with another.
constexpr std::size_t page = 4096;
constexpr std::int64_t most_sets = 16384;

std::size_t rounded(std::size_t bytes) { return (bytes + page - 1) / page * page; }

std::size_t bytes_in(std::int64_t elements, ElementType type) {
  return static_cast<std::size_t>(elements * bytes_of(type));
}
std::size_t send_stride(const Layout& layout, ElementType type) {
  return layout.send_elements == 0 ? 0 : rounded(bytes_in(layout.send_elements, type));
}
std::size_t receive_stride(const Layout& layout, ElementType type) {
  return rounded(bytes_in(layout.receive_elements, type) + guard_bytes);
}

}  // namespace

std::string_view name_of(BufferMode mode) { return modes[static_cast<std::size_t>(mode)]; }

BufferMode parse_buffer_mode(std::string_view name) {
  const auto found = std::ranges::find(modes, name);
  if (found == modes.end()) {
    throw UsageError(fmt::format("there are no buffers '{}'; there are {}", name, fmt::join(modes, ", ")));
  }
  return static_cast<BufferMode>(found - modes.begin());
}

std::int64_t BufferSets::bytes_of_set(const Layout& layout, ElementType type) {
  return static_cast<std::int64_t>(send_stride(layout, type) + receive_stride(layout, type));
}

BufferSets::BufferSets(Layout layout, Pattern pattern, ElementType type, int sets)
    : layout_(std::move(layout)),
      pattern_(pattern),
      type_(type),
      sets_(static_cast<std::size_t>(sets)),
      send_stride_(send_stride(layout_, type)),
      receive_stride_(receive_stride(layout_, type)),
      stamps_(sets_),
      send_(sets_ * send_stride_),
      receive_(sets_ * receive_stride_) {
  for (int set = 0; set < sets; ++set) fill(set, 0);
}

std::span<std::byte> BufferSets::send_bytes(int set) {
  return std::span(send_).subspan(static_cast<std::size_t>(set) * send_stride_, send_stride_);
}
std::span<std::byte> BufferSets::receive_bytes(int set) {
  return std::span(receive_).subspan(static_cast<std::size_t>(set) * receive_stride_, receive_stride_);
}
std::span<const std::byte> BufferSets::received(int set) const {
  return std::span(receive_).subspan(static_cast<std::size_t>(set) * receive_stride_, receive_stride_);
}
std::span<std::byte> BufferSets::sent_from(int set) {
  return layout_.sends_from_receive_buffer ? receive_bytes(set) : send_bytes(set);
}

BareArguments BufferSets::arguments(int set) {
  const auto number = static_cast<std::size_t>(set);
  BareArguments arguments = layout_.arguments;
  arguments.send = send_.data() + number * send_stride_;
  arguments.receive = receive_.data() + number * receive_stride_;
  arguments.type = type_;
  return arguments;
}

void BufferSets::fill(int set, std::int64_t stamp) {
  stamps_[static_cast<std::size_t>(set)] = {.first = stamp, .rest = stamp};
  const std::size_t used = bytes_in(layout_.receive_elements, type_) + guard_bytes;
  poison(receive_bytes(set).first(used));
  for (const SentBlock& block : layout_.sent) {
    pattern_.write(sent_from(set), block, stamps_[static_cast<std::size_t>(set)]);
  }
}

void BufferSets::stamp(int set, std::int64_t stamp) {
  stamps_[static_cast<std::size_t>(set)].first = stamp;
  for (const SentBlock& block : layout_.sent) pattern_.write_stamp(sent_from(set), block, stamp);
}

std::optional<std::string> BufferSets::fault(int set) const {
  const std::span<const std::byte> all = received(set);
  const Stamps stamps = stamps_[static_cast<std::size_t>(set)];
  for (const ExpectedBlock& block : layout_.expected) {
    if (std::optional<std::string> fault = pattern_.fault(all, block, stamps)) return fault;
  }
  const std::size_t end = bytes_in(layout_.receive_elements, type_);
  const ExpectedBlock guard{.kind = ExpectedBlock::Kind::untouched, .count = guard_bytes};
  const Pattern in_bytes(ElementType::plain_byte, Operation::bor);
  if (!in_bytes.fault(all.subspan(end, guard_bytes), guard, stamps)) return std::nullopt;
  return fmt::format("memory behind the {} bytes of the receive buffer was written", end);
}

int sets_for(BufferMode mode, std::int64_t bytes_of_set, std::int64_t cache_bytes, int ranks_of_node) {
  ISOBATH_EXPECTS(bytes_of_set > 0 && ranks_of_node > 0);
  if (mode != BufferMode::offcache) return 1;
  const std::int64_t each = 2 * cache_bytes / ranks_of_node;
  return static_cast<int>(std::clamp(each / bytes_of_set + 1, std::int64_t{2}, most_sets));
}

}  // namespace isobath
