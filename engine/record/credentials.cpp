// SPDX-License-Identifier: Apache-2.0
#include "record/credentials.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "record/disclosure_names.hpp"
#include "record/letters.hpp"

namespace isobath {
namespace {

using letters::is_blank;
using letters::is_digit;
using letters::is_letter;
using letters::lower;

namespace disorder {

using namespace letters;

/// Begin and end of a part of a text.
using Part = std::pair<std::size_t, std::size_t>;

constexpr std::size_t longest_free = 24;  // letters and digits up to here are none of a key
constexpr std::size_t longest_free_of_one_case = 32;
constexpr double least_changes = 0.4;  // of kind between neighbours: random text has 0.6, words 0.3 at most
constexpr double least_changes_of_one_case = 0.2;
constexpr std::ptrdiff_t least_of_each = 6;
constexpr std::ptrdiff_t least_of_each_in_hexadecimal = 4;

enum class Kind { upper, lower, digit, other };

Kind kind(char c) {
  if (is_digit(c)) return Kind::digit;
  if (is_upper(c)) return Kind::upper;
  return is_lower(c) ? Kind::lower : Kind::other;
}

/// Share of neighbours that are of different kinds.
double changes(std::string_view text) {
  std::size_t found = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (kind(text[i - 1]) != kind(text[i])) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(std::max<std::size_t>(1, text.size() - 1));
}

bool is_mixed(std::string_view text) {
  return text.size() >= longest_free && std::ranges::any_of(text, is_upper) &&
         std::ranges::any_of(text, is_lower) && std::ranges::any_of(text, is_digit) &&
         changes(text) >= least_changes;
}

bool is_of_one_case(std::string_view text) {
  if (text.size() < longest_free_of_one_case || text.starts_with("0x") || text.starts_with("0X"))
    return false;
  if (std::ranges::any_of(text, is_upper) && std::ranges::any_of(text, is_lower)) return false;
  const std::ptrdiff_t digits = std::ranges::count_if(text, is_digit);
  const std::ptrdiff_t fewer = std::min(digits, std::ssize(text) - digits);
  if (std::ranges::all_of(text, is_hexadecimal)) return fewer >= least_of_each_in_hexadecimal;
  return fewer >= least_of_each && changes(text) >= least_changes_of_one_case;
}

bool is_of_key(char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '/' || c == '_' || c == '-'; }

/// Whether a predicate holds of a part between separators.
template <class IsPart, class Predicate>
bool any_part(std::string_view run, IsPart is_part, Predicate predicate) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= run.size(); ++i) {
    if (i < run.size() && is_part(run[i])) continue;
    if (predicate(run.substr(begin, i - begin))) return true;
    begin = i + 1;
  }
  return false;
}

bool is_disorder(std::string_view run) {
  if (!run.starts_with('/') && is_mixed(run)) return true;
  if (any_part(run, [](char c) { return c != '/'; }, is_mixed)) return true;
  const auto is_plain = [](char c) { return is_letter(c) || is_digit(c); };
  return run.find('/') == run.npos && any_part(run, is_plain, is_of_one_case);
}

/// Where a universally unique identifier ends that begins here.
std::optional<std::size_t> identifier_end(std::string_view text, std::size_t begin) {
  std::size_t place = begin;
  for (const std::size_t length : {8U, 4U, 4U, 4U, 12U}) {
    if (place != begin) {
      if (place >= text.size() || text[place] != '-') return std::nullopt;
      ++place;
    }
    for (std::size_t i = 0; i < length; ++i, ++place) {
      if (place >= text.size() || !is_hexadecimal(text[place])) return std::nullopt;
    }
  }
  return place;
}

/// The first universally unique identifier from a place on.
std::optional<Part> find_identifier(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (const auto end = identifier_end(text, i)) return {{i, *end}};
  }
  return std::nullopt;
}

/// The first run of letters and digits without order, as random keys are. Paths, names of several words,
/// numbers and masks are none.
std::optional<Part> find_run(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (!is_of_key(text[i])) continue;
    std::size_t end = i;
    while (end < text.size() && is_of_key(text[end])) ++end;
    if (is_disorder(text.substr(i, end - i))) return {{i, end}};
    i = end;
  }
  return std::nullopt;
}

}  // namespace disorder

bool is_of_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-'; }
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Whether the name says so whatever stands around the word: MYTOKEN2, accessKey.
bool is_plain_of(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) plain += lower(c);
  }
  return std::ranges::any_of(disclosure::credential_parts,
                             [&](std::string_view part) { return plain.find(part) != plain.npos; });
}

bool has_credential_word(std::string_view name) {
  std::string word;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const bool is_part = i < name.size() && (is_letter(name[i]) || is_digit(name[i]));
    const bool is_hump = is_part && i > 0 && letters::is_upper(name[i]) && letters::is_lower(name[i - 1]);
    if (!is_part || is_hump) {
      if (std::ranges::find(disclosure::credential_words, word) != std::end(disclosure::credential_words))
        return true;
      word.clear();
    }
    if (is_part) word += lower(name[i]);
  }
  return false;
}

using disorder::Part;

/// The text with the parts left out that a search finds, one after the other.
std::string replaced(std::string_view text,
                     const std::function<std::optional<Part>(std::string_view, std::size_t)>& next) {
  std::string result;
  std::size_t place = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::optional<Part> part = next(text, from);
    if (!part) break;
    result += text.substr(place, part->first - place);
    result += left_out;
    place = part->second;
    from = std::max(part->second, from + 1);
  }
  result += text.substr(place);
  return result;
}

