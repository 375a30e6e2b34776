// SPDX-License-Identifier: Apache-2.0
#include "graphfile/text_lines.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/first_exception.hpp"
#include "graphfile/byte_source.hpp"

namespace isobath {
namespace {

constexpr std::size_t block_bytes = std::size_t{16} << 20;
constexpr std::size_t piece_bytes = std::size_t{1} << 18;

/// A part of the text: bytes 0 .. lines-1 are whole lines, what follows begins a line of the next block.
struct Block {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::size_t lines = 0;
  std::int64_t offset = 0;  // in the text
  bool is_last = false;

  std::string_view text() const { return {bytes.get(), lines}; }
  std::string_view rest() const { return {bytes.get() + lines, size - lines}; }
};

/// Small files take small blocks.
std::size_t first_capacity(const std::string& path) {
  const InputFile file(path);
  constexpr std::int64_t largest = block_bytes;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(8 * file.size(), 1 << 12, largest));
}

/// Fills a block after the rest of the one before. The last line of a text need not end.
void fill(ByteSource& source, const Block* before, std::size_t capacity, Block& block) {
  std::string_view rest;
  block.offset = 0;
  if (before != nullptr) {
    rest = before->rest();
    block.offset = before->offset + static_cast<std::int64_t>(before->lines);
  }
  if (block.bytes == nullptr) block.bytes = std::make_unique_for_overwrite<char[]>(capacity + 1);
  std::ranges::copy(rest, block.bytes.get());
  const std::span room(block.bytes.get() + rest.size(), capacity - rest.size());
  const std::size_t got = source.read(std::as_writable_bytes(room));
  block.size = rest.size() + got;
  block.is_last = got < room.size();
  if (block.is_last && block.size > 0 && block.bytes[block.size - 1] != '\n') {
    block.bytes[block.size++] = '\n';
  }
  const void* end = memrchr(block.bytes.get(), '\n', block.size);
  block.lines =
      end == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(end) - block.bytes.get()) + 1;
}

std::vector<std::string_view> pieces_of(std::string_view lines) {
  std::vector<std::string_view> pieces;
  while (!lines.empty()) {
    const std::size_t end =
        lines.size() <= piece_bytes ? lines.size() : lines.find('\n', piece_bytes - 1) + 1;
    pieces.push_back(lines.substr(0, end));
    lines.remove_prefix(end);
  }
  return pieces;
}

[[noreturn]] void fail(const std::string& path, const Block& block, const TextProblem& problem) {
  const std::int64_t offset = block.offset + (problem.at - block.bytes.get());
  throw EnvironmentError(fmt::format("{}, line {}: {}", path, line_of(path, offset), problem.sentence));
}

/// One after the other; the first problem in the order of the text.
class Pieces {
 public:
  Pieces(std::vector<std::string_view> texts, std::int64_t first_number, int part, int parts)
      : texts_(std::move(texts)), edges_(texts_.size()), problems_(texts_.size()) {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if ((first_number + static_cast<std::int64_t>(i)) % parts == part) wanted_.push_back(i);
    }
  }

  std::int64_t wanted() const { return std::ssize(wanted_); }
  void parse(std::int64_t k, const ParseLines& parse) {
    const std::size_t i = wanted_[static_cast<std::size_t>(k)];
    edges_[i] = parse(texts_[i], problems_[i]);
  }
  void hand_over(ListedEdges& listed, const Block& block) {
    for (const auto& problem : problems_) {
      if (problem) fail(listed.path, block, *problem);
    }
    for (EdgePiece& piece : edges_) listed.append(std::move(piece));
  }

 private:
  std::vector<std::string_view> texts_;
  std::vector<std::size_t> wanted_;
  std::vector<EdgePiece> edges_;
  std::vector<std::optional<TextProblem>> problems_;
};

void require_lines(const std::string& path, const Block& block) {
  if (block.lines > 0 || block.size == 0) return;
  throw EnvironmentError(
      fmt::format("{} has a line of more than {} bytes, so it is no text; check --format", path, block.size));
}

}  // namespace

void read_lines(ListedEdges& listed, int part, int parts, const ReadHeader& header, const ParseLines& parse) {
  const std::size_t capacity = first_capacity(listed.path);
  const std::unique_ptr<ByteSource> source = open_byte_source(listed.path);
  Block block;
  Block next;
  fill(*source, nullptr, capacity, block);
  require_lines(listed.path, block);
  std::optional<TextProblem> problem;
  const std::size_t header_bytes = header(block.text(), problem);
  if (problem) fail(listed.path, block, *problem);

  std::string_view text = block.text().substr(header_bytes);
  for (std::int64_t number = 0;;) {
    Pieces pieces(pieces_of(text), number, part, parts);
    number += std::ssize(pieces_of(text));
    FirstException failure;
    const std::int64_t wanted = pieces.wanted();
#pragma omp parallel
    {
#pragma omp single nowait
      failure.guard([&] {
        if (!block.is_last) fill(*source, &block, capacity, next);
      });
#pragma omp for schedule(dynamic, 1)
      for (std::int64_t k = 0; k < wanted; ++k) failure.guard([&] { pieces.parse(k, parse); });
    }
    pieces.hand_over(listed, block);  // what is wrong in this block comes before what is in the next
    failure.rethrow();
    if (block.is_last) return;
    require_lines(listed.path, next);
    std::swap(block, next);
    text = block.text();
  }
}

std::int64_t line_of(const std::string& path, std::int64_t offset) {
  const std::unique_ptr<ByteSource> source = open_byte_source(path);
  std::vector<char> bytes(1 << 16);
  std::int64_t lines = 1;
  while (offset > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(offset, std::ssize(bytes)));
    const std::size_t got = source->read(std::as_writable_bytes(std::span(bytes).first(wanted)));
    lines += std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got), '\n');
    if (got < wanted) break;
    offset -= static_cast<std::int64_t>(got);
  }
  return lines;
}

}  // namespace isobath
