# SPDX-License-Identifier: Apache-2.0
"""The library of a baseline, found again on this machine: by its release and its build."""

from dataclasses import dataclass

from isobath.baseline.chain import Baseline
from isobath.compared.launch_facts import BUILD
from isobath.launch.installation import Installation
from isobath.launch.library_build import build_of
from isobath.launch.mpi_library import MpiLibrary, choose_library, known_libraries

NONE = "none"


@dataclass(frozen=True)
class Kept:
    """What a baseline tells of a library that it was measured under."""

    id: str
    """under which set-up knew it; another library may have that name by now"""
    version: str
    build: str
    """digest of its file; empty in baselines of before"""

    def is_that(self, library: MpiLibrary) -> bool:
        """The same file; of a baseline that tells none the same release and id."""
        if self.build:
            return build_of(library) == self.build
        return (library.id, library.version) == (self.id, self.version)


def kept_libraries(baseline: Baseline) -> set[Kept]:
    """Those of its cells."""
    known: set[Kept] = set()
    for member in baseline.archive.members:
        for cell in member.cells:
            launches = [member.launches[sample.launch] for sample in cell.samples
                        if sample.launch in member.launches]  # fmt: skip
            name, version = str(cell.settings.get("mpi", "")), cell.key.mpi_version
            builds = {launch.facts.get(BUILD, "") for launch in launches} or {""}
            known |= {Kept(name, version, build) for build in builds}
    return known


def old_library(
    baseline: Baseline, new: MpiLibrary, against: str, *, has_variables: bool
) -> tuple[MpiLibrary | None, tuple[str, ...]]:
    """The library of the baseline, where it is here and not the one of today; with a sentence for
    each that has its release and was not taken for it.

    Raises: EnvironmentProblem for one that is asked for and not here.
    """
    if against == NONE:
        return None, ()
    if against:
        return choose_library(Installation.here(), against), ()
    if has_variables:
        return new, ()  # the same without them
    kept = kept_libraries(baseline)
    if any(before.is_that(new) for before in kept):
        return None, ()
    others = []
    for library in known_libraries(Installation.here()):
        if library.healthy is False or library.build_dir is None or library.id == new.id:
            continue
        if any(before.is_that(library) for before in kept):
            return library, ()
        if any(before.version == library.version for before in kept):
            others.append(_words(library))
    return None, tuple(others)


def _words(library: MpiLibrary) -> str:
    return (
        f"{library.id} has the release of the baseline's library ({library.version}), but is not "
        "known to be its build: it is not measured in turns; --against "
        f"{library.id} does that"
    )
