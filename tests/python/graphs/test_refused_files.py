# SPDX-License-Identifier: Apache-2.0
"""A graph file that is refused before anything is started leaves nothing in the store."""

from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem
from isobath.graphs import session
from isobath.graphs.design import GraphFile, SearchDesign
from isobath.launch.interrupts import NeverStop


class SomeLibrary:
    """An MPI with every program."""

    def program(self, name: str) -> Path:
        return Path("/bin") / name


def test_a_parquet_file_that_is_none_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "graph.parquet"
    file.write_text("this is no Parquet file", encoding="utf-8")
    monkeypatch.setattr(session, "choose_library", lambda *_: SomeLibrary())
    request = SearchDesign(GraphFile(file, "parquet"))

    with pytest.raises(EnvironmentProblem, match="as Parquet"):
        session.search(request, tmp_path / "store", NeverStop())

    assert not (tmp_path / "store").exists()
