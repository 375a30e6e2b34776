# SPDX-License-Identifier: Apache-2.0
"""How many threads take turns on a processor, from what a run recorded."""

from typing import Any

import pytest

from isobath.costmodel.grid import Grid
from isobath.prediction.calls import Call, Layout, terms_of
from isobath.prediction.machine import UNCROWDED, Machine, machine_of
from isobath.records.run import RankBinding
from records.examples import run_record


def bound(hostnames: list[str], cpus: list[str], cores: int, **changes: object) -> Machine:
    """Ranks of one thread each."""
    run = run_record()
    host = run.hosts[0]
    binding = tuple(
        RankBinding(rank=rank, hostname=name, pid=1, cpus=where, thread_cpus=(where,))
        for rank, (name, where) in enumerate(zip(hostnames, cpus, strict=True))
    )
    update: dict[str, Any] = {
        "hosts": tuple(
            host.model_copy(update={"hostname": name, "cores": cores, "cgroup_cpus": None})
            for name in dict.fromkeys(hostnames)
        ),
        "binding": binding,
        "threads_per_rank": 1,
        "oversubscribed": False,
    }
    quota = changes.pop("cgroup_cpus", None)
    update["hosts"] = tuple(
        host.model_copy(update={"cgroup_cpus": quota}) for host in update["hosts"]
    )
    return machine_of(run.model_copy(update=update | changes))


def test_made_up_nodes_share_the_processors_of_their_machine() -> None:
    """Eight nodes of a rank on two processors, though each node says that it has two: as eight
    ranks on sixteen made-up nodes would, four take turns on each.
    """
    names = [f"isobath-ab12-node{number}" for number in range(8)]
    machine = bound(names, ["0", "1"] * 4, 2)

    assert machine == Machine(2, is_shared=True)
    assert machine.crowded(Layout.even(Grid(1, 2), 1)).crowding == 1
    assert machine.crowded(Layout.even(Grid(1, 8), 1)).crowding == 4
    assert machine.crowded(Layout.even(Grid(4, 4), 1)).crowding == 8


def test_nodes_of_their_own_are_crowded_by_their_own_ranks_alone() -> None:
    machine = bound(["a", "b"], ["0", "0"], 4)

    assert machine == Machine(4)
    assert machine.crowded(Layout.even(Grid(4, 4), 4)).crowding == 1
    assert machine.crowded(Layout.even(Grid(4, 4), 8)).crowding == 2


def test_one_processor_in_the_place_of_two_is_one() -> None:
    """All ranks were kept on processor 0, which the number of cores does not tell."""
    assert bound(["isobath-ab12-node0", "isobath-ab12-node1"], ["0", "0"], 2).processors == 1
    assert bound(["a"], ["0-1"], 8, oversubscribed=True).processors == 2


def test_a_containers_share_of_processors_bounds_what_masks_allow() -> None:
    """Sixteen ranks may run on any of 64 cores, and get as much as four."""
    for oversubscribed in (False, True):
        machine = bound(["a"] * 16, ["0-63"] * 16, 64, cgroup_cpus=4, oversubscribed=oversubscribed)

        assert machine == Machine(4)
        assert machine.crowded(Layout.even(Grid(1, 16), 16)).crowding == 4


def test_nodes_that_are_only_counted_share_their_machine() -> None:
    machine = bound(["a"] * 4, ["0-3"] * 4, 4, node_map_is_override=True)

    assert machine == Machine(4, is_shared=True)
    assert machine.crowded(Layout.even(Grid(4, 4), 4)).crowding == 4
    assert not bound(["a", "b"], ["0", "0"], 4, node_map_is_override=True).is_shared


def test_nobody_takes_turns_where_nothing_was_run() -> None:
    assert UNCROWDED.crowded(Layout.even(Grid(64, 64), 64)).crowding == 1


def test_turns_by_hand() -> None:
    """Eight ranks on eight nodes and two processors: three rounds, each waited for by three others;
    gaps are work as a whole; bytes wait for links, not for turns.
    """
    group = Machine(2, is_shared=True).crowded(Layout.even(Grid(1, 8), 1)).group("row")

    reduction = terms_of(Call(0, "reduce", "allreduce", group, 1, 7, 8 * 7)).tolist()
    exchange = terms_of(Call(0, "fold", "alltoallv", group, 1, 7, 70)).tolist()

    assert reduction == [0, 0, 0, 3, 0, 24, 3 * 3, 0, 0]
    assert exchange == pytest.approx([0, 0, 0, 1, 7 * 4, 70, 1 * 3, 70 * 2, 0])
