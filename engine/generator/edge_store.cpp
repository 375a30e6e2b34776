// SPDX-License-Identifier: Apache-2.0
#include "generator/edge_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/arena.hpp"
#include "base/error.hpp"
#include "base/expects.hpp"
#include "base/threads.hpp"
#include "generator/narrow_edges.hpp"

namespace isobath {
namespace {

constexpr std::array<std::string_view, 3> storage_names = {"memory", "file", "regenerate"};

constexpr int compact_scale = 32;  // the largest whose vertices have 32 bits

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
  const char* remedy = "name another folder with --edge-folder, or use --edges regenerate";
  if (error == EEXIST) remedy = "remove it, or name another folder with --edge-folder";
  throw EnvironmentError(
      fmt::format("cannot {} the edge file {} ({}); {}", what, path.string(), std::strerror(error), remedy));
}

/// A file without a name, for this process alone: made in a folder, taken out of it at once, gone with the
/// object. Any number of threads may read and write different parts.
class EdgeFile {
 public:
  /// @throws EnvironmentError where `path` exists already or cannot be made
  explicit EdgeFile(std::filesystem::path path);
  EdgeFile(const EdgeFile&) = delete;
  EdgeFile& operator=(const EdgeFile&) = delete;
  ~EdgeFile();

  /// Writes all of `bytes` at an offset. @throws EnvironmentError, for example when the disk is full
  void write(std::int64_t offset, std::span<const std::byte> bytes) const;
  /// Fills `bytes` from an offset. @throws EnvironmentError when they cannot be read, or fewer are there
  void read(std::int64_t offset, std::span<std::byte> bytes) const;
  /// Waits until the system has taken all that was written; some file systems say only here that they are
  /// full.
  void flush() const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

EdgeFile::EdgeFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) fail("create", path_, errno);
  if (unlink(path_.c_str()) != 0) {
    const int error = errno;
    close(descriptor_);
    fail("unlink", path_, error);
  }
}

EdgeFile::~EdgeFile() { close(descriptor_); }

void EdgeFile::write(std::int64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write", path_, written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += written;
  }
}

void EdgeFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = pread(descriptor_, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path_, errno);
    if (got == 0) {
      throw EnvironmentError(
          fmt::format("the edge file {} ends early, at byte {}; another program cut it short, run again",
                      path_.string(), offset));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

void EdgeFile::flush() const {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL) fail("write", path_, errno);
}

void generate(const KroneckerGenerator& generator, std::int64_t first, std::span<CompactEdge> edges,
              std::span<float> weights) {
  generator.compact(first, edges, weights);
}
void generate(const KroneckerGenerator& generator, std::int64_t first, std::span<PackedEdge> edges,
              std::span<float> weights) {
  generator.packed(first, edges, weights);
}

/// Elements first .. first + count - 1; none where there are none at all: weights that nobody wants.
template <class T>
std::span<T> part(std::span<T> all, std::int64_t first, std::int64_t count) {
  if (all.empty()) return all;
  return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

template <class Stored>
void unpack(const Stored* from, std::span<Edge> edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = unpacked(from[i]);
}

/// Those made without weights are handed out as streams that have none.
class StoredShare : public WeightedEdgeStream {
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
  void expect_inside(std::int64_t first, std::span<const Edge> edges, std::span<const float> weights) const {
    expect_inside(first, edges);
    ISOBATH_EXPECTS(edges.size() == weights.size());
  }

 private:
  std::int64_t num_vertices_;
  std::pair<std::int64_t, std::int64_t> share_;
};

/// Edges as they are generated, one after the other.
template <class Stored>
class PlainEdges {
 public:
  explicit PlainEdges(std::size_t size) : edges_(size) {}
  /// Generates those from index `first` on into positions at .. at + count - 1.
  void fill(const KroneckerGenerator& generator, std::int64_t first, std::int64_t at, std::int64_t count,
            std::span<float> weights) {
    generate(generator, first, part(edges_.span(), at, count), weights);
  }
  void read(std::int64_t first, std::span<Edge> edges) const { unpack(edges_.data() + first, edges); }

 private:
  LargeArray<Stored> edges_;
};

/// Edges in 7 bytes.
class NarrowRoom {
 public:
  explicit NarrowRoom(std::size_t size) : edges_(size) {}
  void fill(const KroneckerGenerator& generator, std::int64_t first, std::int64_t at, std::int64_t count,
            std::span<float> weights) {
    std::array<CompactEdge, 2048> block;
    constexpr auto most = static_cast<std::int64_t>(block.size());
    for (std::int64_t done = 0; done < count; done += most) {
      const std::int64_t now = std::min(most, count - done);
      const std::span<CompactEdge> edges = part(std::span<CompactEdge>(block), 0, now);
      generate(generator, first + done, edges, part(weights, done, now));
      edges_.write(static_cast<std::size_t>(at + done), edges);
    }
  }
  void read(std::int64_t first, std::span<Edge> edges) const {
    edges_.read(static_cast<std::size_t>(first), edges);
  }

 private:
  NarrowEdges edges_;
};

template <class Room>
class EdgesInMemory final : public StoredShare {
 public:
  EdgesInMemory(const KroneckerGenerator& generator, int rank, int ranks, bool weighted)
      : StoredShare(generator.parameters(), rank, ranks),
        edges_(static_cast<std::size_t>(size())),
        weights_(weighted ? static_cast<std::size_t>(size()) : 0) {
    // Large parts to each thread, so that nearly every page lies where the thread is that will read it.
    constexpr std::int64_t granule = 1 << 18;
#pragma omp parallel
    {
      const auto [begin, end] = static_share(size(), thread_id(), isobath::num_threads(), granule);
      if (begin < end) {
        edges_.fill(generator, first() + begin, begin, end - begin,
                    part(weights_.span(), begin, end - begin));
      }
    }
  }

  void read(std::int64_t first, std::span<Edge> edges) const override {
    expect_inside(first, edges);
    edges_.read(first, edges);
  }

  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    expect_inside(first, edges, weights);
    edges_.read(first, edges);
    std::copy_n(weights_.data() + first, weights.size(), weights.begin());
  }

 private:
  Room edges_;
  LargeArray<float> weights_;
};

