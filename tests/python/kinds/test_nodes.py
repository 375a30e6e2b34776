# SPDX-License-Identifier: Apache-2.0
"""One declaration of nodes for all kinds, and what it amounts to."""

from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.nodes import OnNodes, OnSeveralNodes, placed, ranks_of
from isobath.kinds.run.settings import RUN
from isobath.kinds.settings_of import kept_settings
from isobath.launch.placement import require, require_reachable
from isobath.records.placement import Placement
from isobath.settings.renamed import with_present_names
from isobath.settings.sources import merge
from isobath.store.run_summary import Setting
from isobath.study.kinds import KINDS, declaration_of
from kind_table import OF_OTHERS

NAMES = ("hosts", "hostfile", "strict_placement", "nodes", "ranks_per_node", "transport")


LAUNCHING = [one.name for one in KINDS if one.program or one.planner]


@pytest.mark.parametrize("kind", [name for name in LAUNCHING if name not in OF_OTHERS])
def test_every_kind_that_launches_has_the_same_settings_of_nodes(kind: str) -> None:
    there, first = declaration_of(kind), declaration_of("run")

    assert set(NAMES) <= set(there.names)
    for name in NAMES:
        assert there.variable(there.by_name[name]) == f"ISOBATH_{name.upper()}"
        assert there.by_name[name].limits == first.by_name[name].limits


def several(**told: object) -> OnSeveralNodes:
    return OnSeveralNodes(**told)  # type: ignore[arg-type]


def test_nodes_times_ranks_of_a_node_on_every_transport() -> None:
    wanted = several(nodes=(2, 4), ranks_per_node=(4,), transport=("rate-limited:100mbit:2nodes",))

    found = [(one.ranks, one.placement.nodes, one.placement.transport)
             for one in placed(wanted, (), (2,))]  # fmt: skip

    assert found == [
        (8, 2, "rate-limited:100mbit:2nodes"),
        (16, 4, "rate-limited:100mbit:4nodes"),
    ]


def test_other_transports_have_as_many_ranks_as_made_up_nodes_beside_them() -> None:
    ways = ("shared-memory", "tcp", "rate-limited:100mbit:2nodes")
    wanted = several(nodes=(2, 4), ranks_per_node=(1,), transport=ways)

    found = {(one.placement.words(), one.ranks) for one in placed(wanted, (), (2,))}

    assert found == {
        ("", 2), ("", 4), ("tcp", 2), ("tcp", 4),
        ("rate-limited:100mbit:2nodes", 2), ("rate-limited:100mbit:4nodes", 4),
    }  # fmt: skip


def test_ranks_are_shared_out_and_every_node_has_one() -> None:
    (one,) = placed(several(transport=("rate-limited:3nodes",)), (5,), ())
    assert one.placement.node_of_rank(5) == [0, 0, 1, 1, 2]
    (usual,) = placed(several(transport=("rate-limited:3nodes",)), (), (2,))
    assert usual.ranks == 3
    with pytest.raises(UsageError, match="2 ranks cannot fill the 3 nodes of rate-limited"):
        placed(several(transport=("rate-limited:3nodes",)), (2,), ())


def test_named_machines_are_taken_in_their_order() -> None:
    (one,) = placed(several(hosts="a:2,b:2,c:2", nodes=(2,)), (), (1,))
    assert one.placement.hosts == ("a", "b")
    assert one.ranks == 4
    assert one.placement.host_list(4) == "a:2,b:2"


def test_a_file_of_hosts_is_read_with_its_slots(tmp_path: Path) -> None:
    file = tmp_path / "hosts"
    file.write_text("# ours\nnode01 slots=3\nnode02 slots = 3  # old\n\n", encoding="utf-8")

    (one,) = placed(several(hostfile=str(file)), (), (1,))

    assert (one.ranks, one.placement.hosts) == (6, ("node01", "node02"))


