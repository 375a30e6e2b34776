// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <fstream>
#include <ios>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/vertex.hpp"
#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "graph500/kernel.hpp"
#include "graph500/protocol.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

/// Results for whoever wants to check them with a program of their own: parents as 64-bit little-endian
/// numbers, or distances as float32, in original order; those of search k begin at byte
/// sizeof(Value) * k * vertices. Every rank writes its part, so the file must lie where all of them see it.
template <class Value>
class ResultFile {
 public:
  /// Collective. What the file held is lost. @throws EnvironmentError where it cannot be written
  ResultFile(std::string path, const Communicator& world, const BlockPartition& partition)
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

  /// Own part of the results of one search. @throws EnvironmentError, for example when the disk is full
  void write(int search, std::span<const Value> values) {
    static_assert(std::endian::native == std::endian::little && std::is_trivially_copyable_v<Value>);
    constexpr auto bytes = static_cast<std::streamoff>(sizeof(Value));
    file_.seekp((std::int64_t{search} * num_vertices_ + first_) * bytes);
    file_.write(reinterpret_cast<const char*>(values.data()),
                static_cast<std::streamsize>(values.size()) * bytes);
    file_.flush();
    expect_written();
  }

 private:
  void expect_written() const {
    if (!file_) {
      throw EnvironmentError(
          fmt::format("cannot write the results to {}; free some space or name another file", path_));
    }
  }

  std::string path_;
  std::int64_t num_vertices_;
  std::int64_t first_;  // own vertices
  std::fstream file_;
};

/// The result files of a run, those that are wanted. Parents of the second kernel follow those of the first.
class ResultFiles {
 public:
  /// Collective. @throws EnvironmentError where one cannot be written
  ResultFiles(const Benchmark& benchmark, const Communicator& world, const BlockPartition& partition,
              int keys)
      : first_(benchmark.kernels().bfs ? Kernel::bfs : Kernel::sssp), keys_(keys) {
    if (!benchmark.parents_file.empty()) parents_.emplace(benchmark.parents_file, world, partition);
    if (!benchmark.distances_file.empty() && benchmark.kernels().sssp) {
      distances_.emplace(benchmark.distances_file, world, partition);
    }
  }

  /// Of search `index` of a kernel. @throws EnvironmentError
  void write(Kernel kernel, int index, const FoundTree& found) {
    if (parents_) parents_->write((kernel == first_ ? 0 : keys_) + index, found.parents);
    if (distances_ && has_distances(kernel)) distances_->write(index, found.distances);
  }

 private:
  Kernel first_;
  int keys_;
  std::optional<ResultFile<GlobalVertex>> parents_;
  std::optional<ResultFile<float>> distances_;
};

}  // namespace isobath
