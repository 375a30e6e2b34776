# SPDX-License-Identifier: Apache-2.0
"""The launch line: which command and which variables start the ranks under a given MPI."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from isobath.launch.delay_line import Latency
from isobath.launch.links import INTERFACE
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.namespaces import ENTER, Nodes
from isobath.launch.placement import carried_by, ssh_program, strict_variables
from isobath.launch.transport import LaunchWords, tcp_words
from isobath.records.placement import HERE, Placement

DEVICE_COLLECTIVES = ("BARRIER", "ALLREDUCE", "REDUCE", "BCAST")
"""With more ranks than processors the shared-memory versions of these take milliseconds."""

WAITING_RANKS_YIELD = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "50"}
"""A waiting rank leaves its processor to the one it waits for, but does not sleep (ADR 0022)."""

WAITING_RANKS_SLEEP = {"MPIR_CVAR_ENABLE_HEAVY_YIELD": "1", "MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}
"""On a busy machine a processor that is left goes to others for a while: there, ranks sleep."""

INTEL_RANKS_YIELD = {"I_MPI_PAUSE_COUNT": "0"}
"""The same of Intel MPI: no pause before it yields."""

INTEL_NODES_YIELD = {"I_MPI_THREAD_YIELD": "2"}
"""The same between nodes, where they do not yield by themselves (ADR 0022)."""

ABI_SONAME = "libmpi_abi.so.1"
"""The file that every library of the MPI-5 standard ABI has."""


@dataclass(frozen=True)
class LaunchLine:
    """What starts the ranks. ``environment`` holds only what is added to the caller's."""

    command: tuple[str, ...]
    environment: dict[str, str]
    launcher: str = ""
    """its program, where the command begins with another that enters a node"""
    is_elsewhere: bool = False
    """ranks are on other machines too, whose processes cannot be looked at from here"""
    latency: Latency | None = None
    """what adds a latency between made-up nodes; None where none is added"""

    @property
    def launcher_name(self) -> str:
        """For example mpiexec."""
        return Path(self.launcher or self.command[0]).name

    def text(self) -> str:
        """The line as one would type it, variables first."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*variables, shlex.join(self.command)])


def launch_line(
    mpi: MpiLibrary,
    program: Path,
    arguments: list[str],
    *,
    ranks: int,
    threads: int,
    cpus: int,
    busy: bool = False,
    as_root: bool | None = None,
    placement: Placement = HERE,
    nodes: Nodes | None = None,
    variables: Mapping[str, str] | None = None,
) -> LaunchLine:
    """The launch line for ``ranks`` ranks of ``threads`` threads on ``cpus`` processors a machine.

    Oversubscribed, ranks wait passively and MPICH avoids its shared-memory collectives; else
    threads spin while they wait. Ranks are left unbound: the engine binds its own threads.

    Args: busy says whether others are at work on the machine; as_root whether the caller is root,
        by default it is found out. nodes are those of the placement while they are there
        (opened); without them the line can only be shown. variables are further ones of the ranks.
    Raises: UsageError where the ranks are too few for the nodes of the placement.
    """
    if nodes is None and placement.is_pretended:
        nodes = Nodes(carried_by(placement))
    oversubscribed = max(placement.ranks_of_nodes(ranks)) * threads > cpus or (
        nodes is not None and nodes.oversubscribed(ranks, threads)
    )
    root = os.geteuid() == 0 if as_root is None else as_root
    environment = _library_environment(mpi) | {
        "ISOBATH_EXPECT_RANKS": str(ranks),
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive" if oversubscribed else "active",
        "OMP_DYNAMIC": "false",
    }
    if mpi.family == "openmpi":
        flags = _openmpi(mpi, environment, oversubscribed=oversubscribed, root=root)
    else:
        flags = _hydra(mpi, environment, ranks=ranks, oversubscribed=oversubscribed, busy=busy)
        if mpi.family == "intel" and oversubscribed and placement.nodes > 1:
            environment |= INTEL_NODES_YIELD
    added = _placed(mpi, placement, nodes, ranks)
    environment |= (
        added.environment | strict_variables(placement, ranks, nodes) | dict(variables or {})
    )
    flags += added.flags
    if mpi.family == "openmpi" and placement.machines > 1:
        for name in environment:  # only its own variables travel by themselves
            flags += ["-x", name]
    started = (str(program), *arguments)
    command = (mpi.mpiexec, *flags, *_shares(mpi, placement, nodes, ranks, started))
    if nodes is not None:
        command = nodes.entered(nodes.nodes[0], command)
    return LaunchLine(
        command,
        environment,
        mpi.mpiexec,
        is_elsewhere=placement.machines > 1,
        latency=nodes.latency if nodes is not None else None,
    )


def _library_environment(mpi: MpiLibrary) -> dict[str, str]:
    """What makes the loader take this library: an engine of the standard ABI takes any of them.

    The library that the engine was built with is found by itself, unless the caller's path leads to
    another.
    """
    caller = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    if mpi.place is None:
        if not mpi.standard_abi or not any((Path(f) / ABI_SONAME).exists() for f in caller):
            return {}
        own = [str(Path(mpi.mpicxx).parent.parent / "lib")]
    else:
        own = list(mpi.place.library_path)
    environment = {"LD_LIBRARY_PATH": ":".join(dict.fromkeys([*own, *caller]))}
    if mpi.place is not None and mpi.family == "intel":
        environment["I_MPI_ROOT"] = str(mpi.place.folder)
        if mpi.place.provider_path:
            environment["FI_PROVIDER_PATH"] = mpi.place.provider_path
    return environment


def _placed(mpi: MpiLibrary, placement: Placement, nodes: Nodes | None, ranks: int) -> LaunchWords:
    """What transport and nodes add; of made-up nodes the launcher itself runs in the first."""
    words = LaunchWords((), {})
    if carried_by(placement).kind != "shared-memory":
        words = tcp_words(mpi, several_nodes=placement.nodes > 1)
    if nodes is not None:
        reached = (*_meeting_at(mpi), *_by_shell(mpi, str(ENTER), nodes.host_list(ranks)))
        return LaunchWords((*words.flags, *reached), words.environment | nodes.environment())
    if placement.hosts:
        reached = _by_shell(mpi, ssh_program(), placement.host_list(ranks))
        return LaunchWords((*words.flags, *reached), words.environment)
    if placement.nodes > 1:
        each = str(placement.ranks_of_nodes(ranks)[0])
        split = ("--map-by", f"ppr:{each}:node") if mpi.family == "openmpi" else ("-ppn", each)
        return LaunchWords((*words.flags, *split), words.environment)
    return words


def _meeting_at(mpi: MpiLibrary) -> tuple[str, ...]:
    """Where the parts of a launcher find each other on made-up nodes.

    Intel's call back by the host name, of which nobody there knows the address; told an interface,
    they take the address of that.
    """
    return ("-iface", INTERFACE) if mpi.family == "intel" else ()


def _by_shell(mpi: MpiLibrary, shell: str, hosts: str) -> tuple[str, ...]:
    """Nodes that are reached by ssh, or by what stands where it is expected.

    Intel's are named at the end of the line (_shares).
    """
    if mpi.family == "openmpi":
        return ("--mca", "plm_rsh_agent", shell, "--host", hosts)
    named = () if mpi.family == "intel" else ("-hosts", hosts)
    return ("-launcher", "ssh", "-launcher-exec", shell, *named)


def _shares(
    mpi: MpiLibrary,
    placement: Placement,
    nodes: Nodes | None,
    ranks: int,
    started: tuple[str, ...],
) -> tuple[str, ...]:
    """The end of the line: how many ranks of which program.

    Intel's launcher has it once for each named node, as it takes no number of ranks from a list of
    nodes and would deal the ranks out in turn.
    """
    names = placement.hosts if nodes is None else [node.address for node in nodes.nodes]
    if mpi.family != "intel" or not names:
        return ("-n", str(ranks), *started)
    words: list[str] = []
    for name, count in zip(names, placement.ranks_of_nodes(ranks), strict=True):
        words += [":"] * bool(words) + ["-host", name, "-n", str(count), *started]
    return tuple(words)


def _hydra(
    mpi: MpiLibrary, environment: dict[str, str], *, ranks: int, oversubscribed: bool, busy: bool
) -> list[str]:
    if mpi.family == "intel":
        environment["I_MPI_FABRICS"] = "shm"
        environment["I_MPI_PIN"] = "0"
        if oversubscribed:
            environment |= INTEL_RANKS_YIELD
        return []
    if oversubscribed:
        for name in DEVICE_COLLECTIVES:
            environment[f"MPIR_CVAR_{name}_DEVICE_COLLECTIVE"] = "0"
        environment |= WAITING_RANKS_SLEEP if busy else WAITING_RANKS_YIELD
    if ranks == 1:
        # The deprecated provider that a single rank may get spins for ever at times.
        environment["FI_PROVIDER"] = "tcp"
    return ["-bind-to", "none"]


def _openmpi(
    mpi: MpiLibrary, environment: dict[str, str], *, oversubscribed: bool, root: bool
) -> list[str]:
    flags = ["--bind-to", "none"]
    newer = mpi.version.partition(".")[0] >= "5"
    if root:
        environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
        environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
        flags.append("--allow-run-as-root")
    if oversubscribed:
        environment["OMPI_MCA_mpi_yield_when_idle"] = "1"
        flags += ["--map-by", ":OVERSUBSCRIBE"] if newer else ["--oversubscribe"]
    return flags
