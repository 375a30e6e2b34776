// SPDX-License-Identifier: Apache-2.0
#include "comm/calls/check.hpp"

#include <mpi.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace isobath {
namespace {

/// The class by its name in the standard: numbers differ between libraries, and so do their words
/// (MPICH 5.0.2 built for the standard ABI calls an invalid root an "Invalid group").
std::string_view name_of_class(int code) {
  const std::pair<int, std::string_view> names[] = {
      {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},
      {MPI_ERR_COUNT, "MPI_ERR_COUNT"},
      {MPI_ERR_TYPE, "MPI_ERR_TYPE"},
      {MPI_ERR_TAG, "MPI_ERR_TAG"},
      {MPI_ERR_COMM, "MPI_ERR_COMM"},
      {MPI_ERR_RANK, "MPI_ERR_RANK"},
      {MPI_ERR_REQUEST, "MPI_ERR_REQUEST"},
      {MPI_ERR_ROOT, "MPI_ERR_ROOT"},
      {MPI_ERR_GROUP, "MPI_ERR_GROUP"},
      {MPI_ERR_OP, "MPI_ERR_OP"},
      {MPI_ERR_ARG, "MPI_ERR_ARG"},
      {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
      {MPI_ERR_INTERN, "MPI_ERR_INTERN"},
      {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM"},
      {MPI_ERR_OTHER, "MPI_ERR_OTHER"},
      {MPI_ERR_PENDING, "MPI_ERR_PENDING"},
      {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS"},
  };
  int error_class = code;
  if (MPI_Error_class(code, &error_class) != MPI_SUCCESS) return "an unknown class";
  for (const auto& [value, name] : names) {
    if (value == error_class) return name;
  }
  return "another class";
}

/// The library's words in one line.
std::string words_of(int code) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) return "the library says no more";
  text.resize(static_cast<std::size_t>(length));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  throw MpiError(
      fmt::format("{} failed with {}: {}; look at what the other ranks say, and check the MPI installation",
                  call, name_of_class(code), words_of(code)));
}

void check_all(int code, std::span<const MPI_Status> statuses, const char* call) {
  if (code == MPI_SUCCESS) return;
  int error_class = code;
  MPI_Error_class(code, &error_class);
  if (error_class == MPI_ERR_IN_STATUS) {  // only then are the error fields set
    for (const MPI_Status& status : statuses) {
      if (status.MPI_ERROR != MPI_ERR_PENDING) check(status.MPI_ERROR, call);
    }
  }
  check(code, call);
}

}  // namespace isobath
