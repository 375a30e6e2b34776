# SPDX-License-Identifier: Apache-2.0
"""From stored studies to the archive of a baseline, and from an archive to sides."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from isobath.baseline.entries import KeptCell, KeptLaunch, Key, Member, Part, Sample
from isobath.baseline.phases import with_phases
from isobath.compared.launch_facts import BUILD
from isobath.compared.sides import side_of
from isobath.comparison.measured import (
    Cell,
    Chosen,
    Launched,
    Side,
    Taken,
    Value,
    Zoom,
    words_of,
)
from isobath.errors import EnvironmentProblem, UsageError
from isobath.records.placement import host_words
from isobath.study.shelf import StoredStudy, printable

MACHINE = ("processor", "machine", "processors allowed")
"""Facts of a launch that say which machine it ran on."""

VERSION = re.compile(r"\d+\.\d[\w.]*")
WRONG = "WRONG DATA"


SettingsOf = Callable[[StoredStudy], Mapping[str, Any] | None]
"""What makes a study again; None where nobody knows."""


def members_of(
    studies: Sequence[StoredStudy], settings_of: SettingsOf
) -> tuple[tuple[Member, ...], tuple[str, ...]]:
    """A member for each study, or for several that the same settings make, and a sentence for each
    cell that is left out.

    Raises: EnvironmentProblem where a study is not as it was sealed or had wrong data: that is no
        reference; UsageError where nothing is left, and for several MPI libraries.
    """
    left_out: list[str] = []
    kept: list[tuple[Side, list[StoredStudy], list[Cell]]] = []
    for several in _made_alike(studies, settings_of):
        side = side_of("baseline", several)
        if side.is_altered:
            raise EnvironmentProblem(
                f"a baseline is made of what is as it was sealed: {side.problems[0]}"
            )
        cells = []
        for cell in with_phases(side.cells):
            if WRONG in cell.trouble or "rule of validation" in cell.trouble:
                raise EnvironmentProblem(
                    f"{cell.title}: {cell.trouble}; a wrong result is no reference: mend it, "
                    "measure again"
                )
            if cell.trouble or not cell.taken:
                left_out.append(f"{cell.title} is left out: {cell.trouble or 'it has no time'}")
            else:
                cells.append(cell)
        kept.append((side, several, cells))
    check_one_library([side for side, several, _ in kept if not several[0].entry.is_imported])
    names = iter(names_of([cell for _, _, cells in kept for cell in cells]))
    members = tuple(
        member_of(
            side, [study.study_id for study in several], settings_of(several[0]), cells, names
        )
        for side, several, cells in kept
        if cells
    )
    if not members:
        raise UsageError(f"nothing is left to keep: {'; '.join(left_out[:3])}")
    return members, tuple(left_out)


DRAWN = ("mpi", "seed", "launches", "repeats", "memory_limit", "store", "reports", "report")
"""Settings that say nothing of what is measured, or that a regression chooses anew."""


def _made_alike(studies: Sequence[StoredStudy], settings_of: SettingsOf) -> list[list[StoredStudy]]:
    """Studies of one kind that the same settings make: their launches are of the same cells."""
    alike: dict[str, list[StoredStudy]] = {}
    for study in studies:
        settings = settings_of(study)
        told = {name: value for name, value in (settings or {}).items() if name not in DRAWN}
        if study.entry.has_one_launch:  # what it chose for itself stands in its cells alone
            cells = side_of("baseline", [study]).cells
            told |= {f"bound {name}": words for cell in cells for name, words in cell.bound.items()}
        key = json.dumps([study.entry.name, settings is None, told], sort_keys=True, default=str)
        alike.setdefault(key, []).append(study)
    return list(alike.values())


def check_one_library(sides: Sequence[Side]) -> None:
    """Raises: UsageError for several MPI libraries: one is measured again, and only one."""
    names: dict[str, dict[str, None]] = {}
    """as it was chosen, by its file, and as it calls itself in each kind"""
    for side in sides:
        chosen = (str(cell.settings["mpi"]) for cell in side.cells if cell.settings.get("mpi"))
        facts = side.facts
        for name, told in (
            ("chosen", chosen),
            (BUILD, facts.get(BUILD, ())),
            (side.kind, facts.get("MPI library", ())),
        ):
            names.setdefault(name, {}).update(dict.fromkeys(told))
    several = next((list(told) for told in names.values() if len(told) > 1), [])
    if several:
        raise UsageError(
            f"a baseline is of one MPI library, and this is of {len(several)} ({', '.join(several)}"
            "): keep each in a baseline of its own; one study of several is measured again with "
            "--mpi NAME"
        )


def member_of(
    side: Side,
    studies: Sequence[str],
    settings: Mapping[str, Any] | None,
    cells: Sequence[Cell],
    names: Iterable[str],
) -> Member:
    """Args: names are those of the cells, in their order; more may follow."""
    launches = {name: KeptLaunch(began=one.began, facts=_shown(one.facts))
                for name, one in side.launches.items()}  # fmt: skip
    told = iter(names)
    return Member(
        kind=side.kind,
        studies=tuple(map(printable, studies)),
        settings=None if settings is None else dict(settings),
        launches=launches,
        cells=tuple(_kept(cell, next(told), side.launches) for cell in cells),
    )


def _shown(facts: Mapping[str, str]) -> dict[str, str]:
    """Without ends of lines and what a terminal would obey."""
    return {name: printable(words) for name, words in facts.items()}


def names_of(cells: Sequence[Cell]) -> list[str]:
    """A name for each, no two alike: its title, plan and ranks, then settings that tell it apart,
    at last its number.
    """
    plain = [_plain_name(cell) for cell in cells]
    counts = Counter(plain)
    longer = []
    for name, cell in zip(plain, cells, strict=True):
        same = [other for other, told in zip(cells, plain, strict=True) if told == name]
        apart = _apart(same) if counts[name] > 1 else ()
        words = [f"{key} {words_of(_value(cell, key))}" for key in apart]
        longer.append(", ".join((name, *words)))
    seen: Counter[str] = Counter()
    for place, name in enumerate(longer):
        seen[name] += 1
        if seen[name] > 1:
            longer[place] = f"{name}, number {seen[name]}"
    return longer


def _plain_name(cell: Cell) -> str:
    bound = dict(cell.bound)
    return printable(", ".join((cell.title, *(bound[one] for one in ("plan", "ranks")
                                              if one in bound))))  # fmt: skip


def _apart(cells: Sequence[Cell]) -> list[str]:
    names = dict.fromkeys(
        name for cell in cells for name in (*cell.bound, *cell.settings, *cell.identity)
    )
    return [name for name in names if len({_value(cell, name) for cell in cells}) > 1]


def _value(cell: Cell, name: str) -> Value:
    for told in (cell.settings, cell.identity):
        if name in told:
            return told[name]
    return next((words for bound, words in cell.bound.items() if bound == name), None)


def _kept(cell: Cell, name: str, launches: Mapping[str, Launched]) -> KeptCell:
    return KeptCell(
        name=name,
        key=key_of(cell, launches),
        title=cell.title,
        scale=cell.scale,
        identity=dict(cell.identity),
        bound=dict(cell.bound),
        settings=dict(cell.settings),
        samples=tuple(sample_of(taken) for taken in cell.taken),
        chosen=cell.chosen.name if cell.chosen else "",
        chosen_source=cell.chosen.source if cell.chosen else "",
        parts=tuple(tuple(_parts(zooms)) for zooms in cell.zooms),
    )


def sample_of(taken: Taken) -> Sample:
    """What one launch says of a cell, as it is kept."""
    turn = taken.turn
    words = "/".join(map(str, turn)) if isinstance(turn, tuple) else turn
    return Sample(value=taken.value, launch=taken.launch,
                  turn=None if words is None else str(words), scatter=taken.scatter)  # fmt: skip


def _parts(zooms: Iterable[Zoom]) -> Iterable[Part]:
    for zoom in zooms:
        for part, seconds in zoom.seconds.items():
            yield Part(of=zoom.of, part=part, seconds=seconds)


def key_of(cell: Cell, launches: Mapping[str, Launched]) -> Key:
    """By what its launches recorded of themselves, and what was asked for."""
    facts = next((launches[one.launch].facts for one in cell.taken if one.launch in launches), {})
    library = printable(facts.get("MPI library", "") or words_of(cell.settings.get("mpi", "")))
    version = VERSION.search(library)
    nodes = len([host for host in facts.get("nodes", "").split(", ") if host])
    size = cell.identity.get("size_bytes")
    forced = cell.identity.get("forced")
    return Key(
        machine=machine_of(facts),
        mpi=library,
        mpi_version=version[0] if version else "",
        nodes=nodes,
        ranks_per_node=_ranks_per_node(cell, nodes),
        shape=str(cell.identity.get("shape") or cell.settings.get("grid") or ""),
        collective=str(cell.identity.get("collective") or ""),
        size_bytes=size if isinstance(size, int) else None,
        algorithm=str(forced or (cell.chosen.name if cell.chosen else "")),
    )


def _ranks_per_node(cell: Cell, nodes: int) -> int:
    told = cell.settings.get("ranks per node")
    if isinstance(told, int):
        return told
    ranks = re.match(r"\d+", str(dict(cell.bound).get("ranks", "")))
    return -(-int(ranks[0]) // nodes) if ranks and nodes else 0


def machine_of(facts: Mapping[str, str]) -> str:
    """Processor, product and processors, as far as a launch knows them."""
    return printable("; ".join(facts[name] for name in MACHINE if facts.get(name)))


def nodes_of(facts: Mapping[str, str]) -> str:
    """Of a launch. Made-up nodes have other names in every launch, and are told by their number."""
    names = facts.get("nodes", "").split(", ")
    return ", ".join(sorted({host_words(name) for name in names} - {""}))


def side_from(member: Member, name: str = "baseline") -> Side:
    """A member as a comparison takes it."""
    launches = {key: Launched(one.began, one.facts) for key, one in member.launches.items()}
    cells = tuple(cell_from(cell) for cell in member.cells)
    return Side(name, member.studies, member.kind, cells, launches)


def cell_from(kept: KeptCell) -> Cell:
    """As the study gave it."""
    return Cell(
        kept.title,
        kept.scale,
        kept.identity,
        kept.bound,
        kept.settings,
        tuple(taken_from(sample) for sample in kept.samples),
        zooms=tuple(_zooms(parts) for parts in kept.parts),
        chosen=Chosen(kept.chosen, kept.chosen_source) if kept.chosen else None,
    )


def taken_from(sample: Sample) -> Taken:
    """As the study gave it."""
    return Taken(sample.value, sample.launch, sample.turn, sample.scatter)


def _zooms(parts: Iterable[Part]) -> tuple[Zoom, ...]:
    ways: dict[tuple[str, ...], dict[tuple[str, ...], float]] = {}
    for part in parts:
        ways.setdefault(part.of, {})[part.part] = part.seconds
    return tuple(Zoom(of, seconds) for of, seconds in ways.items())
