# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isobath.errors import UsageError
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.links import INTERFACE
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.namespaces import ENTER, Nodes
from isobath.launch.placement import placed_by
from isobath.launch.transport import (
    LEAST_BITS_PER_SECOND,
    MOST_BITS_PER_SECOND,
    MOST_LATENCY_US,
    MOST_NODES,
    SHARED_MEMORY,
    Transport,
    transport_of,
)

WHEEL = MpiLibrary(
    id="mpich-wheel",
    kind="mpich-wheel",
    version="5.0.2",
    mpicxx="/venv/bin/mpicxx_abi",
    mpiexec="/venv/bin/mpiexec",
    healthy=True,
)
OPEN = replace(WHEEL, id="openmpi", kind="openmpi", version="4.1.4", mpiexec="/usr/bin/mpiexec")
INTEL = replace(WHEEL, id="intel", kind="intel", version="2021", mpiexec="/opt/mpiexec")
EVERY = pytest.mark.parametrize("mpi", [WHEEL, OPEN, INTEL], ids=lambda mpi: mpi.id)


@pytest.mark.parametrize(
    ("text", "transport"),
    [
        ("shared-memory", SHARED_MEMORY),
        ("tcp", Transport("tcp")),
        ("rate-limited", Transport("rate-limited", 2, 10**9, 0)),
        ("rate-limited:1gbit:2nodes:50us", Transport("rate-limited", 2, 10**9, 50)),
        ("rate-limited:50us:2.5gbit", Transport("rate-limited", 2, 2_500_000_000, 50)),
        ("Rate-Limited:4nodes:1.5ms", Transport("rate-limited", 4, 10**9, 1500)),
        ("rate-limited:unlimited:3nodes", Transport("rate-limited", 3, None, 0)),
        ("rate-limited:100kbit", Transport("rate-limited", 2, 100_000, 0)),
    ],
)
def test_words_name_a_transport(text: str, transport: Transport) -> None:
    assert transport_of(text) == transport
    assert transport_of(transport.text()) == transport


links = st.builds(
    Transport,
    st.just("rate-limited"),
    st.integers(2, MOST_NODES),
    st.none() | st.integers(LEAST_BITS_PER_SECOND, MOST_BITS_PER_SECOND),
    st.integers(0, MOST_LATENCY_US),
)


@given(links)
def test_every_link_can_be_written_and_read(transport: Transport) -> None:
    assert transport_of(transport.text()) == transport


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "choose shared-memory, tcp, or rate-limited"),
        ("udp", "choose shared-memory, tcp, or rate-limited"),
        ("tcp:1gbit", "only rate-limited takes more words; write tcp"),
        ("rate-limited:", "what is an empty word?"),
        ("rate-limited:fast", "what is fast?"),
        ("rate-limited:1tbit", "what is 1tbit?"),
        ("rate-limited:1gbit:2gbit", "2gbit says again"),
        ("rate-limited:1nodes", "2 to 64 nodes"),
        ("rate-limited:2.5nodes", "2 to 64 nodes"),
        ("rate-limited:65nodes", "2 to 64 nodes"),
        ("rate-limited:99kbit", "a rate from 100kbit to 100gbit"),
        ("rate-limited:0.5us", "whole microseconds"),
        ("rate-limited:1001ms", "up to a second"),
        ("rate-limited:-1us", "what is -1us?"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=r"^transport ") as refused:
        transport_of(text)

    assert words in str(refused.value)


def line(
    mpi: MpiLibrary, text: str, *, ranks: int = 4, threads: int = 1, cpus: int = 8
) -> LaunchLine:
    return launch_line(
        mpi,
        Path("/b/engine"),
        ["--x"],
        ranks=ranks,
        threads=threads,
        cpus=cpus,
        as_root=False,
        placement=placed_by(text),
    )


@EVERY
def test_the_default_adds_nothing(mpi: MpiLibrary) -> None:
    plain = launch_line(mpi, Path("/b/engine"), ["--x"], ranks=4, threads=1, cpus=8, as_root=False)

    assert line(mpi, "shared-memory") == plain
    assert "tcp" not in plain.text()


def test_mpich_is_told_at_every_layer_to_use_tcp() -> None:
    assert (
        line(WHEEL, "tcp").environment.items()
        >= {
            "MPIR_CVAR_CH4_NETMOD": "ofi",
            "FI_PROVIDER": "tcp",
            "UCX_TLS": "tcp,self",
            "MPIR_CVAR_NOLOCAL": "1",
        }.items()
    )


