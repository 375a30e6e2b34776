# SPDX-License-Identifier: Apache-2.0
"""What was measured, and how: the page explains its own numbers."""

from isobath.report.run_data import RunData
from isobath.report.wording import count_of, was_of
from isobath.units import format_seconds
from isobath.view.content import Fact, Facts, Section

TITLE = "How it was measured"

needs = ("run.seeds", "run.warmup_searches")


def render(data: RunData) -> Section:
    """One statement per subject, with this run's numbers in it."""
    run = data.records.run
    made = data.warmups
    warm = count_of(made, "untimed search", "untimed searches")
    warmup = f"Before, {warm} {was_of(made)} made." if made else "No search was made before."
    dropped = ["isolated vertices, self-loops and duplicate edges are dropped"]
    if data.leaves_out:
        dropped.append("vertices of one distinct neighbour (leaves) are taken out")
    if data.is_relabelled:
        dropped.append("the rest is relabelled")
    storage = {
        "memory": "They stayed in memory.",
        "file": "They were kept in a file; reading them counts as construction.",
        "regenerate": "They were generated anew where needed; that counts as construction.",
    }[run.edges_storage]
    counted = ""
    if data.searches:
        first = data.searches[0]
        counted = (
            f" Search {first.index} traversed {first.traversed_edges:,} edges so counted, and "
            f"{first.traversed_edges_with_self_loops:,} as the specification counts them (with "
            "self-loops)."
        )
    texts = {
        "Edges": (
            "Generated as Graph500 reference 3.0 does, bit for bit, with the seeds "
            f"{run.seeds[0]} and {run.seeds[1]}; the same for any number of ranks and threads. "
            f"{storage}"
        ),
        "Construction": (
            "From the edges alone to the searchable graph, timed as a whole (kernel 1): "
            f"{'; '.join(dropped)}."
        ),
        "A timed search": (
            "From before the root is visited until the parent of every vertex lies in memory in "
            "original numbering; clearing and emission are inside, validation and records are "
            f"outside. {warmup} No information passes from one search to the next."
        ),
        "Seconds": (
            "Wall clock. Of several ranks the slowest counts, for a search and for each phase; "
            "phases may therefore add up to more than the search. The clock resolves "
            f"{format_seconds(run.clock_resolution_seconds)}."
        ),
        "Traversed edges": (
            "Input edges of the root's component, duplicates counted, self-loops not (reference "
            f"3.0).{counted}"
        ),
        "TEPS": (
            "Traversed edges divided by seconds of the search. The headline is the harmonic mean "
            "over searches, its uncertainty the standard error of the harmonic mean (Norris 1940) "
            "as the reference prints it. It speaks of the spread inside this run, not of that "
            "between runs."
        ),
        "Frontier": (
            "Counted in searched vertices: leaves are not in the searched graph, so a level's "
            "frontier is smaller than the number of vertices at that distance."
        ),
        "Memory": (
            "The highest resident memory that the kernel saw of each rank (VmHWM), summed over "
            "ranks; in bytes: a GB is 10\N{SUPERSCRIPT NINE}, a GiB would be "
            "2\N{SUPERSCRIPT THREE}\N{SUPERSCRIPT ZERO}."
        ),
        "Validation": "All rules on the original edges, after every search, untimed; see above.",
        "Raw lines": (
            "Every number here is computed from records.jsonl in the folder of the run; that "
            "folder also holds both official texts, the environment, the log and the SHA-256 of "
            "each file."
        ),
    }
    statements = tuple(Fact(name, text) for name, text in texts.items())
    return Section(
        "method",
        TITLE,
        (Facts(statements, style="words"),),
        lead="Raw values are stored, statistics are computed from them on reading.",
        measured=False,
    )
