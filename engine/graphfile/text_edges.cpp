// SPDX-License-Identifier: Apache-2.0
#include "graphfile/text_edges.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace isobath {
namespace {

constexpr bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }
constexpr bool ends_word(char letter) { return letter == '\n' || is_blank(letter); }

/// The word at `at`, printable and short enough for a sentence.
std::string word_at(const char* at) {
  std::string word;
  for (; !ends_word(*at) && word.size() < 24; ++at) word += *at > ' ' && *at < 127 ? *at : '?';
  return word;
}

/// A number of digits that fits no 64 bits needs so many.
constexpr std::ptrdiff_t safe_digits = 18;

/// A number of up to seven digits, all in one step: a loop over digits ends where nobody can foretell, once
/// for each vertex. 0 digits: eight or more, or none.
struct ShortNumber {
  std::uint64_t value = 0;
  int digits = 0;

  /// Of the eight characters at `at`.
  static ShortNumber at(const char* at) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    word ^= 0x3030303030303030;  // digits become 0 .. 9
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    const int digits = others == 0 ? 0 : std::countr_zero(others) / 8;
    if (digits == 0) return {};
    word <<= 64 - 8 * digits;        // in front of the digits, zeros
    word = 10 * word + (word >> 8);  // pairs, in every other byte
    constexpr std::uint64_t pair = 0x000000FF000000FF;
    word = (word & pair) * 0x000F424000000064 + (word >> 16 & pair) * 0x0000271000000001;
    return {word >> 32, digits};
  }
};

/// Goes through lines. Each step leaves at() behind what it took, or notes the problem and returns false. No
/// step passes the \n that ends every line, so none looks for the end of the text.
class LineParser {
 public:
  LineParser(std::string_view lines, const LineRules& rules, std::optional<TextProblem>& problem)
      : at_(lines.data()), end_(lines.data() + lines.size()), rules_(rules), problem_(problem) {}

  /// Goes to the first word of the next line that has one; false at the end.
  bool next_line() {
    while (at_ < end_) {
      skip_blanks();
      if (*at_ != '\n' && *at_ != '#' && *at_ != '%') return true;
      skip_line();
    }
    return false;
  }
  void skip_line() {
    at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_))) + 1;
  }

  bool vertex(GlobalVertex& id) {
    skip_blanks();
    const char* const first = at_;
    std::uint64_t value = 0;
    if (const ShortNumber number = end_ - at_ >= 8 ? ShortNumber::at(at_) : ShortNumber();
        number.digits > 0) {
      value = number.value;
      at_ += number.digits;
    } else {
      for (unsigned digit = digit_of(*at_); digit <= 9; digit = digit_of(*++at_)) value = 10 * value + digit;
    }
    if (at_ == first || !ends_word(*at_)) return no_vertex_number(first);
    constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (at_ - first > safe_digits && !fits(first)) value = limit;
    const std::uint64_t last = static_cast<std::uint64_t>(rules_.last_id);
    if (value > last || value < static_cast<std::uint64_t>(rules_.first_id)) return no_vertex_here(first);
    id = GlobalVertex{static_cast<std::int64_t>(value) - rules_.first_id};
    return true;
  }

  bool weight(float& weight) {
    skip_blanks();
    if (*at_ == '\n')
      return wrong(at_, "there is no weight after the two vertices; add one, or use --kernel bfs");
    const char* const first = at_;
    if (*at_ == '+') ++at_;
    // The word ends inside the text, so from_chars may see all of it.
    auto [end, error] = std::from_chars(at_, end_, weight);
    if (error == std::errc::result_out_of_range) {
      double wide = 0;  // too small for float is 0 or nearly; too large is caught below
      error = std::from_chars(at_, end_, wide).ec;
      weight = static_cast<float>(wide);
    }
    if (error == std::errc::invalid_argument || !ends_word(*end)) {
      return wrong(first, fmt::format("'{}' is no number; write the weight as in 0.25", word_at(first)));
    }
    at_ = end;
    if (rules_.absolute_weights) weight = std::abs(weight);
    if (error != std::errc() || !(weight >= 0) || !std::isfinite(weight)) {
      return wrong(first,
                   fmt::format("the weight {} is no length; shortest paths need finite single-precision "
                               "weights of at least 0, or use --kernel bfs",
                               word_at(first)));
    }
    return true;
  }

  bool end_of_line() {
    skip_blanks();
    if (*at_ == '\n') {
      ++at_;
      return true;
    }
    return wrong(at_,
                 fmt::format("'{}' follows where the line should end; say --format wel where it is a weight",
                             word_at(at_)));
  }

  bool rest_is_a_value() {
    skip_blanks();
    if (*at_ == '\n') return wrong(at_, "there is no value after the two vertices; correct the line");
    skip_line();
    return true;
  }

 private:
  static unsigned digit_of(char letter) { return static_cast<unsigned char>(letter) - unsigned{'0'}; }
  void skip_blanks() {
    while (is_blank(*at_)) ++at_;
  }
  bool fits(const char* first) const {
    std::int64_t value = 0;
    return std::from_chars(first, at_, value).ec == std::errc();
  }
  bool wrong(const char* at, std::string sentence) {
    problem_ = TextProblem{at, std::move(sentence)};
    return false;
  }
  bool no_vertex_number(const char* first) {
    if (*first == '\n') return wrong(first, "a vertex is missing; an edge is two numbers");
    return wrong(first,
                 fmt::format("'{}' is no vertex; vertices are whole numbers from {}, so number names first",
                             word_at(first), rules_.first_id));
  }
  bool no_vertex_here(const char* first) {
    return wrong(first, fmt::format("vertex {} is out of range; vertices here are {} to {}", word_at(first),
                                    rules_.first_id, rules_.last_id));
  }

  const char* at_;
  const char* end_;
  const LineRules& rules_;
  std::optional<TextProblem>& problem_;
};

/// "0 1\n" is the shortest line of an edge.
constexpr std::size_t shortest_line = 4;

}  // namespace

EdgePiece parse_edge_lines(std::string_view lines, const LineRules& rules,
                           std::optional<TextProblem>& problem) {
  using Weights = LineRules::Weights;
  const std::size_t capacity = lines.size() / shortest_line + 1;
  const auto edges = std::make_unique_for_overwrite<Edge[]>(capacity);
  const bool reads_weights = rules.weights == Weights::read;
  const auto weights = std::make_unique_for_overwrite<float[]>(reads_weights ? capacity : 0);
  LineParser parser(lines, rules, problem);
  std::size_t count = 0;
  while (parser.next_line()) {
    Edge& edge = edges[count];
    if (!parser.vertex(edge.u) || !parser.vertex(edge.v)) return {};
    if (reads_weights && !parser.weight(weights[count])) return {};
    if (rules.weights == Weights::skipped ? !parser.rest_is_a_value() : !parser.end_of_line()) return {};
    ++count;
  }
  return EdgePiece({edges.get(), count}, {weights.get(), reads_weights ? count : 0});
}

void read_edge_list(ListedEdges& listed, int part, int parts, LineRules::Weights weights) {
  listed.weighted = weights == LineRules::Weights::read;
  const LineRules rules{.weights = weights};
  read_lines(
      listed, part, parts, [](std::string_view, std::optional<TextProblem>&) { return std::size_t{0}; },
      [&](std::string_view lines, std::optional<TextProblem>& problem) {
        return parse_edge_lines(lines, rules, problem);
      });
}

}  // namespace isobath
