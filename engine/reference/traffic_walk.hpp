// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/phase.hpp"
#include "base/vertex.hpp"

namespace isobath::reference {

/// How a search is cut over ranks, and all that changes what it sends. Written down a second time, apart from
/// the plans: what they count is compared with what follows from here.
struct TrafficRules {
  enum class Plan { replicated_csr, replicated_csc, simple, one_sided, two_dim, hybrid };
  enum class Exchange {
    own,
    alltoallv,
    pairwise,
    sparse,
    neighbour,
    one_sided,
    persistent,
    two_level,
    eager,
    emulated
  };
  enum class Frontier { bitmap, list, smaller, packed };
  enum class DirectionRule { policy, top_down, bottom_up };

  Plan plan = Plan::two_dim;
  int rows = 1;  // of the grid of ranks; rank = column * rows + row
  int cols = 1;
  Exchange exchange = Exchange::own;
  bool keep_duplicates = true;
  int tuple_bytes = 16;      // of a (target, parent) pair: two ids
  bool local_dedup = false;  // a rank proposes each target once in a search
  Frontier frontier = Frontier::bitmap;
  bool packed_fold = false;     // targets as differences, sources in as few bits as they need
  bool relabel = false;         // degree classes, isolated vertices without a number
  bool families = false;        // relabelled: numbered by first heavy neighbour, on several grid columns hub
  bool leaves_out = false;      // vertices of one distinct neighbour are not searched
  bool likely_parents = false;  // leaves of the main component are known, and on one grid column ask nobody
  bool overlap = false;         // second halves of bottom-up pieces travel the other way round the grid row
  bool hub_pass = false;        // owners find first what has a hub as parent, on several grid columns
  bool few_hubs = false;        // one for 4,096 searched vertices at the most
  DirectionRule direction = DirectionRule::top_down;
  std::vector<int> node_of_rank;  // for the two-level exchange

  int ranks() const { return rows * cols; }
};

/// What a number of the audit rests on.
enum class AuditClass : char {
  a = 'a',  // bitmaps, summaries, padding, control: integer closed forms, given the number of levels
  b = 'b',  // tuples and whatever is compressed: counted by the walk
};

/// Bytes that each rank must send to others in one phase of one level.
struct TrafficLine {
  Level level = 0;  // outside_levels for what is sent before the first level and after the last
  Phase phase = Phase::start;
  AuditClass audit_class = AuditClass::a;
  std::vector<std::int64_t> bytes_of_rank;

  std::int64_t bytes() const;
};
inline constexpr Level outside_levels = -1;

class WalkedGraph;

/// A search walked serially over the whole graph, counting what each rank would have to send: the twin of
/// what the communicators count (comm/ledger/traffic.hpp says what counts as sent). Shares no code with
/// construction, plans or exchanges, works on levels of its own queue, and is exact: there is nothing random
/// in it.
class TrafficWalk {
 public:
  /// @throws UsageError for rules that contradict each other
  TrafficWalk(std::int64_t num_vertices, std::span<const Edge> edges, const TrafficRules& rules);
  TrafficWalk(TrafficWalk&&) noexcept;
  ~TrafficWalk();

  /// Lines with any byte, in the order of levels and phases, those outside levels first.
  ///
  /// @param root       has a neighbour other than itself
  /// @param bottom_up  what the policy chose for each level that was run, in order; levels beyond are
  ///                   top-down. Not looked at where the rules leave no choice
  std::vector<TrafficLine> search(GlobalVertex root, std::span<const char> bottom_up = {}) const;

 private:
  TrafficRules rules_;
  std::unique_ptr<const WalkedGraph> graph_;
};

}  // namespace isobath::reference
