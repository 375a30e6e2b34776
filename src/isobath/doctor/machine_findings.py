# SPDX-License-Identifier: Apache-2.0
"""Findings from the facts of the machine: pure functions."""

from isobath.doctor.finding import Finding
from isobath.machine.facts import Machine
from isobath.units import Bytes, format_bytes

SMALL_SHM: Bytes = 256 * 10**6
"""Docker's default is 64 MB; transports between ranks die there with a bus error."""

SMALL_MEMORY: Bytes = 10**9


def machine_findings(machine: Machine) -> list[Finding]:
    """Processors, memory, huge pages, shared memory, load."""
    return [
        processors(machine),
        memory(machine),
        huge_pages(machine),
        shared_memory(machine),
        load(machine),
    ]


def processors(machine: Machine) -> Finding:
    """How many there are, and a container's limit."""
    nodes = len(machine.numa_cpus)
    words = f"{len(machine.cpus)} ({machine.cpu_model}), {nodes} NUMA node" + "s" * (nodes > 1)
    if machine.cpu_limit is not None and machine.cpu_limit < len(machine.cpus):
        return Finding(
            "processors",
            "warning",
            f"{words}; the container allows {machine.cpu_limit:g} of them",
            "threads beyond the limit are paused and spoil times: raise it, or pin the container",
        )
    return Finding("processors", "good", words)


def memory(machine: Machine) -> Finding:
    """What is free, within the container's limit."""
    words = f"{format_bytes(machine.available_bytes)} of {format_bytes(machine.memory_bytes)} free"
    if machine.memory_limit_bytes is not None:
        words += f", the container is limited to {format_bytes(machine.memory_limit_bytes)}"
    if machine.available_bytes < SMALL_MEMORY:
        return Finding("memory", "warning", words, "free some memory or raise the limit")
    return Finding("memory", "good", words)


def huge_pages(machine: Machine) -> Finding:
    """Large arrays ask for them; without them searches are slower."""
    if machine.huge_pages in ("always", "madvise"):
        return Finding("huge pages", "good", f"transparent huge pages: {machine.huge_pages}")
    return Finding(
        "huge pages",
        "warning",
        f"transparent huge pages: {machine.huge_pages}; searches will be slower",
        "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
    )


def shared_memory(machine: Machine) -> Finding:
    """Ranks of one node talk through /dev/shm."""
    if machine.shm_bytes == 0:
        return Finding("/dev/shm", "bad", "not there", "mount -t tmpfs tmpfs /dev/shm")
    free, size = format_bytes(machine.shm_free_bytes), format_bytes(machine.shm_bytes)
    words = f"{free} of {size} free"
    if machine.shm_free_bytes < SMALL_SHM:
        remedy = "start the container with --shm-size=1g, or run one rank per node"
        return Finding("/dev/shm", "warning", words + "; several ranks may die with SIGBUS", remedy)
    return Finding("/dev/shm", "good", words)


def load(machine: Machine) -> Finding:
    """Others at work spoil times."""
    words = f"load {machine.load:.2f} on {len(machine.cpus)} processors"
    if machine.load > 0.3 * len(machine.cpus):
        remedy = "wait until others are done; their work goes into your times"
        return Finding("load", "warning", words, remedy)
    return Finding("load", "good", words)
