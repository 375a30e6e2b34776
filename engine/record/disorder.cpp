// SPDX-License-Identifier: Apache-2.0
#include "record/disorder.hpp"

#include <algorithm>

#include "record/letters.hpp"

namespace isobath::disorder {
namespace {

using namespace letters;

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

}  // namespace

std::optional<Part> find_identifier(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (const auto end = identifier_end(text, i)) return {{i, *end}};
  }
  return std::nullopt;
}

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

}  // namespace isobath::disorder
