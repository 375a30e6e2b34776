// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace isobath {

/// The one list of phase names (records, heartbeat, report), in the order of a run with weights.
enum class Phase {
  start,
  generate,
  // construction (kernel 1)
  count_vertices,   // how many there are, from the edge list
  count_degrees,    // end points per vertex, leaves found
  number_vertices,  // working numbering
  deliver_arcs,     // arcs to their ranks, dealt by target
  sort_rows,        // rows sorted, duplicates dropped
  build_streams,    // first neighbours, classes, leaves: what emit and bottom-up read
  components,       // component labels, edges per component
  landmark,         // shortest paths: distances from the landmark
  prune,            // edges that may lie on a shortest path
  order,            // vertices ordered for shortest-path searches
  check_construction,
  sample_keys,
  // search (kernels 2 and 3)
  reset,
  expand,
  hub_pass,  // which hubs are visited, to all ranks; what owners find by that
  top_down,
  bottom_up,
  rotate,
  count,  // how much each rank will send to each other
  fold,
  adopt,
  reduce,   // counts over all ranks: end of search and direction
  climb,    // shortest paths: from the root up the order
  relax,    // arcs of changed vertices, until nothing changes
  descend,  // and down the order again
  emit,
  // afterwards
  validate,
  write,
  finish,
};

inline constexpr std::array<std::string_view, 31> phase_names = {"start",
                                                                 "generate",
                                                                 "count_vertices",
                                                                 "count_degrees",
                                                                 "number_vertices",
                                                                 "deliver_arcs",
                                                                 "sort_rows",
                                                                 "build_streams",
                                                                 "components",
                                                                 "landmark",
                                                                 "prune",
                                                                 "order",
                                                                 "check_construction",
                                                                 "sample_keys",
                                                                 "reset",
                                                                 "expand",
                                                                 "hub_pass",
                                                                 "top_down",
                                                                 "bottom_up",
                                                                 "rotate",
                                                                 "count",
                                                                 "fold",
                                                                 "adopt",
                                                                 "reduce",
                                                                 "climb",
                                                                 "relax",
                                                                 "descend",
                                                                 "emit",
                                                                 "validate",
                                                                 "write",
                                                                 "finish"};

inline constexpr std::size_t num_phases = phase_names.size();
static_assert(static_cast<std::size_t>(Phase::finish) + 1 == num_phases);

constexpr std::string_view name_of(Phase phase) { return phase_names[static_cast<std::size_t>(phase)]; }

/// Told which phase begins; the kernels' only view of time and progress. The default does nothing.
class PhaseObserver {
 public:
  PhaseObserver() = default;
  PhaseObserver(const PhaseObserver&) = delete;
  PhaseObserver& operator=(const PhaseObserver&) = delete;
  virtual ~PhaseObserver();
  /// A phase begins; the one before ends.
  virtual void phase(Phase /*begun*/) {}
};

}  // namespace isobath
