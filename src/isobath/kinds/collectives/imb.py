# SPDX-License-Identifier: Apache-2.0
"""isobath bench collectives --cross-check imb: launches of IMB in turns with our own."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from isobath.bench.cross_check import FOLDER
from isobath.bench.design import REDUCTIONS
from isobath.bench.emit import IMB_NAMES, WHOLE_VECTOR
from isobath.bench.folders import BenchFolder
from isobath.bench.plan import Arm, BenchPlan, Cell, run_name
from isobath.disclosure.words import stored_line
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError, UsageError
from isobath.interchange.imb import read_imb
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import Asked, of_silent_program
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.namespaces import Nodes
from isobath.launch.placement import opened
from isobath.launch.plain_run import PlainFiles, run_plainly
from isobath.machine.facts import read_machine
from isobath.store.disclosed import clean_file, cleaner_of_this_process
from isobath.study.launches import Came

PROGRAM = "IMB-MPI1"


def find_imb(library: MpiLibrary, named: str | None) -> Path:
    """IMB-MPI1 of a library.

    Args: named is what --imb says.
    Raises: EnvironmentProblem where there is none.
    """
    if named is not None:
        given = Path(named).expanduser()
        places = [given / PROGRAM, given] if given.is_dir() else [given]
    else:
        beside = [Path(library.mpiexec).parent / PROGRAM]
        beside += [library.place.folder / "bin" / PROGRAM] if library.place else []
        in_path = shutil.which(PROGRAM)
        places = [*beside, *([Path(in_path)] if in_path else [])]
    for path in places:
        if path.is_file() and os.access(path, os.X_OK):
            return path.resolve()
    where = f"at {named}" if named else f"beside {library.mpiexec} or in PATH"
    raise EnvironmentProblem(
        f"there is no {PROGRAM} {where}; name one that was built for {library.id}: --imb PATH "
        "(pip download impi-rt holds one for Intel MPI)"
    )


def checked_plan(plan: BenchPlan, named: str | None) -> BenchPlan:
    """The plan with IMB in it: plain cells alone, reductions of floats as IMB has them.

    Raises: UsageError where nothing is left; EnvironmentProblem where a library has no IMB.
    """
    arms = []
    for arm in plan.arms:
        cells = {_as_imb(cell): None for cell in arm.cells if _has_imb(cell)}
        if cells:
            arms.append(arm.model_copy(update={"cells": tuple(cells)}))
    if not arms:
        raise UsageError(
            "--cross-check imb: IMB-MPI1 has blocking collectives of all ranks with uniform counts "
            "alone; take some of " + ", ".join(IMB_NAMES)
        )
    programs = {}
    for mpi in dict.fromkeys(arm.mpi for arm in arms):
        programs[mpi] = str(find_imb(choose_library(Installation.here(), mpi), named))
    return plan.model_copy(update={"arms": tuple(arms), "cross_check": programs})


def _has_imb(cell: Cell) -> bool:
    return cell.is_plain and cell.collective in IMB_NAMES and cell.algorithm is None


def _as_imb(cell: Cell) -> Cell:
    datatype = "float" if cell.collective in REDUCTIONS else None
    return cell.model_copy(update={"datatype": datatype, "operation": None, "root_rank": None})


def output_of(folder: BenchFolder, arm: Arm, launch: int) -> Path:
    """What IMB printed after a launch of ours."""
    return folder.path / FOLDER / f"{run_name(arm.arm, launch)}.txt"


def launch_imb(
    folder: BenchFolder, plan: BenchPlan, arm: Arm, launch: int, stop: Stop, asked: Asked
) -> Came | None:
    """A launch of IMB after one of ours, unless its output is there; how it ended.

    Raises: EnvironmentProblem where nothing more can be written.
    """
    path = output_of(folder, arm, launch)
    if path.exists() or stop.wants_end:
        return None
    try:
        texts = _texts_of_imb(plan, arm, path, stop, asked)
    except IsobathError as error:
        return Came(error.exit_code, str(error))
    if texts is None:
        return None
    path.write_text("".join(texts), encoding="utf-8")
    return Came(ExitCode.DONE, "IMB after it")


def _texts_of_imb(
    plan: BenchPlan, arm: Arm, path: Path, stop: Stop, asked: Asked
) -> list[str] | None:
    """What its programs printed; None where an end was asked for.

    Raises: EnvironmentProblem where one of them gives no result.
    """
    path.parent.mkdir(exist_ok=True)
    with opened(arm.placement) as nodes:
        return _texts_on(nodes, plan, arm, path, stop, asked)


def _texts_on(
    nodes: Nodes | None, plan: BenchPlan, arm: Arm, path: Path, stop: Stop, asked: Asked
) -> list[str] | None:
    texts = []
    for line in _lines(plan, arm, path.parent, nodes):
        out, err = path.with_suffix(".out"), path.with_suffix(".err")
        outcome = run_plainly(
            line,
            PlainFiles(out, err),
            ranks=arm.ranks,
            run_id="",
            limits=of_silent_program(asked),
            interrupts=stop,
        )
        for written in (out, err):
            clean_file(written, cleaner_of_this_process(), written.name)
        text = out.read_text(encoding="utf-8", errors="replace")
        if stop.wants_end:
            return None
        if outcome.message or not read_imb(text):
            problem = EnvironmentProblem(
                f"{PROGRAM} did not give a result: {outcome.message or 'no row was printed'}; "
                f"its words are in {err}"
            )
            if outcome.exit_code == ExitCode.TIMEOUT:
                problem.exit_code = ExitCode.TIMEOUT
            raise problem
        texts.append(f"# {stored_line(line.text())}\n{text}")
        out.unlink()
        err.unlink()
    return texts


def _lines(plan: BenchPlan, arm: Arm, folder: Path, nodes: Nodes | None) -> Iterator[LaunchLine]:
    """Launches of IMB: of those that count a vector of all blocks one apart."""
    library = choose_library(Installation.here(), arm.mpi)
    for whole in (False, True):
        cells = [cell for cell in arm.cells if (cell.collective in WHOLE_VECTOR) == whole]
        if not cells:
            continue
        names = [IMB_NAMES[name] for name in dict.fromkeys(cell.collective for cell in cells)]
        factor = arm.ranks if whole else 1
        sizes = sorted({cell.size_bytes * factor for cell in cells})
        lengths = folder / f"lengths-{arm.arm}{'-all' if whole else ''}.txt"
        lengths.write_text("".join(f"{size}\n" for size in sizes), encoding="utf-8")
        arguments = [*names, "-npmin", str(arm.ranks), "-msglen", str(lengths)]
        yield launch_line(
            library, Path(plan.cross_check[arm.mpi]), arguments,
            ranks=arm.ranks, threads=1, cpus=read_machine().usable_cpus,
            placement=arm.placement, nodes=nodes,
        )  # fmt: skip
