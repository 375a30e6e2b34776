# SPDX-License-Identifier: Apache-2.0
"""The registry: all that is said of a kind outside its package. Imports nothing of a kind.

What a kind has is named as ``module:name`` and imported when it is asked for. It is
read as text too, by tools/bootstrap_needs.py, before there is an environment.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from isobath.study.ids import is_word
from isobath.study.kind import Kind

if TYPE_CHECKING:  # to list studies neither plans nor settings are needed
    from isobath.settings.declaration import Declaration
    from isobath.study.planned import Planned, Planning


@dataclass(frozen=True, kw_only=True)
class KindEntry:
    """A kind as it is found on disk, and where the parts of it live."""

    name: str
    """as its command"""
    noun: str
    """in sentences"""
    kind: str
    """its Kind"""
    settings: str
    """the declaration of its settings"""
    planner: str = ""
    """what makes a plan of settings; empty for studies of one launch, which have none"""
    program: str = ""
    """engine program whose records it reads, those too that it wrote without the laboratory"""
    doctor: str = ""
    """what doctor says of it; of a benchmark without, whether its program is built"""
    word: str
    """in the names of its studies, in small letters and digits; of runs it is their scale"""
    arguments: str = ""
    """what its command needs, where a person is told how to make one"""
    compares_mpi: bool = False
    """takes several MPI libraries"""
    library_chooses: bool = False
    """its cells are carried out by algorithms that the MPI library chose"""
    is_imported: bool = False
    """others measured it: it is compared with studies of any kind, and counts as none of ours"""
    older: str = ""
    """file that held its plan before there was study.json; empty where none did"""
    older_key: str = ""
    """what only its own plans have in that file, where several kinds had it"""
    older_settings: str = ""
    """what reads from that file, as far as they stand there, the settings beside seed and MPI"""
    older_has_command: bool = True
    """that file tells what was typed; where it does not, it tells all settings"""

    def __post_init__(self) -> None:
        """Raises: ValueError for a word that names of studies cannot hold."""
        if not is_word(self.word):
            raise ValueError(
                f"the word {self.word!r} of the kind {self.name} cannot stand in the names of its "
                "studies; take small letters and digits alone"
            )

    @property
    def label(self) -> str:
        """One short word for the study, before its path."""
        return self.name.partition(" ")[0]

    @property
    def has_one_launch(self) -> bool:
        """Its study is the sealed folder of that launch, without a plan."""
        return not self.planner

    def load(self) -> Kind[Any]:
        """The kind itself; imports what it needs."""
        return cast(Kind[Any], imported(self.kind))

    def declaration(self) -> "Declaration":
        """Of its settings."""
        return cast("Declaration", imported(self.settings))

    def settings_in(self, older: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a file of before tells of settings, by name."""
        told: Mapping[str, Any] = (
            imported(self.older_settings)(older) if self.older_settings else {}
        )
        return told

    def plan(self, values: Mapping[str, Any], planning: "Planning") -> "Planned":
        """What settings amount to on this machine; not for studies of one launch.

        Raises: UsageError, EnvironmentProblem; nothing has been made then.
        """
        return cast("Planned", imported(self.planner)(values, planning))


