// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/control_variables.hpp"

#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "comm/calls/check.hpp"

namespace isobath {
namespace {

struct Description {
  std::string name;
  std::string text;
  int index = -1;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum items = MPI_T_ENUM_NULL;
  int scope = MPI_T_SCOPE_CONSTANT;
  int bind = MPI_T_BIND_NO_OBJECT;
};

/// Absent where the library keeps the place of a variable that it no longer has.
std::optional<Description> describe(int index) {
  Description found;
  int name_length = 0;
  int text_length = 0;
  int verbosity = 0;
  // A length of 0 asks for the length.
  int code = MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &found.type, &found.items, nullptr,
                                 &text_length, &found.bind, &found.scope);
  if (code != MPI_SUCCESS || name_length < 1) return std::nullopt;
  std::string name(static_cast<std::size_t>(name_length), '\0');
  std::string text(static_cast<std::size_t>(text_length) + 1, '\0');
  code = MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &found.type, &found.items,
                             text.data(), &text_length, &found.bind, &found.scope);
  if (code != MPI_SUCCESS) return std::nullopt;
  found.name = name.c_str();
  found.text = text.c_str();
  found.index = index;
  return found;
}

int number_of_variables() {
  int number = 0;
  return MPI_T_cvar_get_num(&number) == MPI_SUCCESS ? number : 0;
}

std::optional<Description> described(std::string_view name) {
  int index = -1;
  if (MPI_T_cvar_get_index(std::string(name).c_str(), &index) != MPI_SUCCESS) return std::nullopt;
  return describe(index);
}

/// A handle of one variable while it lasts.
class Handle {
 public:
  explicit Handle(const Description& variable) {
    if (variable.bind != MPI_T_BIND_NO_OBJECT) return;
    if (MPI_T_cvar_handle_alloc(variable.index, nullptr, &handle_, &count_) != MPI_SUCCESS) {
      handle_ = MPI_T_CVAR_HANDLE_NULL;
    }
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (handle_ != MPI_T_CVAR_HANDLE_NULL) MPI_T_cvar_handle_free(&handle_);
  }
  bool is_valid() const { return handle_ != MPI_T_CVAR_HANDLE_NULL; }
  int count() const { return count_; }
  int read(void* value) const { return MPI_T_cvar_read(handle_, value); }
  int write(const void* value) const { return MPI_T_cvar_write(handle_, value); }

 private:
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
  int count_ = 0;
};

struct Item {
  int value = 0;
  std::string name;
};

/// MPICH has no enumerations, but describes its algorithms one a line ("ring   - Force ring algorithm");
/// their numbers are their places from 0. A test holds these against what the library makes of their names.
std::vector<Item> described_items(const std::string& text) {
  constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::vector<Item> items;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find_first_not_of(of_names);
    if (end == std::string::npos || end == 0 || line[end] != ' ') continue;
    const std::size_t dash = line.find_first_not_of(' ', end);
    if (dash == std::string::npos || line.compare(dash, 2, "- ") != 0) continue;
    items.push_back({.value = static_cast<int>(items.size()), .name = line.substr(0, end)});
  }
  return items;
}

