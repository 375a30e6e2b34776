# SPDX-License-Identifier: Apache-2.0
"""Which commands there are, in groups; where each lives and its line of help. Imports none."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """A command before it is imported."""

    line: str
    """what it does, short enough not to be cut in 80 columns"""
    place: str = ""
    """module and name of its function; empty where it has commands of its own"""
    inner: "Mapping[str, Entry]" = field(default_factory=dict)
    has_loudness: bool = False
    """takes --quiet and --verbose: all that it says goes through ``cli/terminal.py``"""
    has_command: bool = False
    """what stands behind its first word that is no option is another program's command line"""
    words: str = ""
    """of one with commands of its own: what stands above them in its help"""


@dataclass(frozen=True)
class Group:
    """Commands that belong together; named by one word in ``isobath help WORD``."""

    line: str
    commands: Mapping[str, Entry]
    is_for_developers: bool = False


BENCH = {
    "collectives": Entry(
        "Measure what every collective of MPI costs here.",
        "isobath.cli.bench_collectives:collectives",
        has_loudness=True,
    ),
    "overlap": Entry(
        "Is communication hidden behind work, or only faster?",
        "isobath.cli.bench_overlap:overlap",
        has_loudness=True,
    ),
    "cg": Entry(
        "Does pipelining conjugate gradients pay?", "isobath.cli.bench_cg:cg", has_loudness=True
    ),
    "replay": Entry(
        "Measure by itself what a search sent.",
        "isobath.cli.bench_replay:replay",
        has_loudness=True,
    ),
}  # fmt: skip

MODEL = {
    "fit": Entry(
        "Fit a formula to studies, and say whether it holds.",
        "isobath.cli.model:fit",
        has_loudness=True,
    ),
}

BASELINE = {
    "set": Entry("Keep studies as reference results.", "isobath.cli.baseline:set_baseline"),
    "list": Entry("List all baselines.", "isobath.cli.baseline:list_baselines"),
    "show": Entry("Show a baseline: cells, keys, additions.", "isobath.cli.baseline:show_baseline"),
    "accept": Entry("Accept a slower cell, for a reason.", "isobath.cli.baseline:accept"),
    "export": Entry("Write a baseline to a file for others.", "isobath.cli.baseline:export"),
    "import": Entry("Take in a baseline from a file.", "isobath.cli.baseline:import_baseline"),
}

CALIBRATE = {
    "noise": Entry(
        "Measure how launches scatter, and what that hides.",
        "isobath.cli.calibrate:noise",
        has_loudness=True,
    ),
    "network": Entry(
        "Measure what messages cost, as a platform to simulate.",
        "isobath.cli.calibrate_network:network",
        has_loudness=True,
    ),
}