std::optional<Part> private_text(std::string_view text, std::size_t from) {
  const std::size_t begin = text.find("-----BEGIN ", from);
  if (begin == text.npos) return std::nullopt;
  const std::size_t last = text.find("-----END", begin);
  const std::size_t end = last == text.npos ? last : text.find("-----", last + 8);
  return Part{begin, end == text.npos ? text.size() : end + 5};
}

std::optional<Part> user_of_address(std::string_view text, std::size_t from) {
  for (std::size_t slashes = text.find("://", from); slashes != text.npos;
       slashes = text.find("://", slashes + 3)) {
    const std::size_t begin = slashes + 3;
    const std::size_t last = text.find_first_of("/?#\"'<>\\ \t\n\r\f\v", begin);
    const std::size_t at = text.substr(0, last).rfind('@');
    if (at != text.npos && at >= begin) return Part{begin, at};
  }
  return std::nullopt;
}

/// Where a word begins that is written in letters of any kind; npos for nowhere.
std::size_t find_any_case(std::string_view text, std::string_view word, std::size_t from) {
  const auto equal = [](char a, char b) { return lower(a) == b; };
  const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), word.begin(),
                                 word.end(), equal);
  return found == text.end() ? text.npos : static_cast<std::size_t>(found - text.begin());
}

std::optional<Part> authorization(std::string_view text, std::size_t from) {
  constexpr std::string_view word = "authorization:";
  for (std::size_t at = find_any_case(text, word, from); at != text.npos;
       at = find_any_case(text, word, at + word.size())) {
    const std::size_t begin = text.find_first_not_of(" \t", at + word.size());
    if (begin == text.npos) return std::nullopt;
    const std::size_t end = std::min(text.find_first_of("\r\n\"'", begin), text.size());
    if (end > begin && !text.substr(begin).starts_with(left_out)) return Part{begin, end};
  }
  return std::nullopt;
}

std::optional<Part> bearer(std::string_view text, std::size_t from) {
  constexpr std::string_view word = "bearer";
  for (std::size_t at = find_any_case(text, word, from); at != text.npos;
       at = find_any_case(text, word, at + word.size())) {
    if (at > 0 && is_of_word(text[at - 1])) continue;
    std::size_t begin = at + word.size();
    if (begin >= text.size() || !is_blank(text[begin])) continue;
    while (begin < text.size() && is_blank(text[begin])) ++begin;
    const std::size_t end = std::min(text.find_first_of("\"',; \t\n\r\f\v", begin), text.size());
    if (end - begin >= 8 && !text.substr(begin).starts_with(left_out)) return Part{begin, end};
  }
  return std::nullopt;
}

/// A value that begins at a place: in quotes, or up to what ends one.
Part value_at(std::string_view text, std::size_t begin) {
  if (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) {
    return {begin + 1, std::min(text.find(text[begin], begin + 1), text.size())};
  }
  return {begin, std::min(text.find_first_of("&;,\"'<>) \t\n\r\f\v", begin), text.size())};
}

/// NAME=VALUE, or NAME: VALUE where that is said of the sign.
std::optional<Part> named(std::string_view text, std::size_t from, char sign) {
  for (std::size_t i = from; i < text.size(); ++i) {
    const bool begins = is_letter(text[i]) || text[i] == '_';
    if (!begins || (i > 0 && is_of_name(text[i - 1]))) continue;
    std::size_t end = i;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::string_view name = text.substr(i, end - i);
    if (sign == ':' && end < text.size() && (text[end] == '"' || text[end] == '\'')) ++end;
    if (end >= text.size() || text[end] != sign) continue;
    std::size_t begin = end + 1;
    while (sign == ':' && begin < text.size() && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
    if (!(sign == '=' ? is_credential_name(name) : is_plain_of(name))) continue;
    const Part value = value_at(text, begin);
    const std::string_view words = text.substr(value.first, value.second - value.first);
    if (!words.empty() && !left_out.starts_with(words)) return value;
  }
  return std::nullopt;
}

std::optional<Part> known_begin(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (i > 0 && is_of_word(text[i - 1])) continue;
    for (const auto& [begin, least] : disclosure::credential_begins) {
      if (!text.substr(i).starts_with(begin)) continue;
      std::size_t end = i + begin.size();
      while (end < text.size() && is_of_name(text[end])) ++end;
      if (end - i - begin.size() >= least) return Part{i, end};
    }
  }
  return std::nullopt;
}

std::string one_pass(std::string_view text, Disorder disorder) {
  std::string result = replaced(text, private_text);
  result = replaced(result, user_of_address);
  result = replaced(result, authorization);
  result = replaced(result, bearer);
  for (const char sign : {'=', ':'}) {
    result = replaced(result,
                      [sign](std::string_view whole, std::size_t from) { return named(whole, from, sign); });
  }
  result = replaced(result, known_begin);
  if (disorder == Disorder::allowed) return result;
  return replaced(replaced(result, disorder::find_identifier), disorder::find_run);
}

}  // namespace

bool is_credential_name(std::string_view name) {
  if (std::ranges::find(disclosure::harmless, name) != std::end(disclosure::harmless)) return false;
  return has_credential_word(name) || is_plain_of(name);
}

std::string without_credentials(std::string_view text, Disorder disorder) {
  std::string result(text);
  for (int pass = 0; pass < most_passes; ++pass) {
    std::string next = one_pass(result, disorder);
    if (next == result) break;
    result = std::move(next);
  }
  return result;
}

}  // namespace isobath
