# SPDX-License-Identifier: Apache-2.0
import doctest
import io
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
import scipy.io
from hypothesis import given
from hypothesis import strategies as st

from isobath.errors import InternalError
from isobath.interchange import matrix_market, parquet
from isobath.interchange.blocks import read_blocks

EDGES = [(0, 1), (1, 0), (3, 3), (2, 1), (0, 1)]
WEIGHTS = [0.422860175, 0.5, 0.0, 0.980911016, 1e-9]


def stream(edges: list[tuple[int, int]]) -> io.BytesIO:
    return io.BytesIO(np.array(edges, dtype="<i8").tobytes())


def weights() -> io.BytesIO:
    return io.BytesIO(np.array(WEIGHTS, dtype="<f4").tobytes())


@given(st.lists(st.tuples(st.integers(0, 1 << 43), st.integers(0, 1 << 43))), st.integers(1, 7))
def test_blocks_put_together_are_the_stream(edges: list[tuple[int, int]], block_edges: int) -> None:
    found = [
        pair
        for block in read_blocks(stream(edges), block_edges=block_edges)
        for pair in zip(block.u.tolist(), block.v.tolist(), strict=True)
    ]

    assert found == edges


def test_a_torn_stream_is_noticed() -> None:
    with pytest.raises(InternalError, match="inside an edge"):
        list(read_blocks(io.BytesIO(b"0123456789")))
    with pytest.raises(InternalError, match="not as many weights"):
        list(read_blocks(stream(EDGES), io.BytesIO(b"0000")))


def test_scipy_reads_the_matrix(tmp_path: Path) -> None:
    path = tmp_path / "g.mtx"
    blocks = read_blocks(stream(EDGES), weights(), block_edges=2)

    matrix_market.write(str(path), blocks, vertices=4, edges=5, weighted=True)

    found: Any = scipy.io.mmread(path)
    assert found.shape == (4, 4)
    assert list(zip(found.row, found.col, strict=True)) == EDGES
    assert np.array_equal(found.data.astype(np.float32), np.array(WEIGHTS, dtype=np.float32))


def test_a_pattern_has_no_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matrix_market.write("-", read_blocks(stream([(0, 1)])), vertices=2, edges=1, weighted=False)

    assert capsys.readouterr().out == (
        "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_parquet_keeps_order_and_types(tmp_path: Path, weighted: bool) -> None:
    path = tmp_path / "it's.parquet"
    blocks = read_blocks(stream(EDGES), weights() if weighted else None, block_edges=2)

    parquet.write(path, blocks, weighted=weighted)

    name = str(path).replace("'", "''")
    found = duckdb.sql(f"SELECT * FROM '{name}'")
    assert found is not None
    rows = found.fetchall()
    assert [row[:2] for row in rows] == EDGES
    assert found.columns == (["u", "v", "weight"] if weighted else ["u", "v"])
    if weighted:
        assert [row[2] for row in rows] == [float(np.float32(w)) for w in WEIGHTS]
    assert [p.name for p in tmp_path.iterdir()] == ["it's.parquet"]


def test_reasons_of_duckdb_name_no_file_that_nobody_knows() -> None:
    assert doctest.testmod(parquet).failed == 0
    assert parquet.reason_of("Out of Memory Error: failed\nPossible solutions:") == (
        "Out of Memory Error: failed"
    )
