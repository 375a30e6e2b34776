# SPDX-License-Identifier: Apache-2.0
"""A sitting of noise: what a baseline holds, again, under the library of the baseline."""

from isobath.baseline.chain import Baseline
from isobath.compared.launch_facts import BUILD
from isobath.errors import UsageError
from isobath.kinds.regress.members import RegressPlanned
from isobath.kinds.regress.sittings_kept import of_archive
from isobath.kinds.regress.wanted import check_machine, plan_for
from isobath.launch.installation import Installation
from isobath.launch.library_build import build_of
from isobath.launch.mpi_library import choose_library
from isobath.study.planned import Planning

NO_END = 1e6
"""seconds: a sitting has as many launches as are asked for"""


def planned_sitting(
    baseline: Baseline, launches: int, suite: str, keep: int, mpi: str | None, planning: Planning
) -> RegressPlanned:
    """Raises: UsageError under another library or build than the baseline's; InconclusiveError on
    another machine.
    """
    check_machine(baseline)
    names = dict.fromkeys(str(cell.settings.get("mpi", "")) for cell in baseline.archive.cells)
    library = choose_library(Installation.here(), mpi or next(iter(names)) or None)
    versions = {cell.key.mpi_version for cell in baseline.archive.cells} - {""}
    if versions and library.version not in versions:
        raise UsageError(
            f"{library.id} is {library.version} here and was {', '.join(sorted(versions))} in "
            f"{baseline.name}: noise is learned under the library of the baseline; name another "
            "with --mpi, or make a new baseline"
        )
    builds, own = of_archive(baseline).get(BUILD, ()), build_of(library)
    if builds and own and own not in builds:
        raise UsageError(
            f"{library.id} is another build of {library.version} than the one of {baseline.name}: "
            "noise is learned under the library of the baseline; name another with --mpi, or make "
            "a new baseline"
        )
    values = {"suite": suite, "turns": launches, "budget": NO_END}
    planned = plan_for(
        baseline, values, planning, purpose="noise", sides={"new": library.id}, variables=()
    )
    plan = planned.plan.model_copy(update={"keep_days": keep})
    return RegressPlanned(**{**vars(planned), "plan": plan})
