// SPDX-License-Identifier: Apache-2.0
#include "record/disclosure.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "record/credentials.hpp"
#include "record/disclosure_names.hpp"
#include "record/letters.hpp"

namespace isobath {
namespace {

using namespace letters;

constexpr char mark = '\x01';  // left_out while words are taken apart: it holds a blank itself

template <class List>
bool lists(const List& list, std::string_view name) {
  return std::ranges::binary_search(list, name);
}

bool is_stored(std::string_view name) {
  return lists(disclosure::variables, name) && !is_credential_name(name);
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t place = 0;;) {
    const std::size_t found = text.find(from, place);
    result += text.substr(place, found == text.npos ? found : found - place);
    if (found == text.npos) return result;
    result += to;
    place = found + from.size();
  }
}

std::string marked(std::string_view text) { return replace_all(text, left_out, std::string(1, mark)); }
std::string unmarked(std::string_view text) { return replace_all(text, std::string(1, mark), left_out); }

std::string checked(std::string_view text, Disorder disorder = Disorder::removed) {
  return marked(without_credentials(unmarked(text), disorder));
}

std::string_view without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word;
}

bool is_name(std::string_view word) {
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  return !word.empty() && !is_digit(word.front()) && std::ranges::all_of(word, is_part);
}

bool is_capital_name(std::string_view word) { return is_name(word) && std::ranges::none_of(word, is_lower); }

/// NAME=VALUE, several with commas between; a part without a name belongs to the one before.
std::string assignments(std::string_view word) {
  std::string result;
  bool stored = true;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    const std::string_view part = word.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const bool assigns = equals != part.npos && is_name(name);
    if (assigns) stored = is_stored(name);
    if (assigns || stored) {
      if (begin > 0) result += ',';
      if (assigns) result.append(name).append("=");
      result += !stored ? std::string(1, mark) : checked(assigns ? part.substr(equals + 1) : part);
    }
    begin = end + 1;
  }
  return result;
}

std::vector<std::string> stored(const std::vector<std::string>& words);

std::string_view unquoted(std::string_view token) {
  const bool is_quoted = token.size() > 1 && (token.front() == '"' || token.front() == '\'');
  return is_quoted && token.back() == token.front() ? token.substr(1, token.size() - 2) : token;
}

enum class Quotes { hold_blanks, are_letters };

/// Where the word ends that begins at a place of a shell's line; a quote without another is a letter.
std::size_t token_end(std::string_view line, std::size_t place, Quotes quotes) {
  while (place < line.size() && !is_blank(line[place])) {
    const char c = line[place];
    const bool opens = quotes == Quotes::hold_blanks && (c == '"' || c == '\'');
    const std::size_t closing = opens ? line.find(c, place + 1) : place;
    place = closing == line.npos ? place + 1 : closing + 1;
  }
  return place;
}

/// A text with several words in it: a shell's line, perhaps with quoted lines in it.
std::string stored_line(std::string_view line, Quotes quotes) {
  std::vector<std::string_view> tokens;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < line.size();) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    const std::size_t end = token_end(line, i, quotes);
    tokens.push_back(line.substr(i, end - i));
    words.emplace_back(unquoted(tokens.back()));
    i = end;
  }
  const std::vector<std::string> kept = stored(words);
  std::string result;
  std::size_t place = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto begin = static_cast<std::size_t>(tokens[i].data() - line.data());
    const bool is_quoted = unquoted(tokens[i]).size() != tokens[i].size();
    result += line.substr(place, begin - place);
    if (is_quoted) result += tokens[i].front();
    result += kept[i];
    if (is_quoted) result += tokens[i].front();
    place = begin + tokens[i].size();
  }
  result += line.substr(place);
  return result;
}

/// Whether what is assigned to a name is left out.
bool is_hidden(std::string_view name) {
  return is_credential_name(without_dashes(name)) || (is_capital_name(name) && !is_stored(name));
}

std::string stored_word(std::string_view word);

/// The word inside of quotes with what is left out of it.
std::string within_quotes(std::string_view word) {
  return word.front() + stored_word(unquoted(word)) + word.front();
}

