# SPDX-License-Identifier: Apache-2.0
"""Adapters, OFED and snoop mode as a made-up system tells them."""

import json
from pathlib import Path
from typing import Any

import pytest

from isobath.disclosure.documents import cleaner_of
from isobath.machine.environment import read_environment
from isobath.machine.fabric import UNKNOWN, adapters, ofed_version, snoop_mode
from isobath.machine.facts import read_machine

ADAPTER = {
    "hca_type": "MT4123",
    "fw_ver": "20.31.1014",
    "board_id": "MT_0000000010",
    "hw_rev": "0",
    "node_guid": "0c42:a103:0079:8a2c",
    "ports/1/rate": "200 Gb/sec (4X HDR)",
    "ports/1/state": "4: ACTIVE",
    "ports/1/link_layer": "InfiniBand",
}
OFED_INFO = """#!/bin/bash
[ "$1" = -s ] && echo MLNX_OFED_LINUX-5.4-1.0.3.0: && exit
"""


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")


def nodes_and_sockets(root: Path, nodes: int, sockets: int) -> None:
    for node in range(nodes):
        write(root, {f"sys/devices/system/node/node{node}/cpulist": str(node)})
    for socket in range(sockets):
        place = f"sys/devices/system/cpu/cpu{socket}/topology/physical_package_id"
        write(root, {place: str(socket)})


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    """A node with one adapter, OFED, and two NUMA nodes to a socket."""
    place = "sys/class/infiniband/mlx5_0"
    write(tmp_path, {f"{place}/{name}": text for name, text in ADAPTER.items()})
    write(tmp_path, {"usr/bin/ofed_info": OFED_INFO, "sys/module/mlx5_core/version": "5.4-1.0.3"})
    nodes_and_sockets(tmp_path, nodes=4, sockets=2)
    return tmp_path


def environment_of(root: Path) -> dict[str, Any]:
    return read_environment(read_machine(root, {0, 1, 2, 3}), root)


def test_adapters_are_told_by_model_firmware_and_ports(cluster: Path) -> None:
    (one,) = environment_of(cluster)["adapters"]

    port = {"port": "1", "rate": "200 Gb/sec (4X HDR)", "state": "4: ACTIVE"}
    assert one == {
        "name": "mlx5_0",
        "model": "MT4123",
        "board": "MT_0000000010",
        "firmware": "20.31.1014",
        "hardware_revision": "0",
        "ports": [port | {"link_layer": "InfiniBand"}],
    }


def test_ofed_is_that_of_its_program_else_of_the_driver(cluster: Path) -> None:
    assert environment_of(cluster)["ofed_version"] == "MLNX_OFED_LINUX-5.4-1.0.3.0"
    (cluster / "usr/bin/ofed_info").unlink()
    assert ofed_version(cluster) == "mlx5_core 5.4-1.0.3"


def test_clusters_on_a_die_are_seen(cluster: Path) -> None:
    assert environment_of(cluster)["snoop_mode"] == "clusters on a die: 4 NUMA nodes on 2 sockets"


def test_what_cannot_be_read_is_unknown_and_not_guessed(tmp_path: Path) -> None:
    nodes_and_sockets(tmp_path, nodes=2, sockets=2)  # which may be any mode

    found = environment_of(tmp_path)

    assert (found["adapters"], found["ofed_version"]) == ([], UNKNOWN)
    assert (found["snoop_mode"], snoop_mode(tmp_path / "nowhere")) == (UNKNOWN, UNKNOWN)
    (tmp_path / "sys/class/infiniband/hfi1_0").mkdir(parents=True)
    (bare,) = adapters(tmp_path)
    assert {bare["model"], bare["firmware"], bare["board"]} == {UNKNOWN}
    device = {"vendor": "0x8086", "device": "0x24f0"}
    place = "sys/class/infiniband/hfi1_0/device"
    write(tmp_path, {f"{place}/{name}": text for name, text in device.items()})
    assert adapters(tmp_path)[0]["model"] == "PCI 8086:24f0"


def test_what_is_stored_of_them_passes_the_rules_of_disclosure(cluster: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    write(cluster, {"sys/class/infiniband/mlx5_0/board_id": secret})
    facts = environment_of(cluster)

    stored = json.loads(cleaner_of({}, []).json_text(json.dumps({"nodes": [facts]})))["nodes"][0]

    assert stored["ofed_version"] == facts["ofed_version"]
    assert stored["adapters"][0]["model"] == "MT4123"
    assert secret not in json.dumps(stored)
    assert ADAPTER["node_guid"] not in json.dumps(facts), "of this one adapter in the world"
