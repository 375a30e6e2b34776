// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "bfs/plan.hpp"
#include "graph500/search_timing.hpp"
#include "record/records.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/sssp_rules.hpp"

namespace isobath {

// From what the layers say to what is recorded: copying and the few derived numbers, no communication.

/// Facts of a constructed graph; times and memory are the caller's.
ConstructionRecord construction_record(const GraphFacts& facts, int ranks);

/// Which plan was constructed, and why where it was not asked for.
PathPlanRecord path_plan_record(const SearchPlan& plan);

/// @param expected_arcs  of the list, counted apart: twice its distinct edges, or all that are no self-loops
ConstructionCheckRecord construction_check_record(const SearchPlan::ConstructionCheck& check,
                                                  std::int64_t expected_arcs);

/// Arcs that are missing or too many; 0 where the check passed.
std::int64_t construction_violations(const ConstructionCheckRecord& check);

/// E.g. "the constructed graph lacks 3 arcs, the first of edge 5-7".
std::string sentence_of(const ConstructionCheckRecord& check, const Edge& first_missing);

/// Times, edges and TEPS of a search.
void put_timing(SearchRecord& record, const SearchTiming& timing, const TraversedEdges& traversed);

ValidationRecord validation_record(const BfsValidation& outcome, double seconds);
ValidationRecord validation_record(const SsspValidation& outcome, double seconds);

/// What validation counted on the way.
void put_counts(SearchRecord& record, const BfsValidation& outcome);
void put_counts(SearchRecord& record, const SsspValidation& outcome);

/// Rounds stand in the timeline as levels do.
RoundRecord round_record(const LevelRecord& level);

}  // namespace isobath
