# SPDX-License-Identifier: Apache-2.0
"""Ranks on machines that are named: reached by ssh, held to their places, laid out in a shape."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from isobath.launch.namespaces import ENTER, Nodes
from isobath.records.codec import AnyRecord, read_records
from isobath.records.collective import CollectiveRecord, LaunchRecord
from system.laboratory import Done, Laboratory
from system.node_traces import FAST, needs_namespaces

BENCH = ("bench", "collectives", "--collectives", "alltoallv", "--sizes", "64,1K", "--launches",
         "1", "--budget", "0.05", "--algorithms", "none", "--no-report", "--counts", "uniform",
         "--buffers", "warm", "--forms", "blocking")  # fmt: skip

TURNED = Path(__file__).with_name("turned_shapes.cpp")

OPTIONS = "while :; do case $1 in -o) shift 2 ;; -*) shift ;; *) break ;; esac; done\n"

EVERYBODY_IS_HERE = f"""#!/bin/sh
{OPTIONS}
host=$1
shift
[ "$1" = uname ] && {{ echo "$host"; exit 0; }}
exec /bin/sh -c "$*"
"""
"""Stands where ssh is: every machine is this one, under another name."""

INTO_NAMESPACES = f"""#!/bin/sh
{OPTIONS}
exec {ENTER} "$@"
"""


def path_with_ssh(folder: Path, script: str) -> str:
    ssh = folder / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text(script, encoding="utf-8")
    ssh.chmod(0o755)
    return f"{ssh.parent}:/usr/bin:/bin:/usr/sbin:/sbin"


def records_in(store: Path) -> list[AnyRecord]:
    return [row for path in sorted(store.rglob("records.jsonl")) for row in read_records(path)]


def test_ranks_that_are_elsewhere_measure_nothing(lab: Laboratory, tmp_path: Path) -> None:
    path = path_with_ssh(tmp_path, EVERYBODY_IS_HERE)
    asked = (*BENCH, "--hosts", "machine-a,machine-b", "--ranks-per-node", "1")

    strict = lab.isobath(*asked, "--store", tmp_path / "strict", "--strict-placement", PATH=path)
    loose = lab.isobath(*asked, "--store", tmp_path / "loose", PATH=path)

    assert strict.code == 3
    assert "rank 0 was to be on node 0 (machine-a) and is on node 0 (" in strict.err
    assert not any(isinstance(row, CollectiveRecord) for row in records_in(tmp_path / "strict"))
    assert loose.code == 0, loose.err
    (launch,) = [row for row in records_in(tmp_path / "loose") if isinstance(row, LaunchRecord)]
    assert (launch.ranks, launch.nodes) == (2, 1)


def test_a_run_too_is_held_to_its_place(lab: Laboratory, tmp_path: Path) -> None:
    path = path_with_ssh(tmp_path, EVERYBODY_IS_HERE)

    done = lab.isobath("run", "--scale", "8", "--keys", "1", "--hosts", "machine-a,machine-b",
                       "--ranks-per-node", "1", "--strict-placement", PATH=path)  # fmt: skip

    assert done.code == 3
    assert "was to be on node 0 (machine-a)" in done.err


def test_a_machine_that_ssh_does_not_reach_is_named(lab: Laboratory, tmp_path: Path) -> None:
    path = path_with_ssh(tmp_path, "#!/bin/sh\necho 'ssh: no route to host' >&2\nexit 255\n")

    done = lab.isobath(*BENCH, "--hosts", "machine-a,machine-b", PATH=path)

    assert done.code == 3
    assert "cannot reach machine-a, machine-b by ssh (machine-a: ssh: no route to host)" in done.err


@needs_namespaces
def test_machines_that_are_apart_are_reached_by_ssh(lab: Laboratory, tmp_path: Path) -> None:
    path = path_with_ssh(tmp_path, INTO_NAMESPACES)
    with Nodes(FAST) as nodes:
        hosts = ",".join(node.address for node in nodes.nodes)
        words = lab.command(*BENCH, "--hosts", hosts, "--ranks-per-node", "1", "--transport",
                            "tcp", "--strict-placement", "--store", tmp_path)  # fmt: skip
        done = subprocess.run(
            nodes.entered(nodes.nodes[0], words),
            capture_output=True,
            text=True,
            env=lab.environment(PATH=path, **nodes.environment()),
            check=False,
        )
        sent = nodes.traffic(nodes.nodes[0]).sent_bytes
    assert done.returncode == 0, done.stderr
    (launch,) = [row for row in records_in(tmp_path) if isinstance(row, LaunchRecord)]
    assert launch.node_of_rank == (0, 1)
    assert [host.hostname for host in launch.hosts] == [node.name for node in nodes.nodes]
    assert sent > 1024


@needs_namespaces
def test_made_up_nodes_can_be_strict(lab: Laboratory, tmp_path: Path) -> None:
    done = strictly_on_nodes(lab, tmp_path, ranks_per_node=1)
    assert done.code == 0, done.err
    (launch,) = [row for row in records_in(tmp_path) if isinstance(row, LaunchRecord)]
    assert launch.node_of_rank == (0, 1)


@pytest.mark.slow
@needs_namespaces
def test_numbers_of_nodes_come_as_far_as_processors_reach(lab: Laboratory, tmp_path: Path) -> None:
    """Figure 3 of the TSUBAME 2.0 paper from 2 and 4 nodes of a rank: without four processors the
    view says which nodes have no times that count.
    """
    processors = len(os.sched_getaffinity(0))

    done = lab.isobath(*BENCH, "--nodes", "2,4", "--ranks-per-node", "1", "--transport",
                       "rate-limited:unlimited", "--store", tmp_path)  # fmt: skip
    shown = lab.isobath("show", "last", "--view", "nodes", "--store", tmp_path)

    assert done.code == shown.code == 0, done.err + shown.err
    launches = [row for row in records_in(tmp_path) if isinstance(row, LaunchRecord)]
    assert {row.node_of_rank for row in launches} == {(0, 1), (0, 1, 2, 3)}
    said = " ".join(shown.out.split())
    if processors < 4:
        assert "No all-to-all has times that count on several numbers of nodes" in said
        assert re.search(r"OVERSUBSCRIBED: on (2 and )?4 nodes there were more ranks than", said)
    else:
        assert "OVERSUBSCRIBED" not in said
        assert "Pretended nodes are network namespaces of one machine" in said


@needs_namespaces
def test_ranks_without_processors_of_their_own_are_no_strict_placement(
    lab: Laboratory, tmp_path: Path
) -> None:
    done = strictly_on_nodes(lab, tmp_path, ranks_per_node=1 + len(os.sched_getaffinity(0)))
    assert done.code == 3
    assert "made-up nodes share" in done.err
    assert records_in(tmp_path) == []


def strictly_on_nodes(lab: Laboratory, store: Path, *, ranks_per_node: int) -> Done:
    return lab.isobath(*BENCH, "--nodes", "2", "--ranks-per-node", ranks_per_node, "--transport",
                       "rate-limited", "--strict-placement", "--store", store)  # fmt: skip


def test_a_shape_is_what_the_world_is_laid_out_along(lab: Laboratory, tmp_path: Path) -> None:
    done = lab.isobath(*BENCH, "--ranks", "6", "--shapes", "2x3,6", "--along", "world,row",
                       "--store", tmp_path)  # fmt: skip

    assert done.code == 0, done.err
    cells = [row for row in records_in(tmp_path) if isinstance(row, CollectiveRecord)]
    laid_out = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))
    assert {row.shape: row.coordinates for row in cells} == {"2x3": laid_out, "6": None}
    assert {(row.shape, row.along) for row in cells} == {
        ("2x3", "world"), ("2x3", "row"), ("6", "world"),
    }  # fmt: skip


def test_ranks_that_mpi_lays_out_otherwise_measure_nothing_where_that_is_strict(
    lab: Laboratory, tmp_path: Path
) -> None:
    library = tmp_path / "libturned.so"
    words = [lab.mpi.mpicxx, "-std=c++20", "-shared", "-fPIC", "-o", str(library), str(TURNED)]
    subprocess.run(words, check=True, capture_output=True)
    asked = (*BENCH, "--ranks", "2", "--shapes", "1x2", "--along", "world")
    sentence = "rank 0 was to be at 0,0 of shape 1x2 and is at 0,1"

    loose = lab.isobath(*asked, "--store", tmp_path / "loose", LD_PRELOAD=str(library))
    shown = lab.isobath("show", "--view", "placement", "--store", tmp_path / "loose")
    strict = lab.isobath(
        *asked, "--strict-placement", "--store", tmp_path / "strict", LD_PRELOAD=str(library)
    )
    right = lab.isobath(*asked, "--strict-placement", "--store", tmp_path / "right")

    assert loose.code == 0, loose.err
    assert "OTHERWISE SHAPED" in loose.out
    assert "OTHERWISE" in shown.out
    assert strict.code == 3
    assert sentence in strict.err
    assert not any(isinstance(row, CollectiveRecord) for row in records_in(tmp_path / "strict"))
    assert right.code == 0, right.err


@pytest.mark.parametrize("kind", ["overlap", "cg"])
def test_other_benchmarks_say_where_ranks_were_otherwise(
    lab: Laboratory, tmp_path: Path, kind: str
) -> None:
    path = path_with_ssh(tmp_path, EVERYBODY_IS_HERE)
    little = {
        "overlap": ("--sizes", "64", "--repetitions", "2", "--work", "triad", "--ratios", "1"),
        "cg": ("--elements", "16", "--iterations", "5", "--repetitions", "1", "--no-petsc",
               "--no-profile"),
    }[kind]  # fmt: skip
    asked = ("bench", kind, *little, "--launches", "1", "--progress", "library", "--hosts",
             "machine-a,machine-b", "--ranks-per-node", "1", "--no-report")  # fmt: skip

    loose = lab.isobath(*asked, "--store", tmp_path / "loose", PATH=path)
    strict = lab.isobath(*asked, "--store", tmp_path / "strict", "--strict-placement", PATH=path)

    assert "OTHERWISE PLACED: ranks were on other nodes than asked" in loose.out + loose.err
    assert strict.code == 3
    assert "was to be on node 0 (machine-a)" in strict.err
