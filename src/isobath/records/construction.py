# SPDX-License-Identifier: Apache-2.0
"""Kernel 1: from edges to the searchable graph."""

from typing import Literal

from pydantic import Field

from isobath.records.phases import PhaseName
from isobath.records.record import Part, Record
from isobath.units import Bytes, Seconds


class ConstructionCheck(Part):
    """Every edge that is no self-loop must have its two arcs, and there must be no other arc."""

    missing_arcs: int = Field(ge=0)
    unfounded_arcs: int = 0
    """stored, but no edge of the list"""
    arcs: int = Field(ge=0)
    expected_arcs: int = Field(ge=0)
    """twice the distinct edges, counted from the list alone"""
    passed: bool


class PathPlan(Part):
    """The plan for shortest paths that was constructed."""

    plan: str
    pruned: bool
    """edges that lie on no shortest path were left out"""
    reason: str | None = None
    """why this plan, where construction chose it"""


class Prepared(Part):
    """What construction set up beside the rows of the graph, as it was done."""

    by_degree: bool
    """vertices are numbered by degree, and rows begin with neighbours of high degree"""
    families: int = Field(ge=0)
    """ranges of rows of the same first heavy neighbour, or first hub, over all ranks"""
    likely_parents: int = Field(ge=0)
    """vertices whose likely parent, in original numbering, emit copies"""
    told_hubs: int = Field(ge=0, default=0)
    """vertices of highest degree that all ranks hear of; owners keep the first of every vertex;
    absent in older records: none"""
    first_neighbours: bool
    """of every row, in streams of their own, on some ranks at least"""
    ranks_without_first_neighbours: int = Field(ge=0, default=0)
    """ranks that have no such streams where others have: most of their rows have no arc;
    absent in older records: none"""
    by_weight: bool
    """rows are sorted by weight"""
    light_streams: int = Field(ge=0)
    """so many lightest arcs of every row, in streams of their own, on some ranks at least"""
    ranks_without_light_streams: int = Field(ge=0, default=0)
    """ranks that have no such streams where others have: most of their rows have no arc;
    absent in older records: none"""
    core_radius: float = Field(ge=0)
    """how far the first part of a search for shortest paths reaches, chosen by a search; 0: none;
    on several ranks a hub reaches as much farther as it lies from the largest"""


class ConstructionRecord(Record):
    """Generation and construction: seconds of the slowest rank, and facts of the graph."""

    kind: Literal["construction"] = "construction"
    kernel: Literal["bfs", "sssp"] = "bfs"
    """that searches what was constructed; absent in older records"""
    seconds: Seconds = Field(ge=0)
    """kernel 1 for this kernel"""
    retrieval_seconds: Seconds = Field(ge=0)
    """part of seconds: edges read from their file or generated anew; 0 in memory"""
    generation_seconds: Seconds = Field(ge=0)
    phases: dict[PhaseName, Seconds]
    num_vertices: int = Field(ge=1)
    num_edges: int = Field(ge=0)
    """duplicates and self-loops included"""
    self_loops: int = Field(ge=0)
    distinct_edges: int | None = Field(default=None, ge=0)
    """unordered pairs, self-loops left out; absent where the plan keeps duplicates"""
    isolated_vertices: int = Field(ge=0)
    leaves: int = Field(ge=0)
    """vertices of one distinct neighbour"""
    searched_vertices: int = Field(ge=0)
    stored_arcs: int = Field(ge=0)
    hubs: int = Field(ge=0)
    max_degree_with_duplicates: int = Field(ge=0)
    components: int = Field(ge=0)
    """isolated vertices not counted"""
    largest_component_vertices: int = Field(ge=0)
    largest_component_edges: int = Field(ge=0)
    """duplicates counted, self-loops not"""
    imbalance: float | None = Field(default=None, ge=0)
    """stored arcs, maximum over ranks divided by mean; absent where no arc is stored"""
    prepared: Prepared | None = None
    """absent in older records"""
    peak_bytes_per_rank: tuple[Bytes, ...]
    """peak resident memory of every rank so far"""
    check: ConstructionCheck | None = None
    """absent where the check was not asked for"""
    path_plan: PathPlan | None = None
    """of sssp; absent in older records"""
