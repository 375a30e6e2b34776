# SPDX-License-Identifier: Apache-2.0
"""What can be recomputed of a claim, and whether it holds."""

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log2

from isobath.claims.claim import Claim
from isobath.claims.figure import Figure
from isobath.errors import UsageError
from isobath.units import format_bytes, format_seconds, format_teps

TOLERANCE = 0.01
"""Beyond rounding: a mean of times is not the time of a mean, and self-loops are no traversed
edges.
"""

LARGEST_SCALE = 100

SMALL_FACTOR = 0.03
"""So near, as a share, must a whole scale be to be called the one that fits."""


class Verdict(enum.Enum):
    """Whether figures fit each other."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Finding:
    """One thing recomputed, in a sentence."""

    verdict: Verdict
    sentence: str


@dataclass(frozen=True)
class Recomputed:
    """All findings about one claim."""

    claim: Claim
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        """One finding against it is enough; what cannot be told counts only by itself."""
        verdicts = {finding.verdict for finding in self.findings}
        for worst in (Verdict.DOES_NOT_HOLD, Verdict.HOLDS):
            if worst in verdicts:
                return worst
        return Verdict.CANNOT_TELL


def recompute(claim: Claim) -> Recomputed:
    """Everything that follows from the claim's figures."""
    figures = claim.figures
    findings = [
        *_teps(figures),
        *_scale_of_nodes(figures),
        *_cores(figures),
        *_per_node(figures),
        *_quotient(figures),
        *_axis(figures),
        *_ranks(figures),
        *_grids(claim),
        *_shares(claim),
        *_series(claim),
    ]
    if not findings:
        findings = [Finding(Verdict.CANNOT_TELL, _missing(claim))]
    return Recomputed(claim, tuple(findings))


def _teps(figures: Mapping[str, Figure]) -> Iterator[Finding]:
    """Rate, time and scale: of three each follows from the others."""
    rate, seconds = teps_of(figures), figures.get("seconds")
    scale = _exponent(figures["scale"]) if "scale" in figures else None
    edgefactor = figures["edgefactor"].whole if "edgefactor" in figures else 16
    if scale is not None and seconds is not None:
        yield _rate(scale, edgefactor, seconds, rate)
    elif rate is not None and seconds is not None:
        fits = _fitting_scale(rate.value * seconds.value, edgefactor)
        yield Finding(
            Verdict.CANNOT_TELL,
            f"no scale is given with rate and time{fits}",
        )
    elif rate is not None and scale is not None:
        took = format_seconds(edgefactor * 2.0**scale / rate.value)
        yield Finding(
            Verdict.CANNOT_TELL,
            f"no time is given with scale and rate; at {format_teps(rate.value)} a search of scale "
            f"{scale} takes {took}",
        )


def _exponent(scale: Figure) -> int:
    if scale.whole > LARGEST_SCALE:
        raise UsageError(f"scale {scale.text} is larger than any graph; it is the log2 of vertices")
    return scale.whole


def _rate(scale: int, edgefactor: int, seconds: Figure, said: Figure | None) -> Finding:
    edges = edgefactor * 2.0**scale
    rate = format_teps(edges / seconds.value)
    sum_up = f"2^{scale} x {edgefactor} edges in {seconds.text} s are {rate}"
    if said is None:
        return Finding(Verdict.CANNOT_TELL, f"{sum_up}; no rate is given to compare")
    if _agree(edges / seconds.high, edges / seconds.low, said):
        return Finding(Verdict.HOLDS, f"{sum_up}, as said")
    fits = _fitting_scale(said.value * seconds.value, edgefactor)
    return Finding(Verdict.DOES_NOT_HOLD, f"{sum_up}, not {format_teps(said.value)}{fits}")


def _fitting_scale(edges: float, edgefactor: int) -> str:
    exact = log2(edges / edgefactor)
    near = round(exact)
    if abs(2 ** (exact - near) - 1) < SMALL_FACTOR:
        return f"; scale {near} would fit"
    return f"; no scale would fit, the nearest is {exact:.2f}"


def teps_of(figures: Mapping[str, Figure]) -> Figure | None:
    """Edges per second, however they were given."""
    if "teps" in figures:
        return figures["teps"]
    return figures["gteps"].times(1e9) if "gteps" in figures else None


def _scale_of_nodes(figures: Mapping[str, Figure]) -> Iterator[Finding]:
    if not {"scale", "scale_per_node", "nodes"} <= set(figures):
        return
    nodes, each = figures["nodes"].whole, figures["scale_per_node"].whole
    whole = each + log2(nodes)
    says = f"scale {each} on each of {nodes:,} nodes is scale {whole:g}"
    if whole == figures["scale"].whole:
        yield Finding(Verdict.HOLDS, f"{says}, as said")
    else:
        yield Finding(Verdict.DOES_NOT_HOLD, f"{says}, not {figures['scale'].text}")


def _cores(figures: Mapping[str, Figure]) -> Iterator[Finding]:
    if not {"cores", "nodes", "cores_per_node"} <= set(figures):
        return
    said, nodes, each = (figures[n].whole for n in ("cores", "nodes", "cores_per_node"))
    threads = figures["threads_per_core"].whole if "threads_per_core" in figures else 1
    sum_up = f"{nodes:,} nodes x {each} are {nodes * each:,} cores"
    if said == nodes * each:
        yield Finding(Verdict.HOLDS, f"{sum_up}, as said")
    elif said == nodes * each * threads:
        yield Finding(
            Verdict.DOES_NOT_HOLD,
            f"{sum_up}; {said:,} = {nodes:,} x {each * threads} are hardware threads",
        )
    else:
        yield Finding(Verdict.DOES_NOT_HOLD, f"{sum_up}, not {said:,}")


