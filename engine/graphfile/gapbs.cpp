// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/first_exception.hpp"
#include "base/threads.hpp"
#include "graphfile/binary_edges.hpp"
#include "graphfile/byte_source.hpp"

namespace isobath {
namespace {

constexpr std::int64_t header_bytes = 17;
constexpr std::int64_t offset_bytes = 8;
constexpr std::int64_t piece_arcs = 1 << 16;

/// A target and what its weight's 32 bits are; the weight is absent from a .sg.
struct Arc {
  std::int32_t target;
  std::uint32_t weight_bits;
};

[[noreturn]] void fail(const InputFile& file, std::int64_t offset, const std::string& sentence) {
  throw EnvironmentError(fmt::format("{}, byte {}: {}", file.path(), offset, sentence));
}

/// Mixes the bits of an arc so that sums of them tell sets of arcs apart (splitmix64's finaliser).
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

class GapbsReader {
 public:
  GapbsReader(const std::string& path, bool has_weights) : file_(path), has_weights_(has_weights) {
    read_header();
    read_offsets();
  }

  void read(ListedEdges& listed, int part, int parts, bool wants_weights, WeightType type) {
    const auto share = static_share(num_arcs_, part, parts);
    const std::int64_t first = share.first;
    const std::int64_t end = share.second;
    std::vector<EdgePiece> pieces(static_cast<std::size_t>((end - first + piece_arcs - 1) / piece_arcs));
    wants_weights_ = wants_weights && has_weights_;
    are_floats_ = wants_weights_ && is_float(type);
    FirstException failure;
    std::atomic<std::uint64_t> asymmetry = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      failure.guard([&] {
        const std::int64_t at = first + static_cast<std::int64_t>(i) * piece_arcs;
        std::uint64_t part_of_it = 0;
        pieces[i] = edges_of(at, arcs(at, std::min(piece_arcs, end - at)), part_of_it);
        asymmetry += part_of_it;
      });
    }
    failure.rethrow();
    listed.weighted = wants_weights_;
    listed.declared_vertices = num_vertices_;
    listed.totals.asymmetry = asymmetry;
    for (EdgePiece& piece : pieces) listed.append(std::move(piece));
  }

 private:
  std::int64_t arc_bytes() const { return has_weights_ ? 8 : 4; }
  std::int64_t first_arc_byte() const { return header_bytes + offset_bytes * (num_vertices_ + 1); }

  void read_header() {
    if (file_.size() < header_bytes + offset_bytes) {
      fail(file_, file_.size(), "the file ends inside its header; check --format, or copy it again");
    }
    std::array<std::byte, header_bytes> bytes{};
    file_.read(0, bytes);
    const auto directed = std::to_integer<unsigned>(bytes[0]);
    if (directed > 1)
      fail(file_, 0, fmt::format("{} is neither 0 (undirected) nor 1 (directed); check --format", directed));
    is_directed_ = directed == 1;
    std::memcpy(&num_arcs_, bytes.data() + 1, sizeof(num_arcs_));
    std::memcpy(&num_vertices_, bytes.data() + 9, sizeof(num_vertices_));
    constexpr std::int64_t most_vertices = std::int64_t{1} << 31;
    if (num_vertices_ < 0 || num_vertices_ > most_vertices) {
      fail(file_, 9, fmt::format("{} vertices are more than 32 bits number; check --format", num_vertices_));
    }
    // First by division, so that a lie cannot overflow.
    const std::int64_t copies = is_directed_ ? 2 : 1;
    const bool may_fit = num_arcs_ >= 0 && num_arcs_ <= file_.size() / arc_bytes() / copies;
    const std::int64_t body = offset_bytes * (num_vertices_ + 1) + (may_fit ? num_arcs_ * arc_bytes() : 0);
    if (may_fit && file_.size() == header_bytes + copies * body) return;
    fail(file_, 1,
         fmt::format("the header promises {} arcs of {} vertices, which {} bytes do not hold exactly; check "
                     "--format, or copy the file again",
                     num_arcs_, num_vertices_, file_.size()));
  }

  void read_offsets() {
    offsets_.resize(static_cast<std::size_t>(num_vertices_) + 1);
    file_.read(header_bytes, std::as_writable_bytes(std::span(offsets_)));
    const auto falls = std::ranges::adjacent_find(offsets_, std::greater<>());
    const bool is_whole = offsets_.front() == 0 && offsets_.back() == num_arcs_;
    if (falls == offsets_.end() && is_whole) return;
    const std::int64_t vertex = falls == offsets_.end() ? 0 : falls - offsets_.begin();
    fail(file_, header_bytes + offset_bytes * vertex,
         fmt::format(
             "the rows from vertex {} on do not follow each other; check --format, or copy the file again",
             vertex));
  }

