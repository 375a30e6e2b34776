# SPDX-License-Identifier: Apache-2.0
"""Set-up behind ./isobath: bootstrap.py ROOT PREFIX [SUBCOMMAND ...].

Makes what the subcommand needs and is not there yet, in this order: Python environment, compiler
and build tools, MPI, C++ libraries, engine. When everything is there it says nothing. Ends with 0,
2 (wrong use) or 3 (environment).

Standard library only. Must parse on Python 3.9, so that an old Python can say that 3.11 is needed.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

# ./isobath has looked for a newer one; this is for those who call us directly.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"isobath: Python 3.11 or newer is needed, and this is {sys.version.split()[0]}")

from bootstrap_build import PROFILER, RELEASE, Builder, test_flavour
from bootstrap_console import CommandFailed, Console, SetupError
from bootstrap_health import WHEEL
from bootstrap_mpi import Inventory
from bootstrap_needs import MPI_WORDS, Needs, is_known_mpi, needs_of
from bootstrap_python import (
    base_python,
    ensure_environment,
    ensure_packages,
    ensure_second_mpi,
)
from bootstrap_test_packages import ensure_test_packages, note_left_out
from bootstrap_threads import build_threads
from bootstrap_toolchain import ensure_toolchain
from bootstrap_workspace import Workspace, lock, write_atomically

SETUP_USAGE = """usage: ./isobath setup [--clean] [--offline DIR] [--mpi MPI] [--prefix DIR]
  sets up everything that ./isobath run needs, and ends
  --clean        first remove the environment, the builds and all else that set-up keeps
                 (runs, reports and logs stay)
  --offline DIR  take pip, wheels and source archives from this folder instead of the network
  --mpi MPI      wheel (the default), system, openmpi, mpich, intel, the path of an mpicxx,
                 or the folder of an MPI of the MPI-5 standard ABI
  --prefix DIR   write to this folder instead of the source tree
