# SPDX-License-Identifier: Apache-2.0
"""What is known of every launch of a study beside its times: what may have changed."""

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from isobath.comparison.changes import VARIABLE
from isobath.comparison.measured import Launched
from isobath.comparison.table_switches import SELECTION, SWITCHES, written
from isobath.errors import IsobathError
from isobath.records import strict_json
from isobath.store.folders import MANIFEST, RunFolder
from isobath.store.launch_reader import doubts_of
from isobath.store.run_summary import RunSummary
from isobath.study.codes import KEPT
from isobath.study.folder import RUNS, StudyFolder, settings_of

LONGEST = 1 << 24
"""bytes of a first line; it names hosts and the binding of every rank"""

OF_NODE = {
    "kernel": "kernel",
    "kernel build": "kernel_version",
    "kernel command line": "kernel_command_line",
    "operating system": "system",
    "processor": "cpu_model",
    "microcode": "microcode",
    "hypervisor": "hypervisor",
    "machine": "product_name",
    "governor": "frequency_governor",
    "frequency driver": "frequency_driver",
    "turbo off": "turbo_off",
    "boost": "boost",
    "hardware threads": "simultaneous_multithreading",
    "huge pages": "huge_pages",
    "huge page defragmentation": "huge_pages_defragmentation",
    "NUMA balancing": "numa_balancing",
    "memory overcommitment": "overcommit_memory",
    "clock source": "clock_source",
    "memory of the machine": "memory_bytes",
    "memory limit": "memory_limit_bytes",
    "processor limit": "cpu_limit",
    "processors allowed": "cpus",
}
"""Facts of environment.json by the names under which they are told."""

OF_BUILD = {
    "compiler": "compiler",
    "flags": "flags",
    "build type": "build_type",
    "engine": "commit",
    "compiled for": "mpi_compiled",
}

BUILD = "MPI build"
"""Digest of the library's file: two builds of one release call themselves alike."""

ORDER = ("MPI library", BUILD, "transport", "kernel", "kernel build", "compiler", "flags",
         "build type", "processor", "microcode", "governor", "nodes")  # fmt: skip
"""What is told first; the rest follows in the order in which it is known."""

NOT_OF_MEASURING = ("ISOBATH_PREFIX", "ISOBATH_STORE", "ISOBATH_REPORTS", "ISOBATH_EXPECT_RANKS",
                    "ISOBATH_PROFILE_DIR")  # fmt: skip
"""Variables that say where things lie."""

NOT_CHANGES = ("seed", "mpi", "store", "reports", "report", "memory_limit")
"""Settings that differ without meaning anything, or are told otherwise."""


def launches_of(path: Path, told: Collection[str] = ()) -> dict[str, Launched]:
    """Launches of a study that are as they were sealed, by name.

    Args: path is the folder of the study; told are settings that its cells tell themselves.
    """
    several = sorted((path / RUNS).glob(f"*/{MANIFEST}"))
    folders = [RunFolder(manifest.parent) for manifest in several] or [RunFolder(path)]
    asked = _asked(path)
    launches = {}
    for folder in folders:
        try:
            if not folder.is_sealed or doubts_of(folder)[1]:
                continue
            summary = folder.summary()
        except IsobathError:
            continue  # whoever reads its times says so
        facts = dict(_facts(folder, summary, asked, told))
        in_order = {name: facts[name] for name in ORDER if name in facts} | facts
        launches[summary.run_id] = Launched(summary.started.timestamp(), in_order)
    return launches


def _asked(path: Path) -> Mapping[str, Any]:
    """Settings of a study of several launches."""
    return settings_of(StudyFolder(path)) or {}


def _facts(
    folder: RunFolder, summary: RunSummary, asked: Mapping[str, Any], told: Collection[str]
) -> Iterator[tuple[str, str]]:
    first = _first_line(folder)
    environment = folder.environment()
    # A launch that ended before its first record says neither under what nor where it would run.
    has_begun = bool(first.get("hosts")) or (summary.exit_code or 0) in KEPT
    if has_begun:
        yield from _of_mpi(first, environment)
    latency = environment.get("latency")
    if isinstance(latency, dict) and latency.get("by"):
        yield "latency added by", str(latency["by"])
    build = first.get("build")
    yield from _of_build(build if isinstance(build, dict) else {})
    nodes = environment.get("nodes")
    rows = [entry for entry in nodes if isinstance(entry, dict)] if isinstance(nodes, list) else []
    node: dict[str, Any] = rows[0] if rows else {}
    hosts = [host.get("hostname") for host in first.get("hosts", ()) if isinstance(host, dict)]
    if has_begun:
        yield "nodes", ", ".join(sorted(set(map(str, hosts or [node.get("hostname", "")]))))
    for name, key in OF_NODE.items():
        if node.get(key) not in (None, ""):
            yield name, _text(node[key])
    yield from _of_network(node)
    yield "Isobath", summary.isobath_version
    # Those of the launch itself, where it has some: a race asked for several of each.
    settings = dict(asked) | {name: setting.value for name, setting in summary.settings.items()}
    for name, value in settings.items():
        if name not in NOT_CHANGES and name not in told and value is not None and value != ():
            yield f"--{name.replace('_', '-')}", _text(value)
    variables = node.get("variables")
    known = variables if isinstance(variables, dict) else {}
    for name, value in (known | summary.launch_environment).items():
        if name not in NOT_OF_MEASURING:
            yield f"{VARIABLE}{name}", str(value)


def _of_build(build: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, key in OF_BUILD.items():
        if build.get(key):
            changed = " with changes" if key == "commit" and build.get("dirty") else ""
            yield name, f"{build[key]}{changed}"


def _of_mpi(first: Mapping[str, Any], environment: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the library said of itself; else what it was chosen as."""
    library = first.get("mpi")
    chosen = environment.get("mpi")
    if isinstance(library, dict) and library.get("library_version"):
        yield "MPI library", _first_words(str(library["library_version"]))
    elif first.get("library"):
        yield "MPI library", _first_words(str(first["library"]))
    elif isinstance(chosen, dict):
        yield "MPI library", f"{chosen.get('id', '')} {chosen.get('version', '')}".strip()
    if isinstance(library, dict) and library.get("thread_level"):
        yield "MPI thread level", str(library["thread_level"])
    if environment.get("mpi_build"):
        yield BUILD, str(environment["mpi_build"])
    tables = environment.get("mpi_selection")
    if isinstance(tables, dict) and tables:
        yield SELECTION, ", ".join(f"{name} {digest}" for name, digest in tables.items())
    switches = environment.get("mpi_switches")
    if isinstance(switches, dict) and switches:
        yield SWITCHES, written(switches)


def _first_words(library: str) -> str:
    line = " ".join((library.splitlines() or [""])[0].split())
    return line.partition(",")[0].replace(" Version:", "")


def _of_network(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    devices = node.get("network")
    rows = (
        [device for device in devices if isinstance(device, dict)]
        if isinstance(devices, list)
        else []
    )
    told = (
        " ".join(
            str(device[key]) for key in ("name", "driver", "firmware", "mtu") if device.get(key)
        )
        for device in rows
    )
    if rows:
        yield "network", ", ".join(told)


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _first_line(folder: RunFolder) -> dict[str, Any]:
    """The first record, which says how the program was built and where it ran; empty without."""
    try:
        with (folder.path / "records.jsonl").open("rb") as lines:
            record = strict_json.loads(lines.readline(LONGEST))
    except (OSError, ValueError, json.JSONDecodeError):
        return {}
    return record if isinstance(record, dict) else {}
