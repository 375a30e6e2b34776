# SPDX-License-Identifier: Apache-2.0
"""What nodes are, without making any: tests/system/test_namespaces.py makes some."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isobath.errors import EnvironmentProblem
from isobath.launch.links import incoming_link, outgoing_link
from isobath.launch.namespaces import ENTER, Nodes, nodes_for, shared_cpus, why_not
from isobath.launch.transport import SHARED_MEMORY, Transport, transport_of

TWO = transport_of("rate-limited:2nodes")


@given(st.sets(st.integers(0, 300), min_size=1, max_size=70), st.integers(2, 64))
def test_processors_are_shared_out_evenly(cpus: set[int], nodes: int) -> None:
    shares = shared_cpus(sorted(cpus), Transport("rate-limited", nodes))

    assert len(shares) == nodes
    assert all(shares)
    if nodes <= len(cpus):
        assert sorted(cpu for share in shares for cpu in share) == sorted(cpus)
        assert max(map(len, shares)) - min(map(len, shares)) <= 1
    else:
        assert {cpu for share in shares for cpu in share} == cpus


@given(st.integers(2, 64), st.integers(0, 200))
def test_ranks_are_shared_out_evenly_and_all_nodes_get_some(nodes: int, more: int) -> None:
    counts = Nodes(Transport("rate-limited", nodes)).ranks_of_nodes(nodes + more)

    assert sum(counts) == nodes + more
    assert min(counts) >= 1
    assert max(counts) - min(counts) <= 1
    assert counts == sorted(counts, reverse=True)


def test_names_are_those_of_hosts_and_nobody_elses() -> None:
    first, second = Nodes(TWO), Nodes(TWO)

    names = [node.name for node in (*first.nodes, *second.nodes)]
    assert len(set(names)) == 4
    assert all(len(name) <= 64 for name in names)
    assert [line.split()[:2] for line in first.describe()] == [
        [f"{names[0]}", "10.73.0.1,"],
        [f"{names[1]}", "10.73.0.2,"],
    ]


def test_a_link_of_a_rate_is_limited_both_ways() -> None:
    link = transport_of("rate-limited:1gbit:2nodes")

    (sent,) = outgoing_link(link)
    (received,) = incoming_link(link, "port1")

    bucket = ("tbf", "rate", "1000000000bit", "burst", "3028", "limit", "67108864")
    assert sent == ("tc", "qdisc", "add", "dev", "eth0", "root", "handle", "1:", *bucket)
    assert received == ("tc", "qdisc", "add", "dev", "port1", "root", *bucket)


def test_latency_is_added_once_each_way_behind_the_limit() -> None:
    limited = outgoing_link(transport_of("rate-limited:1gbit:50us"))
    free = outgoing_link(transport_of("rate-limited:unlimited:50us"))

    delay = ("netem", "delay", "50us", "limit", "100000")
    assert limited[1] == (
        *("tc", "qdisc", "add", "dev", "eth0", "parent", "1:1", "handle", "10:"),
        *delay,
    )
    assert free == [("tc", "qdisc", "add", "dev", "eth0", "root", *delay)]
    assert incoming_link(transport_of("rate-limited:unlimited:50us"), "port0") == []


def test_a_kernel_that_cannot_add_latency_is_asked_for_the_rate_alone() -> None:
    link = transport_of("rate-limited:1gbit:50us")

    assert outgoing_link(link, by_kernel=False) == outgoing_link(transport_of("rate-limited:1gbit"))
    assert outgoing_link(transport_of("rate-limited:unlimited:50us"), by_kernel=False) == []


def test_a_transport_of_one_node_needs_no_namespaces() -> None:
    for transport in (SHARED_MEMORY, Transport("tcp")):
        with nodes_for(transport) as nodes:
            assert nodes is None
        assert why_not(transport) == ""


def test_without_root_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    with pytest.raises(EnvironmentProblem, match="need root; start isobath as root, or use"):
        Nodes(TWO).__enter__()
    assert "need root" in why_not(TWO)


@pytest.mark.parametrize(
    ("missing", "package"),
    [("ip", "iproute2"), ("tc", "iproute2"), ("nsenter", "util-linux"), ("taskset", "util-linux")],
)
def test_a_missing_tool_is_named_with_its_package(
    missing: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool in {"ip", "tc", "nsenter", "taskset"} - {missing}:
        (tmp_path / tool).touch(mode=0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(
        EnvironmentProblem, match=f"program {missing}, .* apt-get install {package}"
    ):
        Nodes(TWO).__enter__()


def test_no_permission_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    holder = tmp_path / "holder.py"
    holder.write_text("print('Operation not permitted')")
    monkeypatch.setattr("isobath.launch.node_holder.__file__", str(holder))
    monkeypatch.setattr("isobath.launch.namespaces.require_tools", lambda: None)

    assert why_not(TWO).startswith(
        "this machine permits no network namespaces (Operation not permitted); in a container"
    )


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, str]:
    """An nsenter that only says what it is to do, and a node of process 77."""
    (tmp_path / "nsenter").write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    (tmp_path / "nsenter").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    return {"PATH": path, "ISOBATH_NODE_PROCESSES": "10.73.0.1=66=0 10.73.0.12=77=1,2"}


@pytest.mark.parametrize("options", [[], ["-x"], ["-q", "-x"]])
def test_the_stand_in_for_ssh_finds_the_node(tools: dict[str, str], options: list[str]) -> None:
    words = [*options, "10.73.0.12", '"/a b/proxy"', "--id", "1"]

    done = subprocess.run([ENTER, *words], capture_output=True, text=True, env=tools, check=True)

    assert done.stdout.split("|")[:-1] == [
        *("--target", "77", "--net", "--uts", "taskset", "--cpu-list", "1,2"),
        *("/bin/sh", "-c", '"/a b/proxy" --id 1'),
    ]


def test_the_stand_in_for_ssh_says_that_a_node_is_gone(tools: dict[str, str]) -> None:
    done = subprocess.run(
        [ENTER, "10.73.0.2", "true"], capture_output=True, text=True, env=tools, check=False
    )

    assert done.returncode == 3
    assert "there is no node 10.73.0.2" in done.stderr
