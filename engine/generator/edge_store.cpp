// SPDX-License-Identifier: Apache-2.0
#include "generator/edge_store.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/arena.hpp"
#include "base/error.hpp"
#include "base/expects.hpp"
#include "base/threads.hpp"
#include "generator/edge_file.hpp"

namespace isobath {
namespace {

constexpr std::array<std::string_view, 3> storage_names = {"memory", "file", "regenerate"};

void generate(const KroneckerGenerator& generator, std::int64_t first, std::span<CompactEdge> edges) {
  generator.compact(first, edges);
}
void generate(const KroneckerGenerator& generator, std::int64_t first, std::span<PackedEdge> edges) {
  generator.packed(first, edges);
}

template <class Stored>
void unpack(const Stored* from, std::span<Edge> edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = unpacked(from[i]);
}

class StoredShare : public EdgeStream {
 public:
  StoredShare(const KroneckerParameters& parameters, int rank, int ranks)
      : num_vertices_(parameters.num_vertices()), share_(edge_share(parameters.num_edges(), rank, ranks)) {}

  std::int64_t size() const override { return share_.second - share_.first; }
  std::int64_t num_vertices() const override { return num_vertices_; }

 protected:
  /// Index of the edge at position 0.
  std::int64_t first() const { return share_.first; }
  void expect_inside(std::int64_t first, std::span<const Edge> edges) const {
    ISOBATH_EXPECTS(first >= 0 && first + std::ssize(edges) <= size());
  }

 private:
  std::int64_t num_vertices_;
  std::pair<std::int64_t, std::int64_t> share_;
};

template <class Stored>
class EdgesInMemory final : public StoredShare {
 public:
  EdgesInMemory(const KroneckerGenerator& generator, int rank, int ranks)
      : StoredShare(generator.parameters(), rank, ranks), edges_(static_cast<std::size_t>(size())) {
    // Whole huge pages to each thread, so that a page lies where the thread is that will read it.
    constexpr std::int64_t granule = 1 << 18;
#pragma omp parallel
    {
      const auto [begin, end] = static_share(size(), thread_id(), isobath::num_threads(), granule);
      if (begin < end) {
        generate(
            generator, first() + begin,
            edges_.span().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
      }
    }
  }

  void read(std::int64_t first, std::span<Edge> edges) const override {
    expect_inside(first, edges);
    unpack(edges_.data() + first, edges);
  }

 private:
  LargeArray<Stored> edges_;
};

template <class Stored>
class EdgesInFile final : public StoredShare {
 public:
  EdgesInFile(const KroneckerGenerator& generator, int rank, int ranks, const std::filesystem::path& folder)
      : StoredShare(generator.parameters(), rank, ranks), file_(folder / fmt::format("edges.{}", rank)) {
    std::exception_ptr failure;
    std::atomic<bool> has_failed = false;
#pragma omp parallel
    {
      std::vector<Stored> block(block_edges);
#pragma omp for schedule(dynamic, 1)
      for (std::int64_t at = 0; at < size(); at += block_edges) {
        if (has_failed.load(std::memory_order_relaxed)) continue;
        try {
          const auto count = static_cast<std::size_t>(std::min(block_edges, size() - at));
          generate(generator, first() + at, std::span(block).first(count));
          file_.write(at * stored_bytes, std::as_bytes(std::span(block).first(count)));
        } catch (...) {
          if (!has_failed.exchange(true)) failure = std::current_exception();
        }
      }
    }
    if (failure) std::rethrow_exception(failure);
    file_.flush();
  }

  void read(std::int64_t first, std::span<Edge> edges) const override {
    expect_inside(first, edges);
    std::array<Stored, 1024> batch;
    for (std::size_t at = 0; at < edges.size(); at += batch.size()) {
      const std::span<Edge> wanted = edges.subspan(at, std::min(batch.size(), edges.size() - at));
      file_.read((first + static_cast<std::int64_t>(at)) * stored_bytes,
                 std::as_writable_bytes(std::span(batch).first(wanted.size())));
      unpack(batch.data(), wanted);
    }
  }

 private:
  static constexpr std::int64_t block_edges = 1 << 17;  // 1 to 1.5 MiB a write
  static constexpr std::int64_t stored_bytes = sizeof(Stored);

  EdgeFile file_;
};

class EdgesRegenerated final : public StoredShare {
 public:
  EdgesRegenerated(const KroneckerGenerator& generator, int rank, int ranks)
      : StoredShare(generator.parameters(), rank, ranks), generator_(generator) {}

  void read(std::int64_t first, std::span<Edge> edges) const override {
    expect_inside(first, edges);
    generator_.edges(this->first() + first, edges);
  }

 private:
  KroneckerGenerator generator_;
};

template <class Stored>
std::unique_ptr<EdgeStream> make_stored(EdgeStorage storage, const KroneckerGenerator& generator, int rank,
                                        int ranks, const std::filesystem::path& folder) {
  if (storage == EdgeStorage::memory) return std::make_unique<EdgesInMemory<Stored>>(generator, rank, ranks);
  return std::make_unique<EdgesInFile<Stored>>(generator, rank, ranks, folder);
}

}  // namespace

std::string_view name_of(EdgeStorage storage) { return storage_names[static_cast<std::size_t>(storage)]; }

EdgeStorage parse_edge_storage(std::string_view name) {
  for (std::size_t i = 0; i < storage_names.size(); ++i) {
    if (name == storage_names[i]) return static_cast<EdgeStorage>(i);
  }
  throw UsageError(fmt::format("'{}' is no place for edges; choose memory, file or regenerate", name));
}

std::unique_ptr<EdgeStream> make_edge_store(EdgeStorage storage, const KroneckerParameters& parameters,
                                            int rank, int ranks, const std::filesystem::path& folder,
                                            InstructionSet set) {
  const KroneckerGenerator generator(parameters, set);
  if (storage == EdgeStorage::regenerate) return std::make_unique<EdgesRegenerated>(generator, rank, ranks);
  if (stored_bytes_per_edge(parameters) == sizeof(CompactEdge)) {
    return make_stored<CompactEdge>(storage, generator, rank, ranks, folder);
  }
  return make_stored<PackedEdge>(storage, generator, rank, ranks, folder);
}

}  // namespace isobath
