# SPDX-License-Identifier: Apache-2.0
"""Adapters of fast networks, their software, and how caches are kept coherent."""

import re
from pathlib import Path
from typing import Any

from isobath.machine.facts import read_text

UNKNOWN = "unknown"
"""What is told where the system does not say; never a guess."""

ADAPTER_FILES = {
    "board": "board_id",
    "firmware": "fw_ver",
    "hardware_revision": "hw_rev",
}
PORT_FILES = {"rate": "rate", "state": "state", "link_layer": "link_layer"}

OFED_DRIVER = "sys/module/mlx5_core/version"
"""Of the driver as OFED brings it; that of the kernel has no such file."""

OFED_PROGRAM = "usr/bin/ofed_info"
"""A script of OFED that holds its version in words; it is read, not run."""

OFED_WORD = re.compile(r"\b(MLNX_OFED_LINUX|OFED[\w.]*|DOCA)-\d[\w.-]*")


def adapters(root: Path) -> list[dict[str, Any]]:
    """Host channel adapters, by name: model, firmware, ports; UNKNOWN where a file is missing."""
    host_adapters = []
    for path in sorted((root / "sys/class/infiniband").glob("*")):
        facts: dict[str, Any] = {"name": path.name, "model": _model(path)}
        facts |= {name: read_text(path / file) or UNKNOWN for name, file in ADAPTER_FILES.items()}
        facts["ports"] = [
            {"port": port.name}
            | {name: read_text(port / file) or UNKNOWN for name, file in PORT_FILES.items()}
            for port in sorted((path / "ports").glob("*"))
        ]
        host_adapters.append(facts)
    return host_adapters


def _model(path: Path) -> str:
    """What its driver calls it, else vendor and device as the bus numbers them."""
    kind = read_text(path / "hca_type")
    vendor, device = (read_text(path / "device" / name) for name in ("vendor", "device"))
    if kind:
        return kind
    if vendor and device:
        return f"PCI {vendor.removeprefix('0x')}:{device.removeprefix('0x')}"
    return UNKNOWN


def ofed_version(root: Path) -> str:
    """Of the software stack of the adapters; UNKNOWN where none is installed or told."""
    told = OFED_WORD.search(read_text(root / OFED_PROGRAM))
    if told:
        return told[0]
    driver = read_text(root / OFED_DRIVER)
    return f"mlx5_core {driver}" if driver else UNKNOWN


def snoop_mode(root: Path) -> str:
    """How caches of a socket ask each other, as far as it can be read without being root.

    The kernel has no file for it. A socket that is shown as several NUMA nodes tells one mode
    (Cluster-on-Die, sub-NUMA clusters); one node per socket may be any of the others: UNKNOWN.
    """
    nodes = [
        path
        for path in (root / "sys/devices/system/node").glob("node[0-9]*")
        if read_text(path / "cpulist")
    ]
    packages = {
        read_text(path)
        for path in (root / "sys/devices/system/cpu").glob("cpu[0-9]*/topology/physical_package_id")
    } - {""}
    if packages and len(nodes) > len(packages):
        return f"clusters on a die: {len(nodes)} NUMA nodes on {len(packages)} sockets"
    return UNKNOWN