def imported(place: str) -> Any:
    """What ``module:name`` names."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


LABORATORY = "isobath.doctor.laboratory_findings"

KINDS = (
    KindEntry(
        name="run",
        noun="run",
        kind="isobath.kinds.run.kind:KIND",
        settings="isobath.kinds.run.settings:RUN",
        program="isobath-graph500",
        word="run",
    ),
    KindEntry(
        name="search",
        noun="search",
        kind="isobath.kinds.run.kind:KIND",
        settings="isobath.kinds.search.settings:SEARCH",
        program="isobath-search",
        word="search",
        arguments="FILE",
    ),
    KindEntry(
        name="race",
        noun="race",
        kind="isobath.kinds.race.kind:KIND",
        settings="isobath.kinds.race.settings:RACE",
        planner="isobath.kinds.race.wanted:planned_race",
        word="race",
        compares_mpi=True,
        older="race.json",
    ),
    KindEntry(
        name="profile",
        noun="profile",
        kind="isobath.kinds.profile.kind:KIND",
        settings="isobath.kinds.profile.settings:PROFILE",
        doctor=f"{LABORATORY}:profile_finding",
        word="profile",
        arguments="-- COMMAND",
    ),
    KindEntry(
        name="bench replay",
        noun="replay of a search",
        kind="isobath.kinds.replay.kind:KIND",
        settings="isobath.kinds.replay.settings:REPLAY",
        planner="isobath.kinds.replay.wanted:planned_replay",
        doctor=f"{LABORATORY}:replay_finding",
        word="replay",
        arguments="RUN",
        compares_mpi=True,
        library_chooses=True,
        older="bench.json",
        older_key="replayed",
        older_settings="isobath.kinds.replay.plan:settings_told",
    ),
    KindEntry(
        name="bench collectives",
        noun="benchmark of collectives",
        kind="isobath.kinds.collectives.kind:KIND",
        settings="isobath.kinds.collectives.settings:COLLECTIVES",
        planner="isobath.kinds.collectives.wanted:planned_bench",
        program="isobath-collectives",
        doctor=f"{LABORATORY}:collectives_finding",
        word="bench",
        compares_mpi=True,
        library_chooses=True,
        older="bench.json",
    ),
    KindEntry(
        name="bench overlap",
        noun="benchmark of overlap",
        kind="isobath.kinds.overlap.kind:KIND",
        settings="isobath.kinds.overlap.settings:OVERLAP",
        planner="isobath.kinds.overlap.wanted:planned_overlap",
        program="isobath-overlap",
        doctor=f"{LABORATORY}:overlap_finding",
        word="overlap",
        compares_mpi=True,
        older="overlap.json",
    ),
    KindEntry(
        name="bench cg",
        noun="benchmark of conjugate gradients",
        kind="isobath.kinds.cg.kind:KIND",
        settings="isobath.kinds.cg.settings:CG",
        planner="isobath.kinds.cg.wanted:planned_cg",
        program="isobath-krylov",
        doctor=f"{LABORATORY}:gradients_finding",
        word="cg",
        compares_mpi=True,
        older="cg.json",
        older_settings="isobath.kinds.cg.wanted:settings_told",
        older_has_command=False,
    ),
    KindEntry(
        name="model fit",
        noun="fit of a model",
        kind="isobath.kinds.model.kind:KIND",
        settings="isobath.kinds.model.settings:FIT",
        word="model",
        arguments="STUDY",
    ),
    KindEntry(
        name="simulate",
        noun="simulation",
        kind="isobath.kinds.simulate.kind:KIND",
        settings="isobath.kinds.simulate.settings:SIMULATE",
        doctor=f"{LABORATORY}:simulation_finding",
        word="simulate",
        arguments="RUN",
    ),
    KindEntry(
        name="import",
        noun="result of another program",
        kind="isobath.kinds.imported.kind:KIND",
        settings="isobath.kinds.imported.settings:IMPORT",
        word="import",
        arguments="FILE",
        is_imported=True,
    ),
    KindEntry(
        name="regress",
        noun="regression",
        kind="isobath.kinds.regress.kind:KIND",
        settings="isobath.kinds.regress.settings:REGRESS",
        planner="isobath.kinds.regress.wanted:planned_regress",
        word="regress",
        arguments="NAME",
    ),
)


def entry_named(name: str) -> KindEntry | None:
    """By its command (bench cg), the end of that (cg) or the word in its ids (bench)."""
    return next(
        (
            entry
            for entry in KINDS
            if name in (entry.name, entry.name.rpartition(" ")[2], entry.word)
        ),
        None,
    )


def entry_of(name: str) -> KindEntry:
    """The same for a name that is known to be one. Raises: KeyError."""
    entry = entry_named(name)
    if entry is None:
        raise KeyError(name)
    return entry


def declaration_of(kind: str) -> "Declaration":
    """The settings of a kind, by its command. Raises: KeyError where there is no such kind."""
    return entry_of(kind).declaration()


def is_of_others(variable: str) -> bool:
    """Whether a variable is a setting of any kind; imports them all, which the rare need pays."""
    return any(variable in entry.declaration().variables for entry in KINDS)
