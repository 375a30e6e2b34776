# SPDX-License-Identifier: Apache-2.0
"""isobath verify: published figures against each other; somebody's search against its graph."""

import difflib
import textwrap
from pathlib import Path
from typing import Annotated

import typer

from isobath.claims.claim import Claim, built_in_claims, claim_of, read_claims
from isobath.claims.recompute import Recomputed, Verdict, recompute
from isobath.cli.declared import alike
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import front_door
from isobath.cli.terminal import width
from isobath.errors import ExitCode, UsageError
from isobath.graphs.design import GraphFile
from isobath.kinds.search.settings import SEARCH
from isobath.launch.limits import Asked

NAME_WIDTH = 22
VERDICT_WIDTH = 14
PREFIXES = {"k": "e3", "m": "e6", "g": "e9", "t": "e12"}

EXIT_CODES = {
    Verdict.HOLDS: ExitCode.DONE,
    Verdict.DOES_NOT_HOLD: ExitCode.VIOLATIONS,
    Verdict.CANNOT_TELL: ExitCode.INCONCLUSIVE,
}

Which = Annotated[
    str | None,
    typer.Argument(
        metavar="GRAPH|NAME|FILE.toml",
        help="The file of the graph; with --claim a claim, or a file of claims.",
    ),
]
IsClaim = Annotated[bool, typer.Option("--claim", help="Verify published figures.")]
Number = str | None

FormatOption = Annotated[str | None, alike(SEARCH, "format")]
Weights = Annotated[str | None, alike(SEARCH, "weights")]
WeightSeed = Annotated[int | None, alike(SEARCH, "weight_seed")]
WeightType = Annotated[str, alike(SEARCH, "weight_type")]
Mpi = Annotated[str | None, alike(SEARCH, "mpi")]


