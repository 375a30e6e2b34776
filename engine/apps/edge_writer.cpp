// SPDX-License-Identifier: Apache-2.0
#include "apps/edge_writer.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <exception>
#include <span>
#include <vector>

#include "base/threads.hpp"

namespace isobath {
namespace {

static_assert(std::endian::native == std::endian::little, "the files' byte order is that of memory");

constexpr std::int64_t piece = 1 << 15;  // edges one thread generates at a time

/// Consecutive edges, complete before they are written.
struct Round {
  explicit Round(std::int64_t capacity)
      : edges(static_cast<std::size_t>(capacity)), weights(static_cast<std::size_t>(capacity)) {}

  void write(OutputFile* edge_file, OutputFile* weight_file) const {
    if (edge_file != nullptr) edge_file->write(std::as_bytes(std::span(edges).first(size)));
    if (weight_file != nullptr) weight_file->write(std::as_bytes(std::span(weights).first(size)));
  }

  std::vector<Edge> edges;
  std::vector<float> weights;
  std::size_t size = 0;
};

}  // namespace

void write_edges(const KroneckerGenerator& generator, std::int64_t first, std::int64_t count,
                 OutputFile* edges, OutputFile* weights) {
  const std::int64_t capacity = piece * 4 * max_threads();
  Round written(capacity);
  Round filled(capacity);
  std::exception_ptr failure;
  for (std::int64_t done = 0; done < count && !failure; done += capacity) {
    filled.size = static_cast<std::size_t>(std::min(capacity, count - done));
    const auto size = static_cast<std::int64_t>(filled.size);
#pragma omp parallel
    {
#pragma omp master
      {
        try {
          written.write(edges, weights);
        } catch (...) {
          failure = std::current_exception();
        }
      }
#pragma omp for schedule(dynamic, 1)
      for (std::int64_t at = 0; at < size; at += piece) {
        const auto begin = static_cast<std::size_t>(at);
        const auto length = static_cast<std::size_t>(std::min(piece, size - at));
        generator.edges(first + done + at, std::span(filled.edges).subspan(begin, length),
                        std::span(filled.weights).subspan(begin, weights == nullptr ? 0 : length));
      }
    }
    std::swap(written, filled);
  }
  if (failure) std::rethrow_exception(failure);
  written.write(edges, weights);
}

}  // namespace isobath
