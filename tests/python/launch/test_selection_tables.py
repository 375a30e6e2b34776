# SPDX-License-Identifier: Apache-2.0
"""Selection tables are read out of a library's file, by collective."""

from pathlib import Path

import pytest

from isobath.launch.selection_tables import selection_digests

GENERAL = b'{"collective=bcast":{"size<9":{"algorithm=a":{}}},"collective=scan":{"algorithm=b":{}}}'
DEVICE = b'{"collective=bcast":{"algorithm=c":{}}}'


def digests(folder: Path, content: bytes) -> dict[str, str]:
    path = folder / "libmpi_abi.so.1"
    path.write_bytes(content)
    return selection_digests(path)


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
    assert selection_digests(tmp_path / "missing") == {}
