# SPDX-License-Identifier: Apache-2.0
"""The machine, the MPI library, the build, and the options of the run."""

import shlex
from collections import Counter
from collections.abc import Mapping
from typing import Any

from isobath.records.run import Host, RunRecord
from isobath.report.run_data import RunData
from isobath.report.wording import count_of, yes_no
from isobath.units import format_bytes, format_seconds
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Listing,
    Preformatted,
    Section,
    Table,
    columns,
    first_rows,
)

TITLE = "Environment"

SHOWN_HOSTS = 64
SHOWN_RANKS = 128
SHOWN_DETAILS = 256
LONGEST_TEXT = 600

SHOWN_COMMIT = 12
"""digits of a commit; records.jsonl has all of them"""

needs = ("run.hosts", "run.mpi", "run.build", "run.argv")


def render(data: RunData) -> Section:
    """All that is needed to repeat the run, and all that is known of the machine."""
    run = data.records.run
    blocks: list[Block] = [
        Facts((*_machine(run), *_fabric(data.environment)), title="Machine", style="pairs"),
        Facts(_mpi(run), title="MPI", style="pairs"),
        Facts(_build(run), title="Build", style="pairs"),
        Facts(_settings(data), title="Settings", style="pairs"),
        *_choices(data),
        Preformatted("Engine command", shlex.join(run.argv), wrapped=True),
        _binding(run),
    ]
    if len(run.hosts) > 1:
        blocks.insert(1, _hosts(run))
    details = flattened(data.environment)
    if details:
        shown, left_out = first_rows(details, SHOWN_DETAILS, "environment.json")
        blocks.append(
            Table(
                "All facts of environment.json",
                columns("fact", "value"),
                shown,
                folded=True,
                left_out=left_out,
            )
        )
    return Section("environment", TITLE, tuple(blocks), lead=caption(run), measured=False)


def caption(run: RunRecord) -> str:
    """One sentence: processor, ranks and MPI."""
    models = Counter(host.cpu_model for host in run.hosts)
    model, number = models.most_common(1)[0]
    machines = "" if number == 1 else f"{number:,} machines with "
    others = f" and {len(run.hosts) - number:,} others" if number < len(run.hosts) else ""
    return (
        f"{machines}{model}{others}; {count_of(run.ranks, 'rank')} of "
        f"{count_of(run.threads_per_rank, 'thread')} on a {run.grid_rows} \N{MULTIPLICATION SIGN} "
        f"{run.grid_cols} grid; {run.mpi.name}."
    )


def first_line(text: str) -> str:
    """The first line of a text that may have many, its spaces made single."""
    lines = text.strip().splitlines()
    return " ".join(lines[0].split()) if lines else ""


