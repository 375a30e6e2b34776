# SPDX-License-Identifier: Apache-2.0
"""isobath verify: whether published figures fit each other."""

import difflib
import textwrap
from pathlib import Path
from typing import Annotated

import typer

from isobath.claims.claim import Claim, built_in_claims, claim_of, read_claims
from isobath.claims.recompute import Recomputed, Verdict, recompute
from isobath.errors import ExitCode, UsageError

WIDTH = 80
NAME_WIDTH = 22
VERDICT_WIDTH = 14
PREFIXES = {"k": "e3", "m": "e6", "g": "e9", "t": "e12"}

EXIT_CODES = {
    Verdict.HOLDS: ExitCode.DONE,
    Verdict.DOES_NOT_HOLD: ExitCode.VIOLATIONS,
    Verdict.CANNOT_TELL: ExitCode.INCONCLUSIVE,
}

Which = Annotated[
    str | None, typer.Argument(metavar="NAME|FILE.toml", help="One claim, or a file of them.")
]
IsClaim = Annotated[bool, typer.Option("--claim", help="Verify published figures.")]
Number = str | None


def _figure(words: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(metavar="NUMBER", help=words)
    return option


def verify(
    which: Which = None,
    *,
    claim: IsClaim = False,
    scale: Annotated[Number, _figure("log2 of the number of vertices.")] = None,
    edgefactor: Annotated[Number, _figure("Edges per vertex.")] = None,
    seconds: Annotated[Number, _figure("Time of one search.")] = None,
    teps: Annotated[Number, _figure("Edges per second, for example 22.8G.")] = None,
    nodes: Annotated[Number, _figure("Machines.")] = None,
    scale_per_node: Annotated[Number, _figure("Scale that one machine was given.")] = None,
    cores: Annotated[Number, _figure("Cores of all machines.")] = None,
    cores_per_node: Annotated[Number, _figure("Cores of one machine.")] = None,
    threads_per_core: Annotated[Number, _figure("Hardware threads of a core.")] = None,
) -> int:
    """Recompute TEPS, scale and cores of published figures, and say whether they hold.

    --claim alone lists what this project quotes. Ends with 1 where figures do not hold, with 6
    where they cannot tell.
    """
    if not claim:
        raise UsageError(
            "verify checks published figures so far; write isobath verify --claim, with a name, a "
            "file or figures after it"
        )
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
    found = [recompute(one) for one in claims]
    for number, one in enumerate(found):
        if number:
            print()
        _show(one)
    return int(EXIT_CODES[_worst(found)])


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
    for one in built_in_claims().values():
        verdict = recompute(one).verdict.value
        print(f"{one.name:<{NAME_WIDTH}}{verdict:<{VERDICT_WIDTH}}{one.says}")
    print("\nwhy, and where it stands: ./isobath verify --claim NAME")
    return int(ExitCode.DONE)


def _show(found: Recomputed) -> None:
    claim = found.claim
    print(f"{claim.name}: {claim.says}")
    for finding in found.findings:
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
    print(textwrap.fill(words, WIDTH, initial_indent=first, subsequent_indent=indent))


def _worst(found: list[Recomputed]) -> Verdict:
    verdicts = {one.verdict for one in found}
    for verdict in (Verdict.DOES_NOT_HOLD, Verdict.CANNOT_TELL):
        if verdict in verdicts:
            return verdict
    return Verdict.HOLDS
