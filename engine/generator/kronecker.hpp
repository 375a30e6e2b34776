// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/instruction_set.hpp"
#include "base/vertex.hpp"
#include "generator/compact_edge.hpp"
#include "generator/edge_kernel.hpp"
#include "random/mrg.hpp"
#include "random/mrg_matrix.hpp"

namespace isobath {

inline constexpr int max_scale = 43;  // 16 * 2^43 edges; above, nothing was ever compared with the reference
inline constexpr int max_edgefactor = 4096;

/// What names a graph of the Graph500 benchmark.
struct KroneckerParameters {
  int scale = 1;
  int edgefactor = 16;
  std::uint64_t seed1 = 2;
  std::uint64_t seed2 = 3;

  constexpr std::int64_t num_vertices() const { return std::int64_t{1} << scale; }
  constexpr std::int64_t num_edges() const { return std::int64_t{edgefactor} << scale; }
};

/// @throws UsageError where scale or edgefactor is out of range
void check(const KroneckerParameters& parameters);

struct WeightedEdge {
  Edge edge;
  float weight;  // 0 to 1, in steps of 2^-31; the 63 largest draws round to 1
};

/// The Kronecker generator of the Graph500 specification, bit for bit as reference 3.0: edge k depends on k
/// and the parameters alone. Immutable; any number of threads may use one object.
class KroneckerGenerator {
 public:
  /// @throws UsageError for parameters out of range or an instruction set that cannot run here
  explicit KroneckerGenerator(KroneckerParameters parameters, InstructionSet set = best_instruction_set());

  const KroneckerParameters& parameters() const { return parameters_; }
  InstructionSet instruction_set() const { return set_; }

  /// Edges first, first + 1, ... in original numbering; 0 <= first, first + size <= num_edges(). Their
  /// weights go to `weights`, which is as long as `edges`, or empty where none are wanted.
  void edges(std::int64_t first, std::span<Edge> edges, std::span<float> weights = {}) const;
  /// The same in 8 bytes an edge, where scale <= 32.
  void compact(std::int64_t first, std::span<CompactEdge> edges, std::span<float> weights = {}) const;
  /// The same in 12 bytes an edge, for any scale.
  void packed(std::int64_t first, std::span<PackedEdge> edges, std::span<float> weights = {}) const;

  /// One edge, by itself and one draw at a time; what the kernels leave out is made by this.
  WeightedEdge edge_at(std::int64_t index) const;

 private:
  void generate(std::int64_t first, std::int64_t count, EdgeOutput output) const;
  void run_kernel(std::int64_t first, std::int64_t groups, std::uint32_t* windows, EdgeOutput output) const;
  std::uint64_t scrambled(std::uint64_t vertex) const;

  KroneckerParameters parameters_;
  InstructionSet set_;
  MrgState initial_;
  MrgMatrix next_edge_;  // from the stream of an edge to that of the next
  EdgeKernel kernel_;
  KernelSetup setup_;
};

}  // namespace isobath