"""


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    root, prefix, *request = arguments
    workspace = Workspace(Path(root), Path(prefix))
    subcommand = request[0] if request else ""
    if subcommand == "setup":
        status = _read_setup_options(request[1:])
        if status is not None:
            return status
        prefix = os.environ.get("ISOBATH_PREFIX", prefix)
        workspace = Workspace(Path(root), Path(prefix))
    needs = needs_of(request, os.environ.get("ISOBATH_MPI", ""))
    unknown = _unknown_mpi(workspace, needs)
    if unknown:
        print(f"isobath: {unknown}", file=sys.stderr)
        return 2
    console = Console(workspace.state / "log")
    start = time.monotonic()
    try:
        if subcommand == "setup" and "--clean" in request:
            _clean(workspace, console)
        _set_up(workspace, console, needs)
    except SetupError as error:
        return _report(console, error.cause, error.remedy)
    except CommandFailed as failure:
        return _report(
            console,
            f"{failure}: {failure.first_error()}",
            "see the log, mend the cause and start again",
        )
    except KeyboardInterrupt:
        return _report(console, "set-up was interrupted", "start again: what is done stays done")
    except OSError as error:
        return _report(
            console,
            f"set-up failed: {error}",
            "free disk space or mend the permissions, and start again",
        )
    if console.has_log:
        console.say(f"set-up done in {time.monotonic() - start:.0f} s")
    elif subcommand == "setup":
        print("isobath: everything is set up", file=sys.stderr)
    return 0


def _read_setup_options(options: list[str]) -> int | None:
    """Put the options of ``setup`` into the environment, where the stages look. Returns a status to
    end with, or None.
    """
    names = {"--offline": "ISOBATH_OFFLINE", "--prefix": "ISOBATH_PREFIX", "--mpi": "ISOBATH_MPI"}
    queue = list(options)
    while queue:
        name, equals, value = queue.pop(0).partition("=")
        if name == "--clean" and not equals:
            continue
        if name in ("--help", "-h"):
            print(SETUP_USAGE, end="", file=sys.stderr)
            sys.exit(0)
        if name not in names or not (equals or queue):
            print(
                f"isobath: setup does not know {name!r}, or it lacks a value\n{SETUP_USAGE}",
                end="",
                file=sys.stderr,
            )
            return 2
        value = value if equals else queue.pop(0)
        if name == "--offline" and not Path(value).is_dir():
            print(f"isobath: --offline {value}: there is no such folder", file=sys.stderr)
            return 2
        os.environ[names[name]] = value if name == "--mpi" else os.path.abspath(value)
    return None


def _unknown_mpi(workspace: Workspace, needs: Needs) -> str:
    """A sentence about an --mpi (or ISOBATH_MPI) that can mean nothing here, before anything slow;
    empty where all is well.
    """
    if not needs.engine:
        return ""
    kept = list(workspace.read_state().get("mpi", {}))
    for word in (needs.mpi, *needs.more_mpi, needs.test_mpi):
        if word and not is_known_mpi(word, kept):
            names = ", ".join(dict.fromkeys([*MPI_WORDS, *kept]))
            paths = "the path of an mpicxx or of the folder of an MPI"
            return f"--mpi {word} is not known; known: {names}, or {paths}"
    return ""


def _set_up(workspace: Workspace, console: Console, needs: Needs) -> None:
    workspace.require_writable()
    with lock(workspace, console):
        ensure_environment(workspace, console)
        ensure_packages(workspace, console, "core")
        if needs.test_packages:
            ensure_packages(workspace, console, "test")
        if needs.test_system:
            ensure_test_packages(workspace, console, only_mpi=needs.test_system == "mpi")
        if needs.second_mpi:
            ensure_second_mpi(workspace, console)
        if needs.engine:
            _set_up_engine(workspace, console, needs)
        remembered = workspace.state / "python"
        if (
            not remembered.exists()
            or remembered.read_text(encoding="utf-8").strip() != base_python()
        ):
            write_atomically(remembered, base_python() + "\n")


def _set_up_engine(workspace: Workspace, console: Console, needs: Needs) -> None:
    toolchain = ensure_toolchain(workspace, console)
    builder = Builder(workspace, console, toolchain)
    builder.ensure_libraries()
    inventory = Inventory(workspace, console, toolchain)
    mpi = needs.mpi
    chosen = inventory.choose(mpi)
    aliases = {mpi or "default": chosen.id}
    if needs.every_mpi:
        inventory.all()
    if needs.test_mpi:
        aliases[needs.test_mpi] = inventory.choose(needs.test_mpi).id
    wanted = {chosen.id: chosen}
    for word in needs.more_mpi:
        library = inventory.choose(word)
        aliases[word] = library.id
        wanted[library.id] = library
    if needs.every_release:
        wanted |= {
            library.id: library for library in inventory.libraries.values() if library.healthy
        }
    builders = {library.id: inventory.builder_of(library) for library in wanted.values()}
    inventory.save(chosen.id if not mpi else None, aliases)
    if needs.release:
        flavour = replace(RELEASE, targets=PROFILER) if needs.profiler else RELEASE
        for library in wanted.values():
            builder.share(builder.build(builders[library.id], flavour), library)
    if not needs.test_trees:
        return
    note_left_out(workspace)
    default = inventory.libraries.get(WHEEL, chosen)
    if not default.healthy:
        default = chosen
    for library in inventory.libraries.values():
        is_tested = not needs.test_mpi or library.id == aliases[needs.test_mpi]
        is_built = needs.release and library.id in wanted and not needs.engine_tests
        if library.healthy and is_tested and not is_built and library.place is None:
            has_release = needs.release and library.id in wanted
            flavour = test_flavour(
                library, default, all_tests=needs.all_tests, has_release=has_release
            )
            builder.build(library, flavour)
    if needs.threads:
        build_threads(workspace, console, builder, default, everything=needs.threads == "all")


def _clean(workspace: Workspace, console: Console) -> None:
    console.say(
        f"removing {workspace.venv}, {workspace.build} and what set-up keeps in {workspace.state}"
    )
    workspace.require_writable()
    with lock(workspace, console):
        for folder in (workspace.venv, workspace.build):
            shutil.rmtree(folder, ignore_errors=True)
        for kept in workspace.state.iterdir():
            if kept.name in ("log", "lock"):
                continue
            if kept.is_dir():
                shutil.rmtree(kept, ignore_errors=True)
            else:
                kept.unlink(missing_ok=True)


def _report(console: Console, cause: str, remedy: str) -> int:
    console.say(cause)
    console.say(f"remedy: {remedy}")
    print(f"isobath: log: {console.log_path}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