GROUPS = {
    "measure": Group(
        "Measure: searches, plans against each other, MPI itself.",
        {
            "run": Entry(
                "Run Graph500: generate, construct, search, validate.",
                "isobath.cli.run:run",
                has_loudness=True,
            ),
            "search": Entry(
                "Search the graph of a file.", "isobath.cli.search:search", has_loudness=True
            ),
            "race": Entry(
                "Race search plans and settings on the same graph.",
                "isobath.cli.race:race",
                has_loudness=True,
            ),
            "bench": Entry(
                f"Measure MPI: {', '.join(BENCH)}.",
                inner=BENCH,
                words="Measure the MPI library of this machine.\n\n"
                "Begin with: ./isobath bench collectives",
            ),
            "profile": Entry(
                "See where any MPI program spends its communication.",
                "isobath.cli.profile:profile",
                has_loudness=True,
                has_command=True,
            ),
        },
    ),
    "studies": Group(
        "What was measured: find it, look at it, go on with it, clear it away.",
        {
            "list": Entry("List all studies that are stored.", "isobath.cli.list:list_studies"),
            "show": Entry("Show a study of any kind in the terminal.", "isobath.cli.show:show"),
            "report": Entry(
                "Write the page of a study: one HTML file.", "isobath.cli.report:report"
            ),
            "resume": Entry(
                "Go on with a study that was interrupted.",
                "isobath.cli.resume:resume",
                has_loudness=True,
            ),
            "tag": Entry("Give a study a word to find it by.", "isobath.cli.tag:tag"),
            "remove": Entry(
                "Remove studies for good; asks first.", "isobath.cli.remove:remove_studies"
            ),
            "prune": Entry(
                "Remove all but the newest studies; asks first.", "isobath.cli.remove:prune"
            ),
            "query": Entry("Ask anything of all studies in SQL.", "isobath.cli.query:query"),
        },
    ),
    "remember": Group(
        "Remember: what became faster, slower or stayed the same, and why.",
        {
            "compare": Entry(
                "Hold studies against each other: faster, slower, same.",
                "isobath.cli.compare:compare",
            ),
            "factors": Entry(
                "Say what each varied setting brings, in per cent.",
                "isobath.cli.factors:factors",
            ),
            "import": Entry(
                "Take in results of OSU, IMB, ReFrame, Graph500.",
                "isobath.cli.imported:import_results",
                has_loudness=True,
            ),
            "baseline": Entry(
                "Keep reference results; export and import them.",
                inner=BASELINE,
                words="Reference results: made of studies, never changed, given to others.\n\n"
                "Begin with: ./isobath baseline set NAME STUDY...",
            ),
            "calibrate": Entry(
                "Learn how launches scatter, and what messages cost.",
                inner=CALIBRATE,
                words="What has to be known before anything can be called slower, or simulated."
                "\n\nBegin with: ./isobath calibrate noise NAME",
            ),
            "regress": Entry(
                "Measure a baseline again: wrong, slower, or as it was?",
                "isobath.cli.regress:regress",
                has_loudness=True,
            ),
            "history": Entry(
                "Show the trend over all regressions; slow drift.", "isobath.cli.history:history"
            ),
        },
    ),
    "predict": Group(
        "Predict: models of time that say when they are wrong.",
        {
            "model": Entry(
                "Fit formulas of time to studies, with a verdict: fit.",
                inner=MODEL,
                words="Models of time, fitted to what was measured.\n\n"
                "Begin with: ./isobath model fit last",
            ),
            "predict": Entry(
                "Predict a search: more ranks, another grid or network.",
                "isobath.cli.predict:predict",
            ),
            "advise": Entry(
                "Advise plan, grid, mapping, exchange for so many nodes.",
                "isobath.cli.advise:advise",
            ),
            "simulate": Entry(
                "Simulate a search on hundreds of nodes that are not here.",
                "isobath.cli.simulate:simulate",
                has_loudness=True,
            ),
            "reproduce": Entry(
                "Say which published figures can be had here, and how.",
                "isobath.cli.reproduce:reproduce",
            ),
        },
    ),
    "prepare": Group(
        "Before measuring: what works here, what fits, set-up.",
        {
            "doctor": Entry(
                "See what works on this machine, and what to mend.", "isobath.cli.doctor:doctor"
            ),
            "plan": Entry(
                "Predict memory and time before running; what fits.", "isobath.cli.plan:plan"
            ),
            "setup": Entry("Set up environment, MPI and engine.", "isobath.cli.setup:setup"),
        },
    ),
    "data": Group(
        "Graphs and results of your own: make them, check them.",
        {
            "export": Entry(
                "Write the edges and weights of a scale to files.", "isobath.cli.export:export"
            ),
            "keys": Entry("Print the search keys of a scale.", "isobath.cli.keys:keys"),
            "verify": Entry(
                "Validate a search; recompute published figures.", "isobath.cli.verify:verify"
            ),
        },
    ),
    "develop": Group(
        "Prove Isobath itself.",
        {
            "test": Entry("Prove this checkout on this machine.", "isobath.cli.test:run_tests"),
            "audit": Entry("Account for every byte that a run sent.", "isobath.cli.audit:audit"),
        },
        is_for_developers=True,
    ),
}
"""By the word of ``isobath help WORD``."""

HELP = Entry("Explain a command, or a group of commands.", "isobath.cli.help:explain")

COMMANDS: dict[str, Entry] = {
    name: entry for group in GROUPS.values() for name, entry in group.commands.items()
} | {"help": HELP}
"""All of them by name."""
