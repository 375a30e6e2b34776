# SPDX-License-Identifier: Apache-2.0
"""MPI's own guidelines, where they were kept before and are broken with the library of today.

A guideline is a ratio of two times of one launch, so it is judged as a cell is: from turn to turn
where the old library is there, else against the sittings before.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, log1p
from statistics import median

import numpy as np

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import KeptCell, Sitting
from isobath.baseline.gathering import cell_from
from isobath.bench.guidelines import GUIDELINES, SLACK, Guideline
from isobath.comparison.measured import Cell
from isobath.guard.design import GUIDELINES as ERROR
from isobath.guard.design import Design, Look, due_looks
from isobath.guard.judging import judge_archive, reference_of
from isobath.guard.noise import GAP_SECONDS, LEAST_SITTINGS, noise_of, sittings_by_time
from isobath.kinds.regress.learned import apart_of
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.reading import RegressFound
from isobath.kinds.regress.sittings_kept import valid_sittings
from isobath.stats.rank_tests import signed_rank
from isobath.units import size_words


@dataclass(frozen=True)
class BrokenNow:
    """A guideline that the new library breaks and the old one did not."""

    words: str
    factor: float
    """the left side now takes so many times as long as the right"""
    before: float


Times = Mapping[str, float]
"""by launch"""

Curves = dict[str, dict[int, Cell]]
"""of each collective the cell of every size"""


def newly_broken(reading: RegressFound, *, is_last: bool) -> tuple[BrokenNow, ...]:
    """Those whose factor rose beyond chance, all checks and looks together, from kept to broken.
    What the baseline broke already is not new.

    Args: is_last says that nothing more is measured, so that this look takes what is left.
    """
    if reading.baseline is None:
        return ()
    known = {one.words for one in reading.baseline.archive.guidelines or ()}
    new = _checks_now(reading, "new")
    if reading.plan.in_turns:
        old = _checks_now(reading, "old")
        shared = [words for words in new if words in old]
        made = (_in_turns(words, old[words], new[words], reading, len(shared), is_last=is_last)
                for words in shared if words not in known)  # fmt: skip
    else:
        before = _factors_before(reading)
        shared = [words for words in new if words in before]
        made = (_in_archive(words, before[words], new[words], reading, len(shared), is_last=is_last)
                for words in shared if words not in known)  # fmt: skip
    return tuple(one for one in made if one is not None)


def _in_turns(
    words: str, old: Times, new: Times, reading: RegressFound, checks: int, *, is_last: bool
) -> BrokenNow | None:
    sides = [{_turn(launch): factor for launch, factor in one.items()} for one in (new, old)]
    turns = sorted(sides[0].keys() & sides[1].keys())
    now, before = ([side[turn] for turn in turns] for side in sides)
    factors = broken_in_turns(now, before, reading.plan.design, checks, is_last=is_last)
    return BrokenNow(words, exp(factors[0]), exp(factors[1])) if factors else None


def broken_in_turns(
    now: Sequence[float], before: Sequence[float], design: Design, checks: int, *, is_last: bool
) -> tuple[float, float] | None:
    """The median factors now and before, at the look at which a guideline is newly broken.

    Args: now and before are logarithms of its factor, turn by turn; checks is how many guidelines
        share the error.
    """
    for number, look in due_looks(design, len(now), is_last=is_last) if len(now) else ():
        # As with cells, a rise within the tolerance is none.
        rise = np.array(now[:number]) - np.array(before[:number]) - log1p(design.tolerance)
        medians = median(now[:number]), median(before[:number])
        if is_broken(*medians) and signed_rank(rise)[1] < _share(look, checks):
            return medians
    return None


def _in_archive(
    words: str, groups: Sequence[Sequence[float]], new: Times, reading: RegressFound, checks: int,
    *, is_last: bool,
) -> BrokenNow | None:  # fmt: skip
    design = reading.plan.design
    try:
        noise, reference = noise_of(groups), reference_of(groups)
    except ValueError:
        return None
    if noise.sittings < LEAST_SITTINGS:
        return None
    turns = sorted(new, key=_turn)
    for number, look in due_looks(design, len(turns), is_last=is_last) if turns else ():
        now = [new[turn] for turn in turns[:number]]
        verdict = judge_archive([exp(one) for one in now], reference, noise, design, look)
        if verdict.p_slower < _share(look, checks) and is_broken(median(now), reference.mean):
            return BrokenNow(words, exp(median(now)), exp(reference.mean))
    return None


def _share(look: Look, checks: int) -> float:
    """Of the error of all guidelines, what one of them may spend at a look."""
    return ERROR / checks * look.share


def is_broken(now: float, before: float) -> bool:
    """Whether a guideline was kept, and is not: by logarithms of its factor."""
    return now > log(SLACK) and before <= log(SLACK)


def _turn(launch: str) -> int:
    return int(launch.rpartition("-")[2])


def _checks_now(reading: RegressFound, name: SideName) -> dict[str, Times]:
    """Of each study by itself: a guideline is about times of one launch. Where several have it, the
    first counts.
    """
    checks: dict[str, Times] = {}
    for side in reading.sides.get(name, ()):
        checks = _checks(side.cells) | checks
    return checks


def _factors_before(reading: RegressFound) -> dict[str, list[list[float]]]:
    """By guideline and size, factors of the archive and of sittings, those of a sitting together;
    nothing where sittings are too few to say what varies between them.
    """
    assert reading.baseline is not None
    sittings = valid_sittings(reading.baseline, reading.measured_at)
    if apart_of(sittings).separate < LEAST_SITTINGS:
        return {}
    taken: dict[str, list[tuple[float, float]]] = {}
    first: dict[str, int] = {}
    for place, began, times in _earlier(reading.baseline, sittings):
        for words, factors in times.items():
            if first.setdefault(words, place) != place:
                continue
            taken.setdefault(words, []).extend(
                (began.get(launch, began[""]), exp(factor)) for launch, factor in factors.items()
            )
    found_by_words = {}
    for words, rows in taken.items():
        groups = sittings_by_time([time for time, _ in rows], GAP_SECONDS)
        found_by_words[words] = [[rows[place][1] for place in group] for group in groups]
    return found_by_words


def _earlier(
    baseline: Baseline, sittings: Iterable[Sitting]
) -> Iterator[tuple[int, Mapping[str, float], dict[str, Times]]]:
    """Of each member by its place, when launches began, by name ("" is of all others), and their
    factors.
    """
    several = list(sittings)
    for place, member in enumerate(baseline.archive.members):
        began = {"": 0.0} | {name: one.began for name, one in member.launches.items()}
        yield place, began, _checks(map(cell_from, member.cells))
        for sitting in several:
            kept = (_measured_in(sitting, one) for one in member.cells)
            yield place, {"": sitting.began}, _checks(kept)


def _measured_in(sitting: Sitting, kept: KeptCell) -> Cell:
    samples = sitting.samples.get(kept.name, ())
    return cell_from(kept.model_copy(update={"samples": samples}))


def _checks(cells: Iterable[Cell]) -> dict[str, Times]:
    """By guideline and size, of each launch the logarithm of left by right. Where several places
    have it, the first counts.
    """
    checks: dict[str, Times] = {}
    for words, left, right in checks_between(cells):
        if words not in checks:
            checks[words] = _factors(_by_launch(left), [_by_launch(cell) for cell in right])
    return checks


def checks_between(cells: Iterable[Cell]) -> Iterator[tuple[str, Cell, Sequence[Cell]]]:
    """Every guideline that cells can be held to: in words, its left side, its right side."""
    for ranks, curves in _curves(cells):
        for guideline in GUIDELINES:
            yield from _of_guideline(guideline, curves, ranks)
        yield from _growing(curves, ranks)


def _curves(cells: Iterable[Cell]) -> Iterator[tuple[int, Curves]]:
    """With the ranks that all of it has."""
    by_place: dict[tuple[object, ...], tuple[int, Curves]] = {}
    for cell in cells:
        collective, size = cell.identity.get("collective"), cell.identity.get("size_bytes")
        if not collective or not isinstance(size, int) or cell.trouble or not _is_plain(cell):
            continue
        ranks = int(dict(cell.bound)["ranks"].split()[0])
        of_place = (
            cell.settings.get(name) for name in ("alignment", "transport", "ranks per node")
        )
        place = (ranks, *map(str, of_place))
        _, curves = by_place.setdefault(place, (ranks, {}))
        curves.setdefault(str(collective), {})[size] = cell
    yield from by_place.values()


def _by_launch(cell: Cell) -> Times:
    return {taken.launch: taken.value for taken in cell.taken}


PLAIN = {"forced": None, "form": "blocking", "along": "world", "counts": "uniform",
         "buffers": "warm", "cadence": "isolated", "arrival": "zero"}  # fmt: skip


def _is_plain(cell: Cell) -> bool:
    return all(cell.identity.get(name) == value for name, value in PLAIN.items())


def _of_guideline(
    guideline: Guideline, curves: Curves, ranks: int
) -> Iterator[tuple[str, Cell, Sequence[Cell]]]:
    for size, left in curves.get(guideline.left, {}).items():
        right: list[Cell] = []
        for name, size_of in guideline.right:
            least = size_of(size, ranks)
            there = [other for other in sorted(curves.get(name, {})) if other >= least]
            right += [curves[name][there[0]]] if there else []
        if len(right) == len(guideline.right):
            yield _words(guideline.words(), size, ranks), left, right


def _growing(curves: Curves, ranks: int) -> Iterator[tuple[str, Cell, Sequence[Cell]]]:
    """A smaller size takes no longer than the next larger one."""
    for name, by_size in curves.items():
        for smaller, larger in pairwise(sorted(by_size)):
            words = _words(f"{name} grows with size", smaller, ranks)
            yield words, by_size[smaller], [by_size[larger]]


def _factors(left: Times, right: Sequence[Times]) -> Times:
    launches = set(left).intersection(*right)
    return {one: log(left[one] / sum(times[one] for times in right)) for one in sorted(launches)}


def _words(guideline: str, size: int, ranks: int) -> str:
    """As the archive names those that were broken."""
    return f"{guideline} at {size_words(size)}, {ranks} ranks"
