# SPDX-License-Identifier: Apache-2.0
"""What a run had to send, by closed forms: where its scale is too large to walk the graph.

Class a stays exact as far as the blocks of vertices are known. A plan that leaves vertices out has
other blocks, of which only the sum is recorded: its bitmaps become estimates that hold for any way
in which the sum may be spread.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import PIECE_BITS, Blocks, Grid
from isobath.costmodel.levels import ALPHA, BETA, recorded_levels
from isobath.costmodel.switches import Switches, told_switches
from isobath.costmodel.volume import SearchVolumes, Volume
from isobath.costmodel.volumes import search_volumes
from isobath.race.audit import Expected, Step
from isobath.records.construction import ConstructionRecord
from isobath.records.phases import PhaseName
from isobath.records.run import RunRecord
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, SearchRecord

BITMAP_PHASES: tuple[PhaseName, ...] = ("expand", "rotate", "emit")
"""where bytes are those of bitmaps, wherever they are exact"""


def why_no_estimate(records: RunRecords) -> str:
    """Why not even closed forms apply; empty where they do."""
    run = records.run
    if records.construction is None:
        return "it has no record of its construction"
    if (
        (run.alpha, run.beta) != (ALPHA, BETA)
        and run.switches
        and run.switches.direction == "policy"
    ):
        return "its direction policy is not the usual one"
    if run.node_of_rank is not None and _row_nodes(run) is None:
        return "its grid rows do not lie evenly on its nodes"
    return ""


def estimated_steps(records: RunRecords) -> dict[Step, Expected]:
    """Expectations for every step of the timed searches; only where why_no_estimate is empty."""
    built = records.construction
    assert built is not None  # asked by why_no_estimate
    setting = _setting(records.run, built)
    levels: dict[int, list[LevelRecord]] = defaultdict(list)
    for level in records.levels:
        levels[level.search].append(level)
    expected: dict[Step, Expected] = {}
    for search in records.timed_searches:
        for volume in _volumes(setting, built, levels[search.index]):
            step = (search.index, volume.level, volume.phase)
            expected[step] = _expected(setting, built, search, volume)
    return expected


def _setting(run: RunRecord, built: ConstructionRecord) -> GraphSetting:
    switches = Switches.of(run.plan, **(told_switches(run.switches) if run.switches else {}))
    numbered = built.searched_vertices if _leaves_vertices_out(switches) else 1 << run.scale
    return GraphSetting(
        scale=run.scale,
        switches=switches,
        blocks=Blocks.even(numbered, Grid(run.grid_rows, run.grid_cols)),
        edgefactor=run.edgefactor,
        arcs=float(built.stored_arcs),
        row_nodes=_row_nodes(run) or 1,
    )


def _leaves_vertices_out(switches: Switches) -> bool:
    return switches.relabel != "off" or switches.leaves == "out"


def _row_nodes(run: RunRecord) -> int | None:
    """Nodes that a grid row lies on; None where rows differ, or a row lies on them unevenly."""
    if run.node_of_rank is None:
        return 1
    shares = []
    for row in range(run.grid_rows):
        nodes = Counter(run.node_of_rank[row :: run.grid_rows])
        if len(set(nodes.values())) > 1:
            return None
        shares.append(len(nodes))
    return shares[0] if len(set(shares)) == 1 else None


def _volumes(
    setting: GraphSetting, built: ConstructionRecord, levels: Sequence[LevelRecord]
) -> SearchVolumes:
    ordered = sorted(levels, key=lambda level: level.level)
    facts = recorded_levels(
        [level.direction for level in ordered],
        [level.frontier_vertices for level in ordered],
        [level.arcs_scanned if level.direction == "top_down" else None for level in ordered],
        float(built.stored_arcs),
        share_reaching=setting.share_reaching,
    )
    return search_volumes(setting, facts, first_level=ordered[0].level if ordered else 0)


def _expected(
    setting: GraphSetting, built: ConstructionRecord, search: SearchRecord, volume: Volume
) -> Expected:
    blocks = setting.blocks
    if volume.phase == "emit" and search.traversed_edges != built.largest_component_edges:
        # All agree on how to emit what is not the main component: perhaps by asking, perhaps not.
        agreed = 8 * blocks.grid.size * (blocks.grid.size - 1)
        most = max(volume.high_bytes, _spread(setting, volume)[1])
        return Expected("c", agreed, agreed, agreed + most)
    if not volume.is_exact:
        return Expected("c", volume.bytes_sent, volume.low_bytes, volume.high_bytes)
    if volume.phase in BITMAP_PHASES and _leaves_vertices_out(setting.switches):
        return Expected("c", volume.bytes_sent, *_spread(setting, volume))
    return Expected(volume.audit_class, volume.bytes_sent)


def _spread(setting: GraphSetting, volume: Volume) -> tuple[int, int]:
    """Ends of what bitmaps may take, however the vertices are spread over the blocks: at least no
    padding but one, at most one of each block.
    """
    vertices = setting.blocks.vertices
    pieces = int(setting.blocks.piece_bytes.sum()) * 8 // PIECE_BITS
    fewest, most = -(-vertices // PIECE_BITS), vertices // PIECE_BITS + setting.blocks.grid.size
    times = volume.bytes_sent // max(pieces, 1)
    return times * fewest, times * most