template <class Stored>
class EdgesInFile final : public StoredShare {
 public:
  EdgesInFile(const KroneckerGenerator& generator, int rank, int ranks, bool weighted,
              const std::filesystem::path& folder)
      : StoredShare(generator.parameters(), rank, ranks), file_(folder / fmt::format("edges.{}", rank)) {
    if (weighted) weight_file_.emplace(folder / fmt::format("weights.{}", rank));
    std::exception_ptr failure;
    std::atomic<bool> has_failed = false;
#pragma omp parallel
    {
      std::vector<Stored> block(block_edges);
      std::vector<float> weights(weighted ? block.size() : 0);
#pragma omp for schedule(dynamic, 1)
      for (std::int64_t at = 0; at < size(); at += block_edges) {
        if (has_failed.load(std::memory_order_relaxed)) continue;
        try {
          const std::int64_t count = std::min(block_edges, size() - at);
          const std::span<Stored> edges = part(std::span(block), 0, count);
          const std::span<float> their_weights = part(std::span(weights), 0, count);
          generate(generator, first() + at, edges, their_weights);
          file_.write(at * stored_bytes, std::as_bytes(edges));
          if (weighted) weight_file_->write(at * weight_bytes, std::as_bytes(their_weights));
        } catch (...) {
          if (!has_failed.exchange(true)) failure = std::current_exception();
        }
      }
    }
    if (failure) std::rethrow_exception(failure);
    file_.flush();
    if (weighted) weight_file_->flush();
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

  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    expect_inside(first, edges, weights);
    ISOBATH_EXPECTS(weight_file_.has_value());
    read(first, edges);
    weight_file_->read(first * weight_bytes, std::as_writable_bytes(weights));
  }

 private:
  static constexpr std::int64_t block_edges = 1 << 17;  // 1 to 1.5 MiB a write
  static constexpr std::int64_t stored_bytes = sizeof(Stored);
  static constexpr std::int64_t weight_bytes = sizeof(float);

  EdgeFile file_;
  std::optional<EdgeFile> weight_file_;
};

class EdgesRegenerated final : public StoredShare {
 public:
  EdgesRegenerated(const KroneckerGenerator& generator, int rank, int ranks)
      : StoredShare(generator.parameters(), rank, ranks), generator_(generator) {}

  void read(std::int64_t first, std::span<Edge> edges) const override {
    expect_inside(first, edges);
    generator_.edges(this->first() + first, edges);
  }

  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    expect_inside(first, edges, weights);
    generator_.edges(this->first() + first, edges, weights);
  }

 private:
  KroneckerGenerator generator_;
};

std::unique_ptr<WeightedEdgeStream> make_in_memory(const KroneckerGenerator& generator, int rank, int ranks,
                                                   bool weighted) {
  const int scale = generator.parameters().scale;
  if (scale <= NarrowEdges::vertex_bits) {
    return std::make_unique<EdgesInMemory<NarrowRoom>>(generator, rank, ranks, weighted);
  }
  if (scale <= compact_scale) {
    return std::make_unique<EdgesInMemory<PlainEdges<CompactEdge>>>(generator, rank, ranks, weighted);
  }
  return std::make_unique<EdgesInMemory<PlainEdges<PackedEdge>>>(generator, rank, ranks, weighted);
}

std::unique_ptr<WeightedEdgeStream> make_in_file(const KroneckerGenerator& generator, int rank, int ranks,
                                                 bool weighted, const std::filesystem::path& folder) {
  if (generator.parameters().scale <= compact_scale) {
    return std::make_unique<EdgesInFile<CompactEdge>>(generator, rank, ranks, weighted, folder);
  }
  return std::make_unique<EdgesInFile<PackedEdge>>(generator, rank, ranks, weighted, folder);
}

std::unique_ptr<WeightedEdgeStream> make_store(EdgeStorage storage, const KroneckerGenerator& generator,
                                               int rank, int ranks, bool weighted,
                                               const std::filesystem::path& folder) {
  switch (storage) {
    case EdgeStorage::memory:
      return make_in_memory(generator, rank, ranks, weighted);
    case EdgeStorage::file:
      return make_in_file(generator, rank, ranks, weighted, folder);
    case EdgeStorage::regenerate:
      break;
  }
  return std::make_unique<EdgesRegenerated>(generator, rank, ranks);
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
  return make_store(storage, KroneckerGenerator(parameters, set), rank, ranks, false, folder);
}

std::unique_ptr<WeightedEdgeStream> make_weighted_edge_store(EdgeStorage storage,
                                                             const KroneckerParameters& parameters, int rank,
                                                             int ranks, const std::filesystem::path& folder,
                                                             InstructionSet set) {
  return make_store(storage, KroneckerGenerator(parameters, set), rank, ranks, true, folder);
}

}  // namespace isobath