@pytest.mark.parametrize(("version", "windows"), [("4.1.4", "pt2pt"), ("5.0.11", "^sm,ucx")])
def test_open_mpi_is_told_that_windows_too_use_tcp(version: str, windows: str) -> None:
    command = line(replace(OPEN, version=version), "tcp").command

    assert chosen(command) == {
        "pml": "ob1",
        "btl": "tcp,self",
        "osc": windows,
        "btl_tcp_if_include": "lo",
    }


def chosen(command: tuple[str, ...]) -> dict[str, str]:
    places = [place for place, word in enumerate(command) if word == "--mca"]
    return {command[place + 1]: command[place + 2] for place in places}


def test_intel_mpi_leaves_its_shared_memory() -> None:
    assert line(INTEL, "tcp").environment["I_MPI_FABRICS"] == "ofi"
    assert line(INTEL, "rate-limited").environment["I_MPI_FABRICS"] == "shm:ofi"


@EVERY
def test_several_nodes_keep_shared_memory_inside_each(mpi: MpiLibrary) -> None:
    found = line(mpi, "rate-limited:2nodes")

    assert "MPIR_CVAR_NOLOCAL" not in found.environment
    assert "btl_tcp_if_include" not in chosen(found.command)
    if mpi is OPEN:
        assert chosen(found.command)["btl"] == "tcp,self,vader"
    assert str(ENTER) in found.command
    if mpi is not INTEL:
        assert "10.73.0.1:2,10.73.0.2:2" in found.command


def test_intel_s_launchers_meet_at_an_address_as_names_of_made_up_nodes_cannot_be_looked_up() -> (
    None
):
    command = line(INTEL, "rate-limited:2nodes").command

    place = command.index("-iface")
    assert command.index(INTEL.mpiexec) < place < command.index("-n")
    assert command[place + 1] == INTERFACE
    assert "-iface" not in line(INTEL, "tcp").command
    assert "-iface" not in line(WHEEL, "rate-limited:2nodes").command


def test_intel_s_launcher_is_told_the_ranks_of_each_node_as_it_reads_none_from_a_list() -> None:
    command = line(INTEL, "rate-limited:2nodes", ranks=5).command

    first, second = "10.73.0.1", "10.73.0.2"
    started = ("/b/engine", "--x")
    ends = ("-host", first, "-n", "3", *started, ":", "-host", second, "-n", "2", *started)
    assert command[-len(ends) :] == ends
    assert "-hosts" not in command


def test_crowded_intel_ranks_yield_between_nodes_too() -> None:
    assert line(INTEL, "rate-limited:2nodes", cpus=1).environment["I_MPI_THREAD_YIELD"] == "2"
    assert "I_MPI_THREAD_YIELD" not in line(INTEL, "tcp", cpus=1).environment


@EVERY
def test_the_launcher_runs_in_the_first_node_and_keeps_its_name(mpi: MpiLibrary) -> None:
    found = line(mpi, "rate-limited")

    assert found.command[0] == "nsenter"
    assert found.command.index(mpi.mpiexec) < found.command.index("-n")
    assert found.launcher_name == "mpiexec"
    assert line(mpi, "tcp").command[0] == mpi.mpiexec


@pytest.mark.parametrize(
    ("cpus", "ranks", "threads", "policy"),
    [
        ((0, 1, 2, 3), 2, 2, "active"),
        ((0, 1, 2, 3), 3, 1, "active"),
        ((0, 1, 2), 3, 1, "passive"),  # a node of one processor gets two ranks
        ((0,), 2, 1, "passive"),
    ],
)
def test_a_crowded_node_is_oversubscribed_though_the_machine_is_not(
    cpus: tuple[int, ...], ranks: int, threads: int, policy: str
) -> None:
    two = transport_of("rate-limited:2nodes")
    found = launch_line(
        WHEEL,
        Path("/b/engine"),
        [],
        ranks=ranks,
        threads=threads,
        cpus=8,
        placement=placed_by(two.text()),
        nodes=Nodes(two, cpus),
    )

    assert found.environment["OMP_WAIT_POLICY"] == policy


def test_fewer_ranks_than_nodes_are_refused() -> None:
    with pytest.raises(UsageError, match="2 ranks cannot fill the 3 nodes of rate-limited:1gbit"):
        line(WHEEL, "rate-limited:3nodes", ranks=2)
