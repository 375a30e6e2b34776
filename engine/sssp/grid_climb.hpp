// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/exchange/exchange.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"
#include "sssp/lowered_vertices.hpp"
#include "sssp/path_core.hpp"
#include "sssp/plan.hpp"
#include "sssp/tentative_paths.hpp"

namespace isobath {

/// Delta-stepping (Meyer and Sanders 2003) on a grid, from the root until it meets a hub, or to the end where
/// there is none. Rows stand at their targets, and every edge goes both ways: an owner tells a vertex along
/// its grid row, whose ranks have its arcs, and these propose distances along their grid columns to the
/// owners of the neighbours. docs/explanation/delta-stepping.md
class GridClimb {
 public:
  /// How far it goes and by what steps; any are right.
  struct Steps {
    double delta = 1;       // width of a bucket
    float core_radius = 0;  // around the hub of highest degree
  };

  /// Collective. @param graph, grid, paths  outlive this
  GridClimb(const Graph& graph, const Grid& grid, TentativePaths& paths);
  ~GridClimb();

  /// Collective. From `start`, a searched vertex that is `distance` away from the root; `round` counts the
  /// rounds.
  PathTurn climb(const Location& start, float distance, const Steps& steps, SearchObserver& observer,
                 int& round);
  /// How far searches go beyond each own hub: as far as the radius reaches around the hub of highest degree,
  /// from which the search before began.
  void choose_reach_of_hubs(float core_radius);

  /// Whether an own vertex is one.
  bool is_hub(std::uint32_t own) const { return graph_.numbering.degree[own] >= hub_endpoints_; }

 private:
  enum class Arcs { light, heavy, all };  // lighter than delta, or not
  /// Own vertices lowered since their arcs were relaxed.
  struct Pending {
    std::int64_t count = 0;
    float least = unreached;      // of their distances
    float least_hub = unreached;  // of those among them that are hubs
    float core_end = unreached;   // the least that these hubs reach
    float padding = 0;            // all bytes travel
    void add(const Pending& other);
  };
  /// Out of date once the vertex has a smaller distance, or was taken.
  struct PendingVertex {
    float distance;
    std::uint32_t own;
  };
  /// @tparam Source  of 32 bits, or of 64 where positions are wide (PositionForm)
  template <class Source>
  struct ActiveRow {
    std::uint32_t row;  // its place, once it has arrived
    float distance;
    Source source;  // as in an offer
  };
  template <class Source>
  struct Offer {
    std::uint32_t target;  // working number at its owner
    float distance;
    Source source;  // working number at the sender; on several grid columns see originals_before()
  };
  /// What a round tells and proposes.
  template <class Source>
  struct Messages {
    std::vector<ActiveRow<Source>> own_rows;
    std::vector<ActiveRow<Source>> rows;
    std::vector<std::vector<Offer<Source>>> outgoing;  // by grid row of the target's owner
    std::vector<Offer<Source>> arrived;
  };

  void pend(std::uint32_t own);
  bool is_up_to_date(const PendingVertex& one) const;
  Pending pending_of_all(SearchObserver& observer);
  bool is_in_bucket(double distance) const { return distance <= begin_ || distance < end_; }
  void take_pending();
  PathTurn climb_core(float core_end, const Steps& steps, SearchObserver& observer, int& round);
  void relax(std::span<const std::uint32_t> vertices, Arcs arcs, SearchObserver& observer);
  void relax_settled(SearchObserver& observer);
  template <class Source>
  void relax_by(Messages<Source>& messages, std::span<const std::uint32_t> vertices, Arcs arcs,
                SearchObserver& observer);
  template <class Source>
  std::span<const ActiveRow<Source>> tell_row(Messages<Source>& messages,
                                              std::span<const std::uint32_t> vertices,
                                              SearchObserver& observer);
  template <class AnyRows, class Source>
  void propose(const AnyRows& all, std::span<const ActiveRow<Source>> rows, Arcs arcs,
               Messages<Source>& messages);
  std::span<const WeightedArc> part_of_row(std::span<const WeightedArc> row, Arcs arcs) const;
  bool is_worth_offering(std::uint32_t col, float distance, bool is_own);
  template <class Source>
  void fold(Messages<Source>& messages, SearchObserver& observer);
  template <class Source>
  void send_offers(Messages<Source>& messages, std::size_t first, std::size_t count,
                   SearchObserver& observer);
  template <class Source>
  void adopt(int grid_row, const Offer<Source>& offer);

  const Graph& graph_;
  const Grid& grid_;
  TentativePaths& paths_;
  std::size_t most_active_;             // own vertices that are told, and offers to one owner, at once
  bool is_one_part_;                    // no rank has more, on any grid row
  std::uint64_t hub_endpoints_;         // a vertex of so many is a hub
  std::vector<float> reach_of_hub_;     // own, by working number up to the last hub
  std::unique_ptr<Exchange> exchange_;  // along the grid column

  double delta_ = 1;
  double begin_ = 0;  // of the bucket
  double end_ = 0;
  float limit_ = unreached;  // offers below are made
  std::int64_t arcs_relaxed_ = 0;
  std::vector<PendingVertex> pending_;
  std::vector<Word> is_pending_;  // own, lowered since their arcs were relaxed
  std::int64_t num_pending_ = 0;
  bool is_in_core_ = false;
  std::vector<std::uint32_t> pending_hubs_;  // own, until the core begins
  std::vector<std::uint32_t> active_;        // own, of this round
  std::vector<std::uint32_t> settled_;       // own, of this bucket, each once
  std::vector<Word> is_settled_;
  std::vector<Pending> of_column_;
  Messages<std::uint32_t> narrow_;
  Messages<std::uint64_t> wide_;  // in its place where positions are wide
};

}  // namespace isobath