def _figure(words: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(metavar="NUMBER", help=words)
    return option


def _claimed(words: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        metavar="FILE", help=f"{words}: .npy or .parquet."
    )
    return option


def verify(
    which: Which = None,
    *,
    claim: IsClaim = False,
    scale: Annotated[Number, _figure("log2 of the number of vertices.")] = None,
    edgefactor: Annotated[Number, _figure("Edges for each vertex.")] = None,
    seconds: Annotated[Number, _figure("Seconds that one search took.")] = None,
    teps: Annotated[Number, _figure("Traversed edges per second, for example 22.8G.")] = None,
    nodes: Annotated[Number, _figure("Number of machines in the claim.")] = None,
    scale_per_node: Annotated[
        Number, _figure("Scale of the part that one machine was given.")
    ] = None,
    cores: Annotated[Number, _figure("Cores of all machines together.")] = None,
    cores_per_node: Annotated[Number, _figure("Cores of each single machine.")] = None,
    threads_per_core: Annotated[Number, _figure("Hardware threads of each core.")] = None,
    root: Annotated[
        int | None, typer.Option(metavar="VERTEX", help="Vertex where the search began.")
    ] = None,
    parents: Annotated[Path | None, _claimed("Parents to validate")] = None,
    levels: Annotated[Path | None, _claimed("Levels to validate")] = None,
    distances: Annotated[Path | None, _claimed("Distances to validate")] = None,
    vertices: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Ids of the vertices of a .npy file, as a .npy file."),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(metavar="X", min=0, max=0.01, help="Relative error that distances may have."),
    ] = 1e-6,
    format_: FormatOption = None,
    weights: Weights = None,
    weight_seed: WeightSeed = None,
    weight_type: WeightType = "auto",
    mpi: Mpi = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Validate a search of a graph by its rules, or recompute published figures (--claim).

    GRAPH with --root and --parents, --levels or --distances: every rule against every edge. Ends
    with 1 where one is broken, and names the first. --claim alone lists what this project quotes;
    1 where figures do not hold, 6 where they cannot tell.
    """
    claimed = {"parents": parents, "levels": levels, "distances": distances}
    given_files = {kind: file for kind, file in claimed.items() if file is not None}
    if not claim:
        if which is None or root is None or len(given_files) != 1:
            raise UsageError(
                "verify takes a graph, --root and one of --parents, --levels and --distances; or "
                "--claim, with a name, a file or figures after it"
            )
        graph = GraphFile.of(
            which,
            format=format_,
            weights=weights,
            weight_seed=weight_seed,
            weight_type=weight_type,
        )
        kind, file = next(iter(given_files.items()))
        asked = Asked(hang_seconds, time_limit)
        return _verify_search(graph, kind, file, root, vertices, tolerance, mpi, asked)
    if given_files or root is not None:
        raise UsageError("--claim checks figures; leave it out to verify a search")
    figures = {
        "scale": scale,
        "edgefactor": edgefactor,
        "seconds": seconds,
        "teps": _expanded(teps),
        "nodes": nodes,
        "scale_per_node": scale_per_node,
        "cores": cores,
        "cores_per_node": cores_per_node,
        "threads_per_core": threads_per_core,
    }
    given = {name: words for name, words in figures.items() if words is not None}
    if given and which is not None:
        raise UsageError(f"{which} has figures of its own; leave it out, or the options")
    if not given and which is None:
        return _list()
    claims = (claim_of(given),) if given else _named(str(which))
    recomputed = [recompute(stated) for stated in claims]
    for number, checked in enumerate(recomputed):
        if number:
            print()
        _show(checked)
    return int(EXIT_CODES[_worst(recomputed)])


def _verify_search(
    graph: GraphFile,
    kind: str,
    file: Path,
    root: int,
    vertices: Path | None,
    tolerance: float,
    mpi: str | None,
    asked: Asked,
) -> int:
    from isobath.graphs.files import read_claims
    from isobath.graphs.verification import verify_claims

    claims = read_claims(kind, file, root, vertices)
    tolerance = tolerance if kind == "distances" else 0.0
    code, verdict = verify_claims(
        graph, kind, claims, root, tolerance=tolerance, mpi=mpi, asked=asked
    )
    print(verdict)
    return int(code)


def _expanded(words: str | None) -> str | None:
    """22.8G as 22.8e9."""
    if words and words[-1].lower() in PREFIXES:
        return words[:-1] + PREFIXES[words[-1].lower()]
    return words


def _named(which: str) -> tuple[Claim, ...]:
    known = built_in_claims()
    if which in known:
        return (known[which],)
    path = Path(which)
    if path.suffix == ".toml" or path.is_file():
        if not path.is_file():
            raise UsageError(f"there is no file {which}; give the path of a TOML file")
        return read_claims(path)
    near = difflib.get_close_matches(which, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "isobath verify --claim lists them"
    raise UsageError(f"there is no claim {which!r}; {hint}")


def _list() -> int:
    print(f"{'claim':<{NAME_WIDTH}}{'verdict':<{VERDICT_WIDTH}}says")
    for claim in built_in_claims().values():
        verdict = recompute(claim).verdict.value
        names = f"{claim.name:<{NAME_WIDTH}}{verdict:<{VERDICT_WIDTH}}"
        _fill(claim.says, names, " " * len(names))
    print(f"\nwhy, and where it stands: {front_door()} verify --claim NAME")
    return int(ExitCode.DONE)


def _show(recomputed: Recomputed) -> None:
    claim = recomputed.claim
    print(f"{claim.name}: {claim.says}")
    for finding in recomputed.findings:
        _print(finding.verdict.value, finding.sentence)
    for label, words in (
        ("quotable", claim.quotable),
        ("source", claim.source),
        ("note", claim.note),
    ):
        if words:
            _print(label, words)


def _print(label: str, words: str) -> None:
    indent = " " * (VERDICT_WIDTH + 2)
    first = f"  {label:<{VERDICT_WIDTH}}"
    _fill(words, first, indent)


def _fill(words: str, first: str, indent: str) -> None:
    """As many lines as the terminal needs for them."""
    print(textwrap.fill(words, width(), initial_indent=first, subsequent_indent=indent))


def _worst(recomputed: list[Recomputed]) -> Verdict:
    verdicts = {checked.verdict for checked in recomputed}
    for verdict in (Verdict.DOES_NOT_HOLD, Verdict.CANNOT_TELL):
        if verdict in verdicts:
            return verdict
    return Verdict.HOLDS