def _per_node(figures: Mapping[str, Figure]) -> Iterator[Finding]:
    for count, each in (("nodes", "gteps_per_node"), ("units", "gteps_per_unit")):
        if {"gteps", count, each} <= set(figures):
            yield _compare(
                figures["gteps"],
                figures[count],
                figures[each],
                f"{figures['gteps'].text} GTEPS on {figures[count].text} {count} are",
                f" on each of the {count}",
            )


def _quotient(figures: Mapping[str, Figure]) -> Iterator[Finding]:
    if {"numerator", "denominator", "quotient"} <= set(figures):
        first, other = figures["numerator"], figures["denominator"]
        yield _compare(first, other, figures["quotient"], f"{first.text} / {other.text} is", "")


def _compare(first: Figure, other: Figure, said: Figure, beginning: str, ending: str) -> Finding:
    sentence = f"{beginning} {first.value / other.value:.3g}{ending}"
    if _agree(first.low / other.high, first.high / other.low, said):
        return Finding(Verdict.HOLDS, f"{sentence}, as said")
    base = f"{first.value / said.value:,.6g}"
    return Finding(Verdict.DOES_NOT_HOLD, f"{sentence}, not {said.text}, which needs {base} below")


def _axis(figures: Mapping[str, Figure]) -> Iterator[Finding]:
    if not {"scale", "ranks_per_node", "levels", "axis_gigabytes"} <= set(figures):
        return
    scale = _exponent(figures["scale"])
    ranks, levels = figures["ranks_per_node"].whole, figures["levels"].whole
    total = 2**scale // 8 * ranks * levels
    top = figures["axis_gigabytes"]
    sentence = (
        f"2^{scale}/8 bytes x {ranks} ranks x {levels} levels are {format_bytes(total)} per node"
    )
    if 0.9 * top.value * 1e9 <= total <= top.value * 1e9:
        yield Finding(Verdict.HOLDS, f"{sentence}, just below the axis top of {top.text} GB")
    else:
        yield Finding(Verdict.DOES_NOT_HOLD, f"{sentence}; the axis ends at {top.text} GB")


def _ranks(figures: Mapping[str, Figure]) -> Iterator[Finding]:
    if not {"ranks", "nodes", "ranks_per_node"} <= set(figures):
        return
    said, nodes, each = (figures[n].whole for n in ("ranks", "nodes", "ranks_per_node"))
    sentence = f"{nodes:,} nodes x {each} are {nodes * each:,} processes"
    if said == nodes * each:
        yield Finding(Verdict.HOLDS, f"{sentence}, as said")
    else:
        yield Finding(Verdict.DOES_NOT_HOLD, f"{sentence}, not {said:,}")


def _grids(claim: Claim) -> Iterator[Finding]:
    if not claim.grids:
        return
    wrong = [f"{r}x{c}" for p, r, c in claim.grids if r * c != p]
    flat = [f"{r}x{c}" for p, r, c in claim.grids if not r <= c <= 2 * r]
    if wrong:
        yield Finding(Verdict.DOES_NOT_HOLD, f"no grid of its processes: {_listed(wrong)}")
    elif flat:
        yield Finding(Verdict.DOES_NOT_HOLD, f"not within R <= C <= 2R: {_listed(flat)}")
    else:
        yield Finding(
            Verdict.HOLDS,
            f"all {len(claim.grids)} grids have their processes, and R <= C <= 2R",
        )


def _shares(claim: Claim) -> Iterator[Finding]:
    if not claim.shares:
        return
    least = sum(share.low for share in claim.shares.values())
    total = sum(share.value for share in claim.shares.values())
    if least > 100:
        yield Finding(Verdict.DOES_NOT_HOLD, f"the shares add up to {total:.4g} %, more than all")
        return
    if claim.decreasing and not _falls(claim.shares.values()):
        yield Finding(Verdict.DOES_NOT_HOLD, f"{_listed(claim.shares)} do not fall in this order")
        return
    order = f", {_listed(claim.shares)} in falling order" if claim.decreasing else ""
    yield Finding(Verdict.HOLDS, f"the shares add up to {total:.4g} %{order}; the rest is not told")


def _series(claim: Claim) -> Iterator[Finding]:
    if not claim.series:
        return
    wrong = [
        f"{first.text}/{other.text} is {first.value / other.value:.3g}, not {said.text}"
        for _, first, other, said in claim.series
        if not _agree(first.low / other.high, first.high / other.low, said)
    ]
    if wrong:
        yield Finding(Verdict.DOES_NOT_HOLD, "; ".join(wrong))
    else:
        yield Finding(
            Verdict.HOLDS, f"all {len(claim.series)} quotients are those of the values printed"
        )


def _agree(low: float, high: float, said: Figure) -> bool:
    """Whether what was found, between its ends, may have been rounded to what was said."""
    return low * (1 - TOLERANCE) <= said.high and said.low <= high * (1 + TOLERANCE)


def _falls(shares: Iterable[Figure]) -> bool:
    values = [share.value for share in shares]
    return all(before > other for before, other in pairwise(values))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _missing(claim: Claim) -> str:
    """What would have to be known."""
    figures = set(claim.figures)
    if "quotient" in figures:
        return "a quotient alone; the two values it was taken of are not given"
    if {"gteps", "teps"} & figures:
        return "a rate alone; neither scale and time nor anything to compare with is given"
    if "seconds" in figures:
        return "no rate and scale are given with the time"
    return "nothing in it can be recomputed from anything else in it"
