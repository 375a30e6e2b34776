// SPDX-License-Identifier: Apache-2.0
// Texts in blocks and pieces, against a reader that takes one line after the other.
#include "graphfile/text_lines.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "graphfile/written_file.hpp"

namespace isobath::test {
namespace {

std::size_t no_header(std::string_view, std::optional<TextProblem>&) { return 0; }

/// A line is a number and blanks; the number becomes an edge to itself. "bad" is wrong.
EdgePiece parse_numbers(std::string_view lines, std::optional<TextProblem>& problem) {
  std::vector<Edge> edges;
  EXPECT_TRUE(lines.ends_with('\n')) << "lines are whole";
  for (std::size_t at = 0; at < lines.size() && !problem; at = lines.find('\n', at) + 1) {
    const std::string line(lines.substr(at, lines.find('\n', at) - at));
    if (line.starts_with("bad")) {
      problem = TextProblem{lines.data() + at, "it is bad"};
    } else if (!line.empty()) {
      const GlobalVertex number{std::stoll(line)};
      edges.push_back({number, number});
    }
  }
  return {edges, {}};
}

std::vector<std::int64_t> slowly_read(const std::string& text) {
  std::vector<std::int64_t> numbers;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) numbers.push_back(std::stoll(line));
  }
  return numbers;
}

std::vector<std::int64_t> numbers_of(const ListedEdges& listed) {
  std::vector<std::int64_t> numbers;
  for (const EdgePiece& piece : listed.pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i) numbers.push_back(isobath::raw(piece[i].u));
  }
  return numbers;
}

std::vector<std::int64_t> read_numbers(const std::string& content, int part = 0, int parts = 1) {
  const WrittenFile file(content);
  ListedEdges listed;
  listed.path = file.path();
  read_lines(listed, part, parts, no_header, parse_numbers);
  return numbers_of(listed);
}

/// Compresses so well that it comes in several blocks, whose pieces are lines of any length.
std::string text_of_blocks() {
  std::string text;
  for (int i = 0; text.size() < 3'000'000; ++i) {
    text += std::to_string(i) + std::string(static_cast<std::size_t>(i) % 7 * 40, ' ') + "\n";
    if (i % 5 == 0) text += "\n";
  }
  return text + "77";  // the last line does not end
}

std::string refusal_of(const std::string& content, int part = 0, int parts = 1) {
  const WrittenFile file(content);
  ListedEdges listed;
  listed.path = file.path();
  try {
    read_lines(listed, part, parts, no_header, parse_numbers);
  } catch (const EnvironmentError& error) {
    const std::string sentence = error.what();
    EXPECT_TRUE(sentence.starts_with(file.path())) << sentence;
    return sentence.substr(file.path().size());
  }
  return {};
}

TEST(TextLines, ComeAsTheTwinReadsThem) {
  for (const std::string& text :
       {std::string(), std::string("5"), std::string("5\n"), std::string("\n\n6\n\n7"), text_of_blocks()}) {
    const std::vector<std::int64_t> expected = slowly_read(text);
    EXPECT_EQ(read_numbers(text), expected);
    EXPECT_EQ(read_numbers(gzipped(text)), expected) << "in several blocks";
    EXPECT_EQ(read_numbers(zstd_compressed(text)), expected);
  }
}

TEST(TextLines, EveryPieceIsOfOnePart) {
  const std::string text = gzipped(text_of_blocks());
  const std::vector<std::int64_t> expected = slowly_read(text_of_blocks());
  for (const int parts : {2, 3, 50}) {
    std::multiset<std::int64_t> together;
    for (int part = 0; part < parts; ++part) {
      for (const std::int64_t number : read_numbers(text, part, parts)) together.insert(number);
    }
    EXPECT_EQ(together, std::multiset<std::int64_t>(expected.begin(), expected.end())) << parts;
  }
}

TEST(TextLines, AHeaderIsTakenOff) {
  const WrittenFile file("head of it\n1\n2\n");
  ListedEdges listed;
  listed.path = file.path();
  std::string seen;
  const ReadHeader take_line = [&](std::string_view first_block, std::optional<TextProblem>&) {
    seen = first_block;
    return first_block.find('\n') + 1;
  };
  read_lines(listed, 0, 1, take_line, parse_numbers);
  EXPECT_EQ(seen, "head of it\n1\n2\n");
  EXPECT_EQ(numbers_of(listed), (std::vector<std::int64_t>{1, 2}));

  ListedEdges refused;
  refused.path = file.path();
  const ReadHeader refuse = [](std::string_view first_block, std::optional<TextProblem>& problem) {
    problem = TextProblem{first_block.data() + 11, "no such header"};
    return std::size_t{0};
  };
  try {
    read_lines(refused, 0, 1, refuse, parse_numbers);
    FAIL() << "the header was refused";
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(error.what(), file.path() + ", line 2: no such header");
  }
}

/// The first of the text, whichever thread meets one first.
TEST(TextLines, NameTheFirstLineThatIsWrong) {
  EXPECT_EQ(refusal_of("1\n\nbad\nbad\n"), ", line 3: it is bad");
  EXPECT_EQ(refusal_of("1\nbad"), ", line 2: it is bad");
  std::string text = text_of_blocks();
  text.insert(text.find('\n', 2'500'000) + 1, "bad\n");
  const std::size_t first = text.find('\n', 1'500'000) + 1;
  text.insert(first, "bad\n");
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), '\n');
  const std::string expected = ", line " + std::to_string(line) + ": it is bad";
  EXPECT_EQ(refusal_of(text), expected);
  EXPECT_EQ(refusal_of(gzipped(text)), expected);
}

/// A part looks at its own pieces alone; of several parts one meets what is wrong.
TEST(TextLines, WhatIsWrongIsToldByThePartThatHasIt) {
  std::string text = text_of_blocks();
  text.insert(text.find('\n', 1'500'000) + 1, "bad\n");
  int refused = 0;
  for (int part = 0; part < 3; ++part) refused += refusal_of(text, part, 3).empty() ? 0 : 1;
  EXPECT_EQ(refused, 1);
}

TEST(TextLines, RefuseALineLongerThanABlock) {
  const std::string found = refusal_of(gzipped(std::string(1'000'000, '1')));
  EXPECT_NE(found.find(" has a line of more than "), std::string::npos) << found;
}

TEST(TextLines, LineOfCountsLineEnds) {
  const std::string text = "ab\n\nc\n" + std::string(70'000, 'x') + "\nlast";
  for (const std::string& content : {text, gzipped(text)}) {
    const WrittenFile file(content);
    for (const std::size_t offset : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 65'536U, 70'006U, 70'007U, 70'010U}) {
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
      EXPECT_EQ(line_of(file.path(), static_cast<std::int64_t>(offset)),
                1 + std::count(text.begin(), end, '\n'))
          << offset;
    }
    EXPECT_EQ(line_of(file.path(), 1'000'000), 5) << "beyond the end: the last";
  }
}

}  // namespace
}  // namespace isobath::test
