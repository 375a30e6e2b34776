# SPDX-License-Identifier: Apache-2.0
"""How the race was run and compared, and which published figure each chart corresponds to."""

from isobath.report.race_data import RaceData
from isobath.report.wording import count_of
from isobath.view.content import Block, Fact, Facts, Link, Links, Section, Table, columns

TITLE = "How it was measured"

COUNTERPARTS = (
    ("TSUBAME 2.0 paper", "figure 2: bytes per node of the replicated plan, weak scaling",
     "bytes", "Bytes per node, panel up to 1,024 nodes"),
    ("TSUBAME 2.0 paper", "figures 5 and 6: GTEPS on up to 128 and 512 nodes", "speed",
     "GTEPS against ranks, two ranges"),
    ("TSUBAME 2.0 paper", "figure 7: bytes per node, replicated and two-dim", "bytes",
     "Bytes per node, measured points on curves"),
    ("HPC Advisory Council deck", "share of MPI time per call", "calls",
     "Share of MPI time per call, and of wall time beside it"),
    ("HPC Advisory Council deck", "message sizes of the codes", "calls",
     "Message sizes by number, bytes and time"),
    ("HPC Advisory Council deck", "comparisons of MPI libraries and interconnects in per cent",
     "results", "All results, columns 'against ...', and the table of libraries and transports"),
    ("HPC Advisory Council deck", "GTEPS against scale", "results", "Against scale"),
    ("Stampede2 report", "profile: alltoall of counts 17.0 %, alltoallv of data 15.2 %, allreduce "
     "14.8 %", "calls", "Count exchanges as a line of their own"),
    ("Stampede2 report", "wish: point-to-point instead of alltoallv, empty pairs skipped",
     "results", "exchange sparse or pairwise as a factor"),
    ("Stampede2 report", "wish: a 2D partition", "ladder", "two-dim against simple, and onwards"),
)  # fmt: skip
"""Source, its figure, the section here, and what stands there."""


def render(race: RaceData) -> Section:
    """One statement per subject, then the table of counterparts, then links."""
    facts = tuple(Fact(name, text) for name, text in _texts(race).items())
    rows = tuple((source, figure, here) for source, figure, _, here in COUNTERPARTS)
    blocks: list[Block] = [
        Facts(facts, style="words"),
        Table(
            "Figures of others and their counterparts here",
            columns("source", "its figure", "here"),
            rows,
        ),
        Links(
            "To the counterparts",
            tuple(
                Link(name, f"#{name}")
                for name in dict.fromkeys(counterpart[2] for counterpart in COUNTERPARTS)
            ),
        ),
        Links(
            "Words",
            tuple(
                Link(word, f"#word-{word.replace(' ', '-')}")
                for word in ("plan", "expand", "fold", "class a", "wait", "oversubscribed")
            ),
        ),
    ]
    if race.links:
        links = tuple(Link(name, place) for name, place in race.links.items())
        blocks.append(Links("Files of the race", links))
    return Section(
        "method",
        TITLE,
        tuple(blocks),
        lead="Every plan searches the same graph from the same roots, in random order of runs.",
        measured=False,
    )


def _texts(race: RaceData) -> dict[str, str]:
    order = {
        "full": "all combinations of the factors",
        "listed": "the combinations that were listed",
    }.get(race.design, race.design)
    scaling = {
        "weak": " The graph grows with the ranks (weak scaling).",
        "strong": " The graph stays the same while ranks grow (strong scaling).",
    }.get(race.scaling, "")
    return {
        "Design": (
            f"{count_of(len(race.cells), 'cell')}: {order}, each run "
            f"{count_of(race.repeats, 'time')} with {count_of(race.keys, 'key')}, in an order "
            f"drawn with seed {race.seed}.{scaling}"
        ),
        "Plans": (
            "Published plans run as published: with their own numbering, and duplicates as they "
            "keep them. What hybrid has more is a switch; the ladder turns one after the other."
        ),
        "Rates": (
            "Harmonic mean over all searches of all runs of a cell; its interval is Student's at "
            "95 % from the standard error of that mean. It covers the spread over roots, and that "
            "over runs only where cells were repeated."
        ),
        "Ratios": (
            "Of means over the searches, seconds per edge or bytes; the 95 % interval is that of "
            "the ratio's logarithm, from its error to first order, where cells share graph and "
            "roots from the differences root by root, which are smaller than the spread over "
            "roots."
        ),
        "Bytes": (
            "Counted by the comm layer as the MPI operation moves them: what a rank keeps is never "
            "counted; an allreduce of b bytes counts b to each other rank. Messages of the MPI "
            "library below that are not seen."
        ),
        "Seconds of a phase": "Of several ranks the slowest counts, so phases may exceed a search.",
        "Waiting": (
            "From a rank's entry into an MPI call until the last rank of the call had entered it. "
            "Ranks of one node share a clock; between nodes clocks are synchronised, and the table "
            "of waits says how well."
        ),
        "Oversubscribed": (
            "More ranks times threads than processors: ranks take turns, so times are not "
            "measurements of this machine. Bytes, messages and levels are the same as anywhere."
        ),
        "Nodes": (
            "Ranks on one machine are one node, unless an override pretends otherwise; then "
            "off-node bytes are counted for the pretended nodes, while times stay those of here."
        ),
        "Raw lines": (
            "Every number is computed on reading, from the plan, audit.jsonl and records.jsonl "
            "of the runs, each sealed with the SHA-256 of its files."
        ),
    }
