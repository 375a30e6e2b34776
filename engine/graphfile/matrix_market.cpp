// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphfile/text_edges.hpp"

namespace isobath {
namespace {

/// What the first lines say.
struct Banner {
  std::string field;
  std::string symmetry;
  std::int64_t size = 0;  // rows, which are as many as columns
  std::int64_t entries = 0;
};

constexpr std::string_view blanks = " \t\r";

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string_view::npos) return words;
    line.remove_prefix(first);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

/// Takes the header of a text, line by line.
class BannerReader {
 public:
  BannerReader(std::string_view text, std::optional<TextProblem>& problem)
      : first_(text.data()), text_(text), problem_(problem) {}

  Banner read() {
    Banner banner;
    if (read_kind(banner)) read_size(banner);
    return banner;
  }
  std::size_t taken() const { return static_cast<std::size_t>(text_.data() - first_); }

 private:
  bool read_kind(Banner& banner) {
    std::vector<std::string> words = words_of(next_line());
    for (std::string& word : words) {
      std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::tolower(letter); });
    }
    if (words.size() != 5 || words[0] != "%%matrixmarket") {
      return wrong(
          "a Matrix Market file begins with %%MatrixMarket matrix coordinate FIELD SYMMETRY; check "
          "--format");
    }
    if (words[1] != "matrix" || words[2] != "coordinate") {
      return wrong("only coordinate matrices are graphs; write the file as matrix coordinate");
    }
    if (!one_of(words[3], {"pattern", "real", "integer", "double"})) {
      return wrong("values of this field are no weights; write a pattern, real or integer matrix");
    }
    if (!one_of(words[4], {"general", "symmetric", "skew-symmetric"})) {
      return wrong("this symmetry is none of general, symmetric and skew-symmetric; correct the first line");
    }
    banner.field = words[3];
    banner.symmetry = words[4];
    return true;
  }

  static bool one_of(const std::string& word, std::initializer_list<std::string_view> known) {
    return std::ranges::find(known, word) != known.end();
  }

  bool read_size(Banner& banner) {
    std::vector<std::string> words;
    while (words.empty()) {
      if (text_.empty())
        return wrong("the file ends before the line of rows, columns and entries; copy it again");
      const std::string_view line = next_line();
      if (!line.starts_with('%')) words = words_of(line);
    }
    std::array<std::int64_t, 3> numbers{};
    bool right = words.size() == numbers.size();
    for (std::size_t i = 0; right && i < numbers.size(); ++i) {
      const std::string& word = words[i];
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), numbers[i]);
      right = error == std::errc() && end == word.data() + word.size() && numbers[i] >= 0;
    }
    if (!right) return wrong("here should be the numbers of rows, columns and entries; correct the line");
    if (numbers[0] != numbers[1]) {
      return wrong("a matrix of a graph has as many rows as columns; make it square first");
    }
    banner.size = numbers[0];
    banner.entries = numbers[2];
    return true;
  }

  std::string_view next_line() {
    at_ = text_.data();
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return line;
  }
  bool wrong(const char* sentence) {
    problem_ = TextProblem{at_, sentence};
    return false;
  }

  const char* first_;
  std::string_view text_;
  const char* at_ = first_;  // the line that was taken last
  std::optional<TextProblem>& problem_;
};

}  // namespace

void read_matrix_market(ListedEdges& listed, int part, int parts, bool wants_weights) {
  LineRules rules{.first_id = 1};
  const auto header = [&](std::string_view text, std::optional<TextProblem>& problem) {
    BannerReader reader(text, problem);
    const Banner banner = reader.read();
    rules.last_id = banner.size;
    if (banner.field != "pattern") {
      rules.weights = wants_weights ? LineRules::Weights::read : LineRules::Weights::skipped;
    }
    rules.absolute_weights = banner.symmetry == "skew-symmetric";
    listed.weighted = rules.weights == LineRules::Weights::read;
    listed.declared_vertices = banner.size;
    listed.declared_edges = banner.entries;
    return reader.taken();
  };
  read_lines(listed, part, parts, header, [&](std::string_view lines, std::optional<TextProblem>& problem) {
    return parse_edge_lines(lines, rules, problem);
  });
}

}  // namespace isobath
