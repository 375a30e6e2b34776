# SPDX-License-Identifier: Apache-2.0
"""Selection tables are read out of a library's file, by collective."""

from pathlib import Path

import pytest

from isobath.launch.selection_tables import selection_tables

GENERAL = b'{"collective=bcast":{"size<9":{"algorithm=a":{}}},"collective=scan":{"algorithm=b":{}}}'
DEVICE = b'{"collective=bcast":{"algorithm=c":{}}}'


def digests(folder: Path, content: bytes) -> dict[str, str]:
    path = folder / "libmpi_abi.so.1"
    path.write_bytes(content)
    return dict(selection_tables(path).digests)


def test_a_changed_rule_changes_the_digest_of_its_collective_alone(tmp_path: Path) -> None:
    before = digests(tmp_path, b"\x7fELF" + GENERAL + b"\0" + DEVICE + b"\0code")
    after = digests(tmp_path, b"\x7fELF" + GENERAL.replace(b"<9", b"<8") + b"\0" + DEVICE + b"\0")
    device = digests(tmp_path, GENERAL + b"\0" + DEVICE.replace(b"=c", b"=d") + b"\0")

    assert before.keys() == {"bcast", "scan"}
    assert before["bcast"] != after["bcast"]
    assert before["bcast"] != device["bcast"]
    assert before["scan"] == after["scan"] == device["scan"]


@pytest.mark.parametrize(
    "content", [b"", b"no table", b'{"collective=bcast":{', GENERAL[:-1] + b"\0"]
)
def test_what_is_no_table_tells_nothing(tmp_path: Path, content: bytes) -> None:
    assert digests(tmp_path, content) == {}
    assert selection_tables(tmp_path / "missing").digests == {}


RULES = b"""{"collective=reduce":{"comm_type=intra":{"comm_size<8":{
"avg_msg_size<=0":{"algorithm=MPIR_Reduce_intra_smp":{}},
"avg_msg_size<=2048":{"algorithm=MPIR_Reduce_intra_binomial":{}},
"avg_msg_size=any":{"is_op_built_in=no":{"algorithm=MPIR_Reduce_intra_binomial":{}},
"is_op_built_in=yes":{"algorithm=MPIR_Reduce_intra_reduce_scatter_gather":{}}}}},
"comm_type=inter":{"avg_msg_size<9":{"algorithm=x":{}},"avg_msg_size=any":{"algorithm=y":{}}}},
"collective=allgather":{"comm_type=intra":{
"total_msg_size<81920":{"algorithm=MPIR_Allgather_intra_brucks":{}},
"total_msg_size=any":{"algorithm=MPIR_Allgather_intra_ring":{}}}}}"""
OF_DEVICE = b"""{"collective=reduce":{"comm_type=intra":{
"avg_msg_size<512":{"composition=MPIDI_Reduce_intra_composition_alpha":{}},
"avg_msg_size=any":{"algorithm=MPIDI_POSIX_mpi_reduce_release_gather":{}}}}}"""


def test_switch_points_are_read_with_their_sizes_and_algorithms(tmp_path: Path) -> None:
    """From all tables, between ranks of one communicator; a size of nothing is no switch."""
    path = tmp_path / "libmpi_abi.so.1"
    tables = b"\0".join(text.replace(b"\n", b"") for text in (RULES, OF_DEVICE, b"code"))
    path.write_bytes(tables)

    assert selection_tables(path).switches == {
        "allgather": ("total 81920 brucks to ring",),
        "reduce": (
            "2049 binomial to binomial/reduce_scatter_gather",
            "512 composition_alpha to release_gather",
        ),
    }
