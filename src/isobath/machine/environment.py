# SPDX-License-Identifier: Apache-2.0
"""What else may change a measurement: kernel, frequencies, huge pages, container, network."""

import os
import platform
from pathlib import Path
from typing import Any

from isobath.disclosure.variables import stored_kernel_line, stored_variables
from isobath.machine.fabric import adapters, ofed_version, snoop_mode
from isobath.machine.facts import Machine, read_text

NAMED_FILES = {
    "kernel": "proc/sys/kernel/osrelease",
    "kernel_version": "proc/sys/kernel/version",
    "clock_source": "sys/devices/system/clocksource/clocksource0/current_clocksource",
    "frequency_governor": "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "frequency_driver": "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
    "turbo_off": "sys/devices/system/cpu/intel_pstate/no_turbo",
    "boost": "sys/devices/system/cpu/cpufreq/boost",
    "simultaneous_multithreading": "sys/devices/system/cpu/smt/control",
    "huge_pages": "sys/kernel/mm/transparent_hugepage/enabled",
    "huge_pages_defragmentation": "sys/kernel/mm/transparent_hugepage/defrag",
    "numa_balancing": "proc/sys/kernel/numa_balancing",
    "overcommit_memory": "proc/sys/vm/overcommit_memory",
    "hypervisor": "sys/hypervisor/type",
    "product_name": "sys/class/dmi/id/product_name",
}


def read_environment(machine: Machine, root: Path = Path("/")) -> dict[str, Any]:
    """Facts by name; what cannot be read is absent."""
    facts: dict[str, Any] = {
        "hostname": machine.hostname,
        "cpu_model": machine.cpu_model,
        "cpus": list(machine.cpus),
        "numa_cpus": [list(cpus) for cpus in machine.numa_cpus],
        "memory_bytes": machine.memory_bytes,
        "available_bytes": machine.available_bytes,
        "shm_bytes": machine.shm_bytes,
        "load": machine.load,
        "system": _os_release(root),
        "python": platform.python_version(),
    }
    if machine.memory_limit_bytes is not None:
        facts["memory_limit_bytes"] = machine.memory_limit_bytes
    if machine.cpu_limit is not None:
        facts["cpu_limit"] = machine.cpu_limit
    for name, file in NAMED_FILES.items():
        text = read_text(root / file)
        if text:
            facts[name] = text
    for line in read_text(root / "proc/cpuinfo").splitlines():
        if line.startswith("microcode"):
            facts["microcode"] = line.partition(":")[2].strip()
            break
    command_line = stored_kernel_line(read_text(root / "proc/cmdline"))
    if command_line:
        facts["kernel_command_line"] = command_line
    facts["network"] = _network(root)
    facts["adapters"] = adapters(root)
    facts["ofed_version"] = ofed_version(root)
    facts["snoop_mode"] = snoop_mode(root)
    facts["variables"] = stored_variables(os.environ)
    return facts


def _os_release(root: Path) -> str:
    for line in read_text(root / "etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return "unknown"


def _network(root: Path) -> list[dict[str, str]]:
    interfaces = []
    for path in sorted((root / "sys/class/net").glob("*")):
        facts = {"name": path.name, "mtu": read_text(path / "mtu")}
        speed = read_text(path / "speed")
        if speed and not speed.startswith("-"):
            facts["speed_megabits_per_second"] = speed
        driver = path / "device" / "driver"
        if driver.exists():
            facts["driver"] = driver.resolve().name
        interfaces.append(facts)
    return interfaces