std::vector<Item> enumerated_items(MPI_T_enum enumeration) {
  std::vector<Item> items;
  int number = 0;
  int length = 0;
  if (MPI_T_enum_get_info(enumeration, &number, nullptr, &length) != MPI_SUCCESS) return items;
  for (int i = 0; i < number; ++i) {
    Item item;
    length = 0;
    if (MPI_T_enum_get_item(enumeration, i, &item.value, nullptr, &length) != MPI_SUCCESS || length < 1) {
      continue;
    }
    std::string name(static_cast<std::size_t>(length), '\0');
    if (MPI_T_enum_get_item(enumeration, i, &item.value, name.data(), &length) != MPI_SUCCESS) continue;
    item.name = name.c_str();
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<Item> items_of(const Description& variable) {
  if (variable.items != MPI_T_ENUM_NULL) return enumerated_items(variable.items);
  return variable.type == MPI_INT ? described_items(variable.text) : std::vector<Item>();
}

/// How a variable's number lies in memory.
template <class Number>
std::optional<std::int64_t> read_number(const Handle& handle) {
  std::vector<Number> values(static_cast<std::size_t>(std::max(handle.count(), 1)), 0);
  if (handle.read(values.data()) != MPI_SUCCESS) return std::nullopt;
  return static_cast<std::int64_t>(values[0]);
}

std::optional<std::int64_t> number_in(const Description& variable, const Handle& handle) {
  if (variable.type == MPI_INT) return read_number<int>(handle);
  if (variable.type == MPI_UNSIGNED) return read_number<unsigned>(handle);
  if (variable.type == MPI_C_BOOL) return read_number<unsigned char>(handle);
  if (variable.type == MPI_UNSIGNED_LONG) return read_number<unsigned long>(handle);
  if (variable.type == MPI_UNSIGNED_LONG_LONG) return read_number<unsigned long long>(handle);
  if (variable.type == MPI_COUNT) return read_number<MPI_Count>(handle);
  return std::nullopt;
}

std::optional<std::string> value_of(const Description& variable, const Handle& handle) {
  if (!handle.is_valid()) return std::nullopt;
  if (variable.type == MPI_CHAR) {
    std::string text(static_cast<std::size_t>(std::max(handle.count(), 1)) + 1, '\0');
    if (handle.read(text.data()) != MPI_SUCCESS) return std::nullopt;
    return std::string(text.c_str());
  }
  const std::optional<std::int64_t> number = number_in(variable, handle);
  if (!number) return std::nullopt;
  for (const Item& item : items_of(variable)) {
    if (item.value == *number) return item.name;
  }
  return std::to_string(*number);
}

std::optional<std::int64_t> number_from(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The number that a text stands for: an item's name, or itself.
std::optional<std::int64_t> number_for(const Description& variable, const std::string& value) {
  const std::vector<Item> items = items_of(variable);
  for (const Item& item : items) {
    if (item.name == value) return item.value;
  }
  return number_from(value);
}

int write_value(const Description& variable, const Handle& handle, const std::string& value) {
  if (variable.type == MPI_CHAR) {
    std::vector<char> text(std::max(static_cast<std::size_t>(std::max(handle.count(), 1)), value.size() + 1),
                           '\0');
    std::copy(value.begin(), value.end(), text.begin());
    return handle.write(text.data());
  }
  const std::optional<std::int64_t> number = number_for(variable, value);
  if (!number) return MPI_T_ERR_INVALID_ITEM;
  std::uint64_t room = 0;
  static_assert(sizeof(room) >= sizeof(MPI_Count));
  if (variable.type == MPI_INT || variable.type == MPI_UNSIGNED) {
    const auto small = static_cast<std::uint32_t>(*number);
    std::memcpy(&room, &small, sizeof small);
  } else if (variable.type == MPI_C_BOOL) {
    const auto smallest = static_cast<unsigned char>(*number != 0);
    std::memcpy(&room, &smallest, sizeof smallest);
  } else {
    room = static_cast<std::uint64_t>(*number);
  }
  return handle.write(&room);
}

bool is_writable(int scope) { return scope != MPI_T_SCOPE_CONSTANT && scope != MPI_T_SCOPE_READONLY; }

}  // namespace

ControlVariables::ControlVariables() {
  int granted = 0;
  check(MPI_T_init_thread(MPI_THREAD_SINGLE, &granted), "MPI_T_init_thread");
}

ControlVariables::~ControlVariables() { MPI_T_finalize(); }

std::vector<std::string> ControlVariables::names() const {
  std::vector<std::string> all;
  for (int index = 0; index < number_of_variables(); ++index) {
    if (const std::optional<Description> variable = describe(index)) all.push_back(variable->name);
  }
  return all;
}

std::optional<ControlVariable> ControlVariables::find(std::string_view name) const {
  const std::optional<Description> variable = described(name);
  if (!variable) return std::nullopt;
  const Handle handle(*variable);
  const std::optional<std::string> value = value_of(*variable, handle);
  if (!value) return std::nullopt;
  ControlVariable found;
  found.name = variable->name;
  found.value = *value;
  for (const Item& item : items_of(*variable)) found.choices.push_back(item.name);
  found.is_writable = is_writable(variable->scope);
  return found;
}

std::optional<std::string> ControlVariables::write(const std::string& name, const std::string& value) const {
  const std::optional<ControlVariable> before = find(name);
  if (!before) return fmt::format("needs the control variable {}, which this MPI library has not", name);
  if (!before->is_writable) {
    return fmt::format(
        "needs the control variable {} to be set while MPI runs, which this MPI library does "
        "not allow: set it for the launch",
        name);
  }
  const std::optional<Description> variable = described(name);
  const bool is_choice = before->choices.empty() || std::ranges::count(before->choices, value) != 0 ||
                         number_from(value).has_value();
  if (!is_choice) {
    return fmt::format("needs '{}' among the values of {}, which are {}", value, name,
                       fmt::join(before->choices, ", "));
  }
  const Handle handle(*variable);
  const bool is_written = handle.is_valid() && write_value(*variable, handle, value) == MPI_SUCCESS;
  const std::optional<std::string> after = value_of(*variable, handle);
  const bool is_the_same =
      after && (*after == value || number_for(*variable, *after) == number_for(*variable, value));
  if (is_written && is_the_same) return std::nullopt;
  return fmt::format("needs {} to be {}, but it reads {} after it was written", name, value,
                     after.value_or("nothing"));
}

}  // namespace isobath
