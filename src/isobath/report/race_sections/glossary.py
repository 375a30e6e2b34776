# SPDX-License-Identifier: Apache-2.0
"""The words of a race; those of a single search stand in the glossary of every run's report."""

from isobath.report.race_data import RaceData
from isobath.report.sections.glossary import PHASES, WORDS
from isobath.report.wording import phase_name
from isobath.view.content import Fact, Facts, Section

TITLE = "Glossary"

PLANS = {
    "replicated-csr": (
        "1D: all ranks hold the frontier as a bitmap; each unvisited vertex looks in its row"
    ),
    "replicated-csc": "the same frontier; only the columns of the frontier are visited",
    "simple": "1D: (target, parent) messages to the owner, through coalescing buffers",
    "one-sided": "as simple, by accumulates into the owner's memory",
    "two-dim": "R x C ranks: frontier along grid columns, tuples along grid rows",
    "hybrid": "2D, direction by level, relabelled, compressed frontiers, an overlapped ring",
}

RACE_WORDS = (
    ("cell", "one combination of settings; run once or several times"),
    ("class a", "bytes of a closed integer form; class b: counted by a walk; class c: estimated"),
    ("count exchange", "ranks tell each other how much will come, before it comes"),
    ("crossover", "the number of ranks from which two plans change places in bytes per rank"),
    (
        "exchange",
        "how tuples travel: eagerly, alltoallv, pairs, point to point, puts, in two levels",
    ),
    ("expand", "the frontier to the ranks that hold its arcs, along a grid column"),
    ("factor", "a setting that the race varies"),
    ("fold", "tuples (target, parent) to the owners of their targets, along a grid row"),
    ("grid", "R rows by C columns of ranks; P x 1 is replicated, 1 x P is simple"),
    ("ladder", "the steps from two-dim as published to hybrid, one switch at a time"),
    ("node", "ranks that share a memory; pretended ones come from an override"),
    ("off-node bytes", "bytes whose receiver is on another node"),
    ("plan", "a way to partition the search and to move its frontier"),
    ("transfer", "time inside MPI calls after the last rank had entered"),
    ("wait", "time inside MPI calls before the last rank had entered"),
)

TAKEN = ("arc", "bottom-up", "frontier", "GTEPS", "harmonic mean", "level", "oversubscribed",
         "rank", "root", "scale", "search", "top-down", "UNVALIDATED")  # fmt: skip
"""Words of a single search that a race needs too."""


def render(race: RaceData) -> Section:
    """Words with anchors, then plans and phases."""
    del race  # the same words for every race
    words = sorted(
        (*RACE_WORDS, *(entry for entry in WORDS if entry[0] in TAKEN)),
        key=lambda entry: entry[0].lower(),
    )
    return Section(
        "glossary",
        TITLE,
        (
            Facts(
                tuple(
                    Fact(word, text, anchor=f"word-{word.replace(' ', '-')}")
                    for word, text in words
                ),
                style="pairs",
            ),
            Facts(
                tuple(Fact(plan, text) for plan, text in PLANS.items()),
                title="Plans",
                style="pairs",
            ),
            Facts(
                tuple(Fact(phase_name(phase), text) for phase, text in PHASES.items()),
                title="Phases of a search",
                style="pairs",
            ),
        ),
        lead="The words of this page, the plans, and the phases of a search in their order.",
        measured=False,
    )