bool is_quoted(std::string_view word) { return unquoted(word).size() != word.size(); }

/// A word that holds others: a line for a shell, or a quoted one.
std::string stored_with_blanks(std::string_view word) {
  if (is_blank(word.front()) || token_end(word, 0, Quotes::hold_blanks) != word.size()) {
    return stored_line(word, Quotes::hold_blanks);
  }
  if (is_quoted(word)) return within_quotes(word);
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  if (equals != word.npos && is_name(without_dashes(name)) && is_quoted(word.substr(equals + 1))) {
    const std::string begin(word.substr(0, equals + 1));
    return is_hidden(name) ? begin + mark : begin + within_quotes(word.substr(equals + 1));
  }
  return stored_line(word, Quotes::are_letters);
}

/// One word by itself.
std::string stored_word(std::string_view word) {
  if (std::ranges::any_of(word, is_blank)) return stored_with_blanks(checked(word, Disorder::allowed));
  const std::size_t equals = word.find('=');
  if (equals == word.npos || equals + 1 == word.size()) return checked(word);
  const std::string_view name = word.substr(0, equals);
  const std::string_view value = word.substr(equals + 1);
  const std::string begin(word.substr(0, equals + 1));
  if (lists(disclosure::assigning_options, name)) return begin + assignments(value);
  if (value.front() == mark && value.find_first_not_of(";&|)", 1) == value.npos) return std::string(word);
  if (is_hidden(name)) return begin + mark;
  return is_name(without_dashes(name)) ? begin + checked(value) : checked(word);
}

/// What the next word is.
enum class Next { any, value, kept, variable, setting, parameter };

Next what_follows(std::string_view word) {
  if (lists(disclosure::setting_options, word)) return Next::setting;
  if (lists(disclosure::assigning_options, word)) return Next::variable;
  if (lists(disclosure::parameter_options, word)) return Next::parameter;
  const bool is_option = word.starts_with('-') && word.find('=') == word.npos;
  return is_option && is_credential_name(without_dashes(word)) ? Next::value : Next::any;
}

bool is_another_option(std::string_view word) {
  return word.starts_with("--") || (word.size() == 2 && word[0] == '-' && is_letter(word[1]));
}

std::vector<std::string> stored(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  Next next = Next::any;
  for (const std::string& word : words) {
    const bool assigns = word.find('=') != word.npos;
    if (next == Next::value && !is_another_option(word)) {
      result.emplace_back(1, mark);
      next = Next::any;
    } else if (next == Next::variable || (next == Next::setting && assigns)) {
      result.push_back(assignments(word));
      next = Next::any;
    } else {
      result.push_back(stored_word(word));
      if (next == Next::setting) {
        next = is_stored(word) ? Next::kept : Next::value;
      } else if (next == Next::parameter) {
        next = is_credential_name(word) ? Next::value : Next::kept;
      } else {
        next = next == Next::kept ? Next::any : what_follows(word);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> stored_words(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (const std::string& word : words) result.push_back(marked(word));
  for (int pass = 0; pass < most_passes; ++pass) {
    std::vector<std::string> next = stored(result);
    if (next == result) break;
    result = std::move(next);
  }
  for (std::string& word : result) word = unmarked(word);
  return result;
}

std::string stored_value(std::string_view name, std::string_view value) {
  const bool is_plain = is_stored(name) && without_credentials(value, Disorder::removed) == value;
  return std::string(is_plain ? value : left_out);
}

std::map<std::string, std::string> stored_variables(const char* const* environment) {
  std::map<std::string, std::string> found;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t equals = entry.find('=');
    if (equals == entry.npos) continue;
    const std::string_view name = entry.substr(0, equals);
    const bool is_of_mpi = lists(disclosure::variables_of_mpi, name) ||
                           std::ranges::any_of(disclosure::prefixes_of_mpi, [&](std::string_view prefix) {
                             return name.starts_with(prefix);
                           });
    if (is_of_mpi) found.emplace(name, stored_value(name, entry.substr(equals + 1)));
  }
  return found;
}

}  // namespace isobath