def flattened(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Nested JSON as rows of (dotted name, text); long texts are cut."""
    if isinstance(value, dict):
        return [
            row for key, item in value.items() for row in flattened(item, _join(name, str(key)))
        ]
    if isinstance(value, list):
        if all(not isinstance(item, dict | list) for item in value):
            return [(name, _cut(", ".join(str(item) for item in value)))] if value else []
        return [row for i, item in enumerate(value) for row in flattened(item, _join(name, str(i)))]
    return [] if value is None else [(name, _cut(str(value)))]


def _join(name: str, key: str) -> str:
    return f"{name}.{key}" if name else key


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} ..."


def _machine(run: RunRecord) -> tuple[Fact, ...]:
    host = run.hosts[0]
    resolution = format_seconds(run.clock_resolution_seconds)
    facts = [
        Fact("name", host.hostname if len(run.hosts) == 1 else f"{host.hostname} (the first)"),
        Fact("processor", host.cpu_model),
        Fact("cores", _cores(host)),
        Fact("NUMA nodes", _known(host.numa_nodes)),
        Fact("caches", _caches(host)),
        Fact("memory", _memory(host)),
        Fact("container limits", _limits(host)),
        Fact("kernel", _known(host.kernel)),
        Fact("huge pages", _known(host.huge_pages)),
        Fact("clock", f"{_known(host.clock_source)}, resolution {resolution}"),
    ]
    return tuple(facts)


def _fabric(environment: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Adapters, their software and snoop mode of the first node; nothing of older runs."""
    nodes = environment.get("nodes")
    node = nodes[0] if isinstance(nodes, list) and nodes and isinstance(nodes[0], dict) else {}
    if "snoop_mode" not in node:
        return ()
    adapters = [adapter for adapter in node.get("adapters", ()) if isinstance(adapter, dict)]
    words = [
        f"{adapter.get('name')}: {adapter.get('model')}, {adapter.get('firmware')}"
        for adapter in adapters
    ]
    return (
        Fact("network adapters", "; ".join(words) or "none found"),
        Fact("OFED", _known(node.get("ofed_version"))),
        Fact("snoop mode", str(node["snoop_mode"])),
    )


def _choices(data: RunData) -> list[Block]:
    """What Isobath chose by itself, and what was typed; from run.json, where there is one."""
    if data.summary is None:
        return []
    typed = Preformatted("What was typed", shlex.join(data.summary.command), wrapped=True)
    if not data.summary.notes:
        return [typed]
    return [Listing("What was chosen, and why", data.summary.notes), typed]


def _known(value: object) -> str:
    return "unknown" if value is None else str(value)


def _cores(host: Host) -> str:
    sockets = "" if host.sockets is None else f" on {count_of(host.sockets, 'socket')}"
    return f"{host.cores}{sockets}"


def _memory(host: Host) -> str:
    return "unknown" if host.memory_bytes is None else format_bytes(host.memory_bytes)


def _caches(host: Host) -> str:
    sizes = (("L1d", host.l1d_bytes), ("L2", host.l2_bytes), ("L3", host.l3_bytes))
    return ", ".join(f"{name} {_binary(size)}" for name, size in sizes if size) or "unknown"


def _binary(size: int) -> str:
    """Caches are sold in powers of two."""
    for unit, power in (("MiB", 2**20), ("KiB", 2**10)):
        if size >= power:
            return f"{size / power:g} {unit}"
    return f"{size} B"


def _limits(host: Host) -> str:
    limits = []
    if host.cgroup_memory_bytes is not None:
        limits.append(f"memory {format_bytes(host.cgroup_memory_bytes)}")
    if host.cgroup_cpus is not None:
        limits.append(f"{host.cgroup_cpus:g} processors")
    return ", ".join(limits) or "none"


def _mpi(run: RunRecord) -> tuple[Fact, ...]:
    return (
        Fact("library", _cut(first_line(run.mpi.library_version))),
        Fact("standard", run.mpi.standard_version),
        Fact("thread level", run.mpi.thread_level),
        Fact("64-bit counts", yes_no(run.mpi.large_counts)),
        Fact("compiled with", run.build.mpi_compiled),
        Fact("standard ABI", yes_no(run.build.standard_abi)),
    )


def _build(run: RunRecord) -> tuple[Fact, ...]:
    dirty = ", with uncommitted changes" if run.build.dirty else ""
    return (
        Fact("program", f"{run.program} {run.version}"),
        Fact("commit", f"{run.build.commit[:SHOWN_COMMIT]}{dirty}"),
        Fact("compiler", run.build.compiler),
        Fact("flags", run.build.flags),
        Fact("preset", f"{run.build.preset} ({run.build.build_type})"),
        Fact("instructions used", run.instruction_set),
    )


def _settings(data: RunData) -> tuple[Fact, ...]:
    run = data.records.run
    return (
        Fact("started", run.started.strftime("%Y-%m-%d %H:%M:%S %Z").strip()),
        Fact("scale, edgefactor", f"{run.scale}, {run.edgefactor}"),
        Fact("seeds", ", ".join(str(seed) for seed in run.seeds)),
        Fact("search plan", run.plan),
        Fact(
            "ranks, threads",
            f"{count_of(run.ranks, 'rank')} of {count_of(run.threads_per_rank, 'thread')}",
        ),
        Fact("grid", f"{run.grid_rows} \N{MULTIPLICATION SIGN} {run.grid_cols}"),
        Fact("oversubscribed", yes_no(run.oversubscribed)),
        Fact(
            "edges",
            {"memory": "in memory", "file": "in a file"}.get(run.edges_storage, "regenerated"),
        ),
        Fact("searches asked", str(run.keys_requested)),
        Fact("warm-up", count_of(data.warmups, "search", "searches")),
        Fact("leaves pruned", yes_no(data.leaves_out)),
        Fact("relabelled", yes_no(data.is_relabelled)),
        Fact("direction policy", f"alpha {run.alpha:g}, beta {run.beta:g}"),
        Fact("official", yes_no(run.official)),
    )


def _hosts(run: RunRecord) -> Table:
    rows = [
        (
            h.hostname,
            h.cpu_model,
            str(h.cores),
            _known(h.numa_nodes),
            _memory(h),
            _known(h.kernel),
        )
        for h in run.hosts
    ]
    shown, left_out = first_rows(rows, SHOWN_HOSTS, "environment.json")
    return Table(
        f"All {len(run.hosts):,} machines",
        columns("name", "processor", "#cores", "#NUMA nodes", "#memory", "kernel"),
        shown,
        folded=True,
        left_out=left_out,
    )


def _binding(run: RunRecord) -> Table:
    rows = [
        (
            str(bound.rank),
            bound.hostname,
            str(bound.pid),
            bound.cpus,
            _cut(" | ".join(bound.thread_cpus)),
        )
        for bound in run.binding
    ]
    shown, left_out = first_rows(rows, SHOWN_RANKS, "records.jsonl")
    return Table(
        "Binding of ranks and threads",
        columns(
            "#rank", "machine", "#process", "processors of the rank", "processor of each thread"
        ),
        shown,
        folded=True,
        left_out=left_out,
    )