@pytest.mark.parametrize(
    ("told", "ranks", "words"),
    [
        ({"hosts": "a,b", "hostfile": "x"}, (), "both name machines"),
        ({"hosts": "a,b", "nodes": (3,)}, (), "2 machines are named; name more"),
        ({"hosts": "a,a"}, (), "names a machine twice"),
        ({"hosts": "a:2,b:3"}, (), "nodes are filled evenly"),
        ({"hosts": "a;reboot"}, (), "a;reboot is no name of a machine"),
        ({"hosts": "-oProxyCommand=x"}, (), "is no name of a machine"),
        ({"hosts": "a", "transport": ("rate-limited",)}, (), "leave one of the two out"),
        ({"transport": ("rate-limited",), "nodes": (1,)}, (), "has 2 to 64 nodes"),
        ({"nodes": (2,), "ranks_per_node": (4,)}, (6,), "2 nodes of 4 ranks are 8"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(
    told: dict[str, object], ranks: tuple[int, ...], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        placed(several(**told), ranks, (1,))


def test_a_file_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(EnvironmentProblem, match="cannot read /nowhere: No such file"):
        placed(several(hostfile="/nowhere"), (), (1,))


def test_two_nodes_of_one_machine_are_refused_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SLURM_JOB_ID", "PBS_NODEFILE", "LSB_HOSTS", "PE_HOSTFILE", "OAR_NODEFILE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="one machine here, and no allocation"):
        require(Placement(nodes=2), 2)
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    require(Placement(nodes=2), 2)


SSH = """#!/bin/sh
for word; do case $word in node*) host=$word ;; esac; done
case $host in
  node-there) echo called-otherwise ;;
  *) echo "Warning: first" >&2; echo "ssh: Could not resolve hostname $host" >&2; exit 255 ;;
esac
"""


def test_machines_that_do_not_answer_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(SSH, encoding="utf-8")
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    assert require_reachable(["node-there"]) == ["called-otherwise"]
    with pytest.raises(EnvironmentProblem) as refused:
        require_reachable(["node-there", "node-gone", "node-lost"])

    assert str(refused.value).startswith(
        "cannot reach node-gone, node-lost by ssh (node-gone: ssh: Could not resolve hostname "
        "node-gone); correct --hosts"
    )


def test_a_run_of_made_up_nodes_has_a_rank_in_each() -> None:
    assert ranks_of(OnNodes()) is None
    assert ranks_of(OnNodes(transport="rate-limited:1gbit:4nodes")) == 4
    assert ranks_of(OnNodes(nodes=4, ranks_per_node=2, transport="rate-limited:1gbit:2nodes")) == 8


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ranks_per_node = 4\n", "count_nodes_of"),
        ("ranks-per-node = 4\n", "count_nodes_of"),
        ('ranks_per_node = 4\nnodes = 2\ntransport = "rate-limited"\n', "ranks_per_node"),
        ("ranks_per_node = 4\ncount_nodes_of = 2\n", "ranks_per_node"),
    ],
)
@pytest.mark.parametrize("kind", ["run", "race"])
def test_a_file_of_before_pretends_nodes_as_it_did(
    tmp_path: Path, kind: str, text: str, name: str
) -> None:
    file = tmp_path / "study.toml"
    file.write_text(text, encoding="utf-8")

    values = merge(declaration_of(kind), file=file).values

    assert values[name] == ((4,) if kind == "race" else 4)
    assert ("ranks_per_node" in values) == (name == "ranks_per_node")


def test_cells_of_a_race_of_before_pretend_nodes_too(tmp_path: Path) -> None:
    file = tmp_path / "race.toml"
    file.write_text("[[cells]]\nranks_per_node = [2, 4]\nranks = 4\n", encoding="utf-8")

    (cell,) = merge(declaration_of("race"), file=file).values["cells"]

    assert cell == {"count_nodes_of": (2, 4), "ranks": (4,)}


def test_a_stored_run_of_before_is_made_again_with_the_name_of_now() -> None:
    stored = {"ranks_per_node": Setting(value=4, origin="--ranks-per-node")}

    assert kept_settings(RUN, stored) == {"count_nodes_of": 4}
    unasked = {name: Setting(value=None, origin="default") for name in ("nodes", "hosts")}
    assert kept_settings(RUN, stored | unasked) == {"ranks_per_node": 4}


def test_ranks_of_a_node_are_kept_with_the_nodes_they_are_of() -> None:
    """So that what we write is never read as what files of before said."""
    wanted = {"ranks_per_node": 2, "transport": "rate-limited:1gbit:2nodes", "nodes": 2}
    assert with_present_names(RUN.by_name, wanted) == wanted