  /// Arcs at, at + 1, ... of the outgoing rows.
  std::vector<Arc> arcs(std::int64_t at, std::int64_t count) const {
    std::vector<Arc> found(static_cast<std::size_t>(count));
    const std::int64_t offset = first_arc_byte() + at * arc_bytes();
    if (has_weights_) {
      file_.read(offset, std::as_writable_bytes(std::span(found)));
    } else {
      std::vector<std::int32_t> targets(found.size());
      file_.read(offset, std::as_writable_bytes(std::span(targets)));
      std::ranges::transform(targets, found.begin(), [](std::int32_t target) { return Arc{target, 0}; });
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].target >= 0 && found[i].target < num_vertices_) continue;
      fail(file_, offset + static_cast<std::int64_t>(i) * arc_bytes(),
           fmt::format("{} is no vertex; vertices here are 0 to {}", found[i].target, num_vertices_ - 1));
    }
    return found;
  }

  bool is_float(WeightType type) const {
    if (type != WeightType::detect) return type == WeightType::float32;
    for (std::int64_t at = 0; at < num_arcs_; at += piece_arcs) {
      for (const Arc& arc : arcs(at, std::min(piece_arcs, num_arcs_ - at))) {
        if (arc.weight_bits - 1 < smallest_normal - 1) return false;
      }
    }
    return true;
  }

  float weight_of(const Arc& arc, std::int64_t at) const {
    const float weight = are_floats_ ? std::bit_cast<float>(arc.weight_bits)
                                     : static_cast<float>(static_cast<std::int32_t>(arc.weight_bits));
    if (weight >= 0 && std::isfinite(weight)) return weight;
    fail(
        file_, first_arc_byte() + at * arc_bytes() + 4,
        fmt::format("the weight {} is no length; weights are finite and at least 0, as {}: say --weight-type",
                    weight, are_floats_ ? "float32" : "int32"));
  }

  EdgePiece edges_of(std::int64_t first, const std::vector<Arc>& arcs, std::uint64_t& asymmetry) const {
    std::vector<Edge> edges;
    std::vector<float> weights;
    const auto row = std::ranges::upper_bound(offsets_, first) - 1;
    std::int64_t source = row - offsets_.begin();
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const std::int64_t at = first + static_cast<std::int64_t>(i);
      while (offsets_[static_cast<std::size_t>(source) + 1] <= at) ++source;
      const std::int64_t target = arcs[i].target;
      if (!is_directed_ && source != target) {
        const auto low = static_cast<std::uint64_t>(std::min(source, target));
        const auto high = static_cast<std::uint64_t>(std::max(source, target));
        const std::uint64_t mark = mixed(mixed(low << 32 | high) + arcs[i].weight_bits);
        asymmetry += source < target ? mark : -mark;
      }
      const float weight = wants_weights_ ? weight_of(arcs[i], at) : 0;
      if (!is_directed_ && source > target) continue;  // its mirror image is the edge
      edges.push_back({GlobalVertex{source}, GlobalVertex{target}});
      if (wants_weights_) weights.push_back(weight);
    }
    return EdgePiece(edges, weights);
  }

  static constexpr std::uint32_t smallest_normal = 0x00800000;  // of float32, as bits

  InputFile file_;
  bool has_weights_;
  bool wants_weights_ = false;
  bool are_floats_ = false;
  bool is_directed_ = false;
  std::int64_t num_arcs_ = 0;
  std::int64_t num_vertices_ = 0;
  std::vector<std::int64_t> offsets_;
};

}  // namespace

WeightType parse_weight_type(std::string_view name) {
  if (name == "auto") return WeightType::detect;
  if (name == "int32") return WeightType::int32;
  if (name == "float32") return WeightType::float32;
  throw UsageError(fmt::format("'{}' is no type of weights; choose auto, int32 or float32", name));
}

void read_gapbs(ListedEdges& listed, int part, int parts, bool has_weights, bool wants_weights,
                WeightType weight_type) {
  GapbsReader(listed.path, has_weights).read(listed, part, parts, wants_weights, weight_type);
}

}  // namespace isobath
