# SPDX-License-Identifier: Apache-2.0
"""All that a benchmark of conjugate gradients has: tables, what is wrong, how far it came."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from isobath.errors import ExitCode, IsobathError
from isobath.krylov.reading import LEAST_LAUNCHES, Group, groups_of, norms_apart, own_norms
from isobath.krylov.shares import Share, shares_of
from isobath.krylov.spec import PETSC, CgFolder, CgSpec
from isobath.records.codec import AnyRecord, read_records
from isobath.records.ending import FailureRecord
from isobath.records.krylov import KrylovRecord
from isobath.store.folders import SENTENCES, RunFolder

SEALED = ("records.jsonl", "run.json")
"""What is read of a launch."""


@dataclass(frozen=True)
class Measured:
    """A benchmark with all that was read of it."""

    groups: tuple[Group, ...]
    not_measured: tuple[str, ...]
    problems: tuple[str, ...]
    """one sentence each"""
    codes: frozenset[ExitCode] = frozenset()
    """of launches, of damaged folders, of norms"""
    launches_done: int = 0
    launches: int = 0
    """all that were planned"""
    is_damaged: bool = False
    """a folder is not what was sealed"""

    @property
    def labels(self) -> tuple[str, ...]:
        """What has to be known before any number is believed."""
        found = []
        if self.launches_done < self.launches:
            found.append(f"UNFINISHED: {self.launches_done} of {self.launches} launches are done.")
        rows = [row for group in self.groups for row in group.rows if row.is_result]
        if any(len(row.records) < LEAST_LAUNCHES for row in rows):
            found.append(
                f"FEW LAUNCHES: fewer than {LEAST_LAUNCHES}; launches differ more than their "
                "repetitions say."
            )
        return tuple(found)


@dataclass
class _Reader:
    """Reads sealed folders; keeps what is wrong with them."""

    problems: list[str] = field(default_factory=list)
    codes: set[ExitCode] = field(default_factory=set)
    is_damaged: bool = False

    def launch(self, sealed: RunFolder) -> list[AnyRecord]:
        """Its records, how it ended noted."""
        rows = self.records(sealed, "the launch is")
        if rows is None:
            return []
        failures = [one for one in rows if isinstance(one, FailureRecord)]
        self.problems += [f"{sealed.run_id}: {one.message}" for one in failures]
        self.codes.add(ExitCode(sealed.summary().exit_code or 0))
        return rows

    def records(self, sealed: RunFolder, what: str) -> list[AnyRecord] | None:
        """Those that were sealed; None, and one sentence, where they are not."""
        try:
            differences = sealed.differences()
            spoiled = any(name in differences for name in SEALED)
            if differences:
                words = ", ".join(f"{name} {SENTENCES[how]}" for name, how in differences.items())
                ending = f"; {what} left out of the tables" if spoiled else ""
                self._damage(sealed, words + ending)
            if spoiled:
                return None
            sealed.summary()
            return read_records(sealed.path / "records.jsonl")
        except IsobathError as error:
            self._damage(sealed, str(error))
            return None

    def _damage(self, sealed: RunFolder, sentence: str) -> None:
        self.problems.append(f"{sealed.run_id}: {sentence}")
        self.codes.add(ExitCode.ENVIRONMENT)
        self.is_damaged = True


def read_measured(folder: CgFolder) -> Measured:
    """Everything a benchmark has so far. Raises: EnvironmentProblem where cg.json is damaged."""
    spec = folder.spec()
    reader = _Reader()
    found: dict[str, list[tuple[bool, KrylovRecord]]] = {}
    done = 0
    for arm, launch in sorted(spec.runs(), key=lambda one: (one[0].arm, one[1])):
        sealed = folder.sealed_run(arm, launch)
        if sealed is None:
            continue
        done += 1
        rows = reader.launch(sealed)
        mine = [(arm.is_base, one) for one in rows if isinstance(one, KrylovRecord)]
        found.setdefault(arm.mpi, []).extend(mine)
    cells = [one for rows in found.values() for _, one in rows]
    own = own_norms(cells)
    shares = _shares(folder, spec, reader)
    groups = [
        group.held_against(own).with_shares(shares.get((group.mpi, group.ranks), {}))
        for mpi, rows in found.items()
        for group in groups_of(mpi, rows)
    ]
    wrong = [*_wrong(cells), *norms_apart(cells)]
    reader.codes |= {ExitCode.VIOLATIONS} if wrong else set()
    return Measured(
        tuple(sorted(groups, key=lambda one: (one.elements, one.ranks, one.mpi == PETSC))),
        (*spec.left_out, *_idle(cells)),
        (*reader.problems, *wrong),
        frozenset(reader.codes - {ExitCode.DONE}),
        done,
        sum(1 for _ in spec.runs()),
        reader.is_damaged,
    )


def _shares(
    folder: CgFolder, spec: CgSpec, reader: _Reader
) -> dict[tuple[str, int], dict[str, tuple[Share, ...]]]:
    found = {}
    for arm in spec.profiled_arms():
        sealed = folder.sealed_profile(arm)
        rows = reader.records(sealed, "the profile is") if sealed is not None else None
        if rows is not None:
            found[(arm.mpi, arm.ranks)] = shares_of(rows)
    return found


def _wrong(cells: Sequence[KrylovRecord]) -> list[str]:
    return [
        f"{one.method}, {one.progress}: {one.data_check_failure}"
        for one in cells
        if one.data_check == "failed"
    ]


def _idle(cells: Sequence[KrylovRecord]) -> dict[str, None]:
    return dict.fromkeys(
        f"{one.progress.replace('_', ' ')} {one.not_runnable}" for one in cells if one.not_runnable
    )
