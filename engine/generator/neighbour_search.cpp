// SPDX-License-Identifier: Apache-2.0
#include "generator/neighbour_search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "base/bitmap.hpp"

namespace isobath {
namespace {

/// A few vertices to look for. The bitmap over the low bits of their labels, 8 KB, turns nearly all others
/// away.
class Wanted {
 public:
  explicit Wanted(std::span<const GlobalVertex> vertices) : found_(vertices.size(), 0) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      set_bit(low_bits_, low_bits_of(vertices[i]));
      index_.emplace(raw(vertices[i]), i);
    }
  }

  /// Notes that a vertex has a neighbour; by any thread.
  void note(GlobalVertex vertex) {
    if (!test_bit(low_bits_, low_bits_of(vertex))) return;
    const auto entry = index_.find(raw(vertex));
    if (entry == index_.end()) return;
    std::atomic_ref<char> is_found(found_[entry->second]);
    if (is_found.exchange(1, std::memory_order_relaxed) == 0)
      num_found_.fetch_add(1, std::memory_order_relaxed);
  }

  bool all_found() const { return num_found_.load(std::memory_order_relaxed) == found_.size(); }
  const std::vector<char>& found() const { return found_; }

 private:
  static constexpr std::size_t filter_bits = 1 << 16;
  static std::size_t low_bits_of(GlobalVertex vertex) {
    return static_cast<std::size_t>(raw(vertex)) % filter_bits;
  }

  std::array<Word, words_for(filter_bits)> low_bits_{};
  std::unordered_map<std::int64_t, std::size_t> index_;
  std::vector<char> found_;
  std::atomic<std::size_t> num_found_ = 0;
};

}  // namespace

std::vector<char> have_neighbours(const KroneckerGenerator& generator,
                                  std::span<const GlobalVertex> vertices) {
  constexpr std::int64_t batch = 8192;
  const std::int64_t num_edges = generator.parameters().num_edges();
  Wanted wanted(vertices);
#pragma omp parallel
  {
    std::vector<Edge> edges(batch);
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t first = 0; first < num_edges; first += batch) {
      if (wanted.all_found()) continue;
      const auto count = static_cast<std::size_t>(std::min(batch, num_edges - first));
      generator.edges(first, std::span(edges).first(count));
      for (std::size_t i = 0; i < count; ++i) {
        if (edges[i].u == edges[i].v) continue;
        wanted.note(edges[i].u);
        wanted.note(edges[i].v);
      }
    }
  }
  return wanted.found();
}

}  // namespace isobath
