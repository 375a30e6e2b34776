// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <fstream>
#include <ios>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/vertex.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

/// Parents for whoever wants to check them with a program of their own: 64-bit little-endian numbers in
/// original order; those of search k begin at byte 8 * k * vertices. Every rank writes its part, so the file
/// must lie where all of them see it.
class ParentsFile {
 public:
  /// Collective. What the file held is lost. @throws EnvironmentError where it cannot be written
  ParentsFile(std::string path, const Communicator& world, const BlockPartition& partition)
      : path_(std::move(path)),
        num_vertices_(partition.num_vertices()),
        first_(partition.first(world.rank())) {
    if (world.rank() == 0) {
      file_.open(path_, std::ios::binary | std::ios::out | std::ios::trunc);
      expect_written();
      file_.close();
    }
    world.barrier();
    file_.open(path_, std::ios::binary | std::ios::in | std::ios::out);
    expect_written();
  }

  /// Own parents of one search. @throws EnvironmentError, for example when the disk is full
  void write(int search, std::span<const GlobalVertex> parents) {
    static_assert(std::endian::native == std::endian::little && sizeof(GlobalVertex) == sizeof(std::int64_t));
    constexpr auto bytes = static_cast<std::streamoff>(sizeof(GlobalVertex));
    file_.seekp((std::int64_t{search} * num_vertices_ + first_) * bytes);
    file_.write(reinterpret_cast<const char*>(parents.data()),
                static_cast<std::streamsize>(parents.size()) * bytes);
    file_.flush();
    expect_written();
  }

 private:
  void expect_written() const {
    if (!file_) {
      throw EnvironmentError(
          fmt::format("cannot write the parents to {}; free some space or name another file", path_));
    }
  }

  std::string path_;
  std::int64_t num_vertices_;
  std::int64_t first_;  // own vertices
  std::fstream file_;
};

}  // namespace isobath
