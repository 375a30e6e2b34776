// SPDX-License-Identifier: Apache-2.0
#include "graph/emit_parents.hpp"

#include <algorithm>
#include <bit>

#include "base/vertex.hpp"

namespace isobath {
namespace {

std::int64_t parent_of(const FoundOneColumn& found, std::size_t working) {
  if (!test_bit(found.visited, working)) return raw(no_vertex);
  const bool by_first = test_bit(found.by_first_neighbour, working);
  const std::uint32_t col =
      by_first ? found.graph.by_target.of(static_cast<std::uint32_t>(working))[0] : found.parent_col[working];
  return found.graph.column_original[col];
}

std::int64_t parent_of(const FoundSeveralColumns& found, std::size_t working) {
  if (!test_bit(found.visited, working)) return raw(no_vertex);
  if (found.by_first_hub == nullptr || !test_bit(found.by_first_hub, working)) return found.parent[working];
  const Hubs& hubs = found.graph.hubs;
  return hubs.original[hubs.kept[0][working]];
}

std::int64_t parent_of_leaf(const FoundOneColumn& found, std::size_t leaf) {
  const Leaves& leaves = found.graph.leaves;
  return test_bit(found.visited_cols, leaves.neighbour_col[leaf])
             ? std::int64_t{leaves.neighbour_offset[leaf]}
             : raw(no_vertex);
}

std::int64_t parent_of_leaf(const FoundSeveralColumns& found, std::size_t leaf) {
  const bool reached = found.reached_leaves != nullptr && test_bit(found.reached_leaves, leaf);
  return reached ? found.graph.leaves.neighbour[leaf] : raw(no_vertex);
}

template <class Found>
void emit_by_bits(const Found& found, std::int64_t first_block, std::int64_t end_block, GlobalVertex* out) {
  const Numbering& numbering = found.graph.numbering;
  for (std::int64_t block = first_block; block < end_block; ++block) {
    std::array<std::size_t, num_streams> next;
    for (std::size_t s = 0; s < num_streams; ++s) {
      next[s] = numbering.first[static_cast<std::size_t>(block) * num_streams + s];
      if (s != leaf_stream) next[s] += numbering.class_start[s + 1];
    }
    const std::int64_t end = std::min((block + 1) * emit_block, numbering.num_originals);
    for (std::int64_t v = block * emit_block; v < end; v += mask_vertices) {
      std::fill(out + v, out + std::min(v + mask_vertices, end), no_vertex);
      const std::uint16_t* const masks =
          numbering.mask.data() + v / mask_vertices * static_cast<std::int64_t>(num_streams);
      for (std::size_t s = 0; s < num_streams; ++s) {
        for (unsigned members = masks[s]; members != 0; members &= members - 1) {
          const std::size_t member = next[s]++;
          out[v + std::countr_zero(members)] =
              GlobalVertex{s == leaf_stream ? parent_of_leaf(found, member) : parent_of(found, member)};
        }
      }
    }
  }
}

/// Without streams: a look at the code of every vertex. For components outside the main one, which are small;
/// and where there are no likely parents, as on several grid columns beyond 2^31 vertices: scattered reads.
template <class Found>
void emit_by_codes(const Found& found, std::int64_t first_block, std::int64_t end_block, GlobalVertex* out) {
  const Numbering& numbering = found.graph.numbering;
  std::size_t leaf = numbering.first[static_cast<std::size_t>(first_block) * num_streams + leaf_stream];
  const std::int64_t end = std::min(end_block * emit_block, numbering.num_originals);
  for (std::int64_t v = first_block * emit_block; v < end; ++v) {
    const std::uint32_t code = numbering.code[static_cast<std::size_t>(v)];
    std::int64_t parent = raw(no_vertex);
    if (code == Numbering::leaf) {
      parent = parent_of_leaf(found, leaf++);
    } else if (code != Numbering::isolated) {
      parent = parent_of(found, code);
    }
    out[v] = GlobalVertex{parent};
  }
}

template <class Found>
void emit_vertex(const Found& found, std::uint32_t working, GlobalVertex* out) {
  out[found.graph.numbering.original[working]] = GlobalVertex{parent_of(found, working)};
}

}  // namespace

void ListedParents::grow() {
  constexpr std::size_t least = 512;
  room_.resize(std::max(least, 2 * room_.size()));
}

template <class Found>
void emit_blocks(const Found& found, std::int64_t first_block, std::int64_t end_block, GlobalVertex* out) {
  if (found.graph.numbering.by_family) return emit_by_codes(found, first_block, end_block, out);
  emit_by_bits(found, first_block, end_block, out);
}

template <class Found>
void emit_heavy(const Found& found, std::uint32_t first, std::uint32_t end, GlobalVertex* out) {
  for (std::uint32_t working = first; working < end; ++working) emit_vertex(found, working, out);
}

template <class Found>
void emit_listed(const Found& found, std::span<const std::uint32_t> listed, GlobalVertex* out) {
  for (const std::uint32_t working : listed) emit_vertex(found, working, out);
}

template void emit_blocks(const FoundOneColumn&, std::int64_t, std::int64_t, GlobalVertex*);
template void emit_blocks(const FoundSeveralColumns&, std::int64_t, std::int64_t, GlobalVertex*);
template void emit_heavy(const FoundOneColumn&, std::uint32_t, std::uint32_t, GlobalVertex*);
template void emit_heavy(const FoundSeveralColumns&, std::uint32_t, std::uint32_t, GlobalVertex*);
template void emit_listed(const FoundOneColumn&, std::span<const std::uint32_t>, GlobalVertex*);
template void emit_listed(const FoundSeveralColumns&, std::span<const std::uint32_t>, GlobalVertex*);

}  // namespace isobath
