# SPDX-License-Identifier: Apache-2.0
"""One word per thing."""

from isobath.records.phases import PhaseName
from isobath.report.run_data import RunData
from isobath.report.wording import phase_name
from isobath.view.content import Fact, Facts, Section

TITLE = "Glossary"

needs = ("run.scale",)

WORDS = (
    ("arc", "one stored direction of an edge; an edge that is no self-loop gives two"),
    ("bottom-up", "a level in which unvisited vertices look for a neighbour in the frontier"),
    ("component", "the vertices connected to a root"),
    ("construction", "edges to searchable graph; kernel 1 of Graph500"),
    ("edge", "one undirected input pair, duplicates and self-loops included"),
    ("edgefactor", "edges per vertex, 16 by the specification"),
    ("emit", "the phase that writes the parent of every vertex in original numbering"),
    ("frontier", "the searched vertices on the current level"),
    ("GTEPS", "10\N{SUPERSCRIPT NINE} traversed edges per second"),
    ("harmonic mean", "n divided by the sum of 1/TEPS: the mean of seconds per edge, turned over"),
    ("hub", "a vertex of the highest degree class; in a hub pass, one that all ranks hear of"),
    ("isolated vertex", "a vertex with no edge other than self-loops"),
    ("leaf", "a vertex with one distinct neighbour"),
    ("level", "distance from the root in edges; the root is at level 0"),
    ("oversubscribed", "more ranks times threads than processors"),
    ("parent", "the neighbour through which a vertex was reached; the root is its own"),
    ("rank", "one MPI process; it runs several threads"),
    ("root", "the vertex a search starts from, one of the sampled search keys"),
    ("scale", "log2 of the number of vertices"),
    ("search", "one breadth-first search from one root; the thing that is timed, kernel 2"),
    ("TEPS", "traversed edges divided by the seconds of the search"),
    ("top-down", "a level in which the frontier proposes itself as parent to its neighbours"),
    ("traversed edges", "input edges of the root's component, each counted once per copy"),
    ("UNVALIDATED", "not every result behind a number passed all rules; do not trust it"),
    ("warm-up", "an untimed search before the others"),
)

PHASES: dict[PhaseName, str] = {
    "reset": "clear what the search before left",
    "expand": "share the frontier with the ranks that hold its arcs",
    "hub_pass": "tell all ranks which hubs were reached; owners find vertices by that alone",
    "top_down": "scan the arcs of the frontier",
    "bottom_up": "test the neighbours of unvisited vertices",
    "rotate": "tell the grid row who is not found yet: by bitmaps that go round it, or by lists",
    "count": "tell every rank how much it will receive",
    "fold": "send proposals to the owners of their targets",
    "adopt": "owners take one proposal for each vertex",
    "reduce": "counts over all ranks: is it over, and which direction comes next",
    "climb": "shortest paths: from the root up the order of vertices, to those that are searched",
    "relax": "shortest paths: arcs of vertices whose distance changed, until none changes",
    "descend": "shortest paths: down the order again, each vertex from those above it",
    "emit": "parents into original numbering, leaves filled in",
}


def render(data: RunData) -> Section:
    """The words of this page, then the phases of a search in their order."""
    del data  # the same words for every run
    return Section(
        "glossary",
        TITLE,
        (
            Facts(tuple(Fact(word, text) for word, text in WORDS), style="pairs"),
            Facts(
                tuple(Fact(phase_name(phase), text) for phase, text in PHASES.items()),
                title="Phases of a search",
                style="pairs",
            ),
        ),
        lead="The words of this page, and the phases of a search in their order.",
        measured=False,
    )
