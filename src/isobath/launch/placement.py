# SPDX-License-Identifier: Apache-2.0
"""Where the ranks of a launch are asked to go: how many nodes, which, and what carries their bytes.

Nodes are made up (network namespaces of this machine), machines that are named and reached by ssh,
or those of the allocation that we stand in; without any of these there is one, this machine.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence

from isobath.errors import EnvironmentProblem, UsageError
from isobath.launch.namespaces import Nodes, nodes_for, require_tools
from isobath.launch.transport import Transport, transport_of
from isobath.records.placement import Placement

SSH_SECONDS = 10
"""to connect; whoever answers later is not reached"""

ALLOCATIONS = ("SLURM_JOB_ID", "PBS_NODEFILE", "LSB_HOSTS", "PE_HOSTFILE", "OAR_NODEFILE")
"""What batch systems set, whose nodes launchers find by themselves."""

EXPECTED = "ISOBATH_EXPECT_NODES"
"""Node of each rank, for the engine: placed otherwise, it measures nothing."""

EXPECTED_HOSTS = "ISOBATH_EXPECT_HOSTS"
"""Names of these nodes in their order, where they are known."""


def placed_by(text: str) -> Placement:
    """The placement that a transport means by itself. Raises: UsageError."""
    transport = transport_of(text)
    return Placement(transport=transport.text(), nodes=transport.nodes)


def carried_by(placement: Placement) -> Transport:
    """What carries the bytes."""
    return transport_of(placement.transport)


def strict_variables(placement: Placement, ranks: int, nodes: Nodes | None) -> dict[str, str]:
    """What the engine is told where placement is strict."""
    if not placement.strict:
        return {}
    variables = {EXPECTED: ",".join(map(str, placement.node_of_rank(ranks)))}
    if nodes is not None:
        variables[EXPECTED_HOSTS] = ",".join(node.name for node in nodes.nodes)
    elif placement.hosts:
        variables[EXPECTED_HOSTS] = ",".join(require_reachable(placement.hosts))
    return variables


def require(placement: Placement, ranks: int) -> None:
    """Whether so many ranks can be placed so, before anything is launched.

    Raises: UsageError where they are too few or there is one machine alone, EnvironmentProblem
        where namespaces need more or a machine does not answer.
    """
    placement.ranks_of_nodes(ranks)
    if placement.is_pretended:
        require_tools()
        _require_processors(placement, ranks)
    elif placement.hosts:
        require_reachable(placement.hosts)
    elif placement.nodes > 1 and not in_allocation(os.environ):
        raise UsageError(
            f"--nodes {placement.nodes}: there is one machine here, and no allocation of a batch "
            "system; name machines with --hosts or --hostfile, or make nodes up with "
            "--transport rate-limited"
        )


def _require_processors(placement: Placement, ranks: int) -> None:
    """Of a strict placement: made-up nodes with processors of their own."""
    nodes = Nodes(carried_by(placement))
    if placement.strict and nodes.oversubscribed(ranks, 1):
        own = len({cpu for node in nodes.nodes for cpu in node.cpus})
        raise EnvironmentProblem(
            f"--strict-placement: {ranks} ranks on {placement.nodes} made-up nodes share {own} "
            "processors, so nothing is measured; take fewer, or leave --strict-placement out"
        )


@contextlib.contextmanager
def opened(placement: Placement) -> Iterator[Nodes | None]:
    """The nodes while a launch goes on: made where they are made up, asked where they are named.

    Raises: EnvironmentProblem where one cannot be had.
    """
    if placement.hosts:
        require_reachable(placement.hosts)
    with nodes_for(carried_by(placement)) as nodes:
        yield nodes


def in_allocation(variables: Mapping[str, str]) -> bool:
    """Whether a batch system has given us nodes."""
    return any(variables.get(name) for name in ALLOCATIONS)


def ssh_program() -> str:
    """Raises: EnvironmentProblem where there is none."""
    program = shutil.which("ssh")
    if program is None:
        raise EnvironmentProblem(
            "other machines are reached by ssh, which is not here; apt-get install openssh-client, "
            "or leave --hosts and --hostfile out"
        )
    return program


def require_reachable(hosts: Sequence[str]) -> list[str]:
    """What each machine calls itself; all are asked at the same time.

    Raises: EnvironmentProblem naming all that do not answer, with what ssh said of the first.
    """
    ssh = ssh_program()
    options = ("-o", "BatchMode=yes", "-o", f"ConnectTimeout={SSH_SECONDS}")
    asked = {
        host: subprocess.Popen(
            [ssh, *options, host, "uname", "-n"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for host in dict.fromkeys(hosts)
    }
    names: dict[str, str] = {}
    silent: dict[str, str] = {}
    for host, process in asked.items():
        try:
            name, said = process.communicate(timeout=3 * SSH_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            name, said = "", f"no answer in {3 * SSH_SECONDS} s"
        names[host] = name.strip()
        if process.returncode != 0:
            silent[host] = (said.strip().splitlines() or ["it said nothing"])[-1].strip()
    if silent:
        first = next(iter(silent))
        raise EnvironmentProblem(
            f"cannot reach {', '.join(silent)} by ssh ({first}: {silent[first]}); correct --hosts, "
            f"and see that ssh {first} true works without a password"
        )
    return [names[host] for host in hosts]
