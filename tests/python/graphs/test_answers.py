# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import numpy as np
import pytest

from isobath.errors import EnvironmentProblem, UsageError
from isobath.graphs.answers import Answers, levels_of
from isobath.graphs.design import GraphFile, format_of
from isobath.graphs.files import read_claims, require_place, write_answers
from isobath.interchange import parquet


def levels_slowly(parents: list[int]) -> list[int]:
    """Each vertex walks to the root by itself."""
    found = []
    for vertex, parent in enumerate(parents):
        steps, at = 0, vertex
        while parent >= 0 and parents[at] != at:
            at, steps = parents[at], steps + 1
        found.append(steps if parent >= 0 else -1)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_levels_are_those_of_the_slow_walk(seed: int) -> None:
    random = np.random.default_rng(seed)
    order = random.permutation(200)
    parents = np.full(200, -1)
    parents[order[0]] = order[0]
    for k in range(1, 150):  # the others are not reached
        parents[order[k]] = order[random.integers(0, k) if seed % 2 else k - 1]

    assert levels_of(parents).tolist() == levels_slowly(parents.tolist())


def test_levels_of_a_root_alone() -> None:
    assert levels_of(np.array([-1, 1, -1])).tolist() == [-1, 0, -1]


def some_answers() -> Answers:
    return Answers((10, 30), np.array([10, 20, 30]), np.array([[0, 0, 1], [1, 2, 2]]))


def test_compact_numbers_become_ids_again() -> None:
    answers = some_answers()

    assert answers.parents(0).tolist() == [10, 10, 20]
    assert answers.parents(1).tolist() == [20, 30, 30]
    assert answers.levels(1).tolist() == [2, 1, 0]


@pytest.mark.parametrize("kind", ["parents", "levels"])
@pytest.mark.parametrize("suffix", [".npy", ".parquet"])
def test_what_is_written_is_read_as_claims(tmp_path: Path, kind: str, suffix: str) -> None:
    answers = Answers((10,), np.array([10, 20, 30]), np.array([[0, 0, -1]]))
    file = tmp_path / f"a{suffix}"
    written = write_answers(answers, kind, file)
    vertices = written[1] if len(written) > 1 else None

    claims = read_claims(kind, file, 10, vertices)

    expected = [10, 10, -1] if kind == "parents" else [0, 1, np.inf]
    order = np.argsort(claims.vertices)
    assert claims.vertices[order].tolist() == [10, 20, 30]
    assert claims.values[order].tolist() == expected


def test_a_table_of_several_searches_gives_that_of_its_root(tmp_path: Path) -> None:
    write_answers(some_answers(), "levels", tmp_path / "a.parquet")

    claims = read_claims("levels", tmp_path / "a.parquet", 30)

    assert sorted(zip(claims.vertices.tolist(), claims.values.tolist(), strict=True)) == [
        (10, 2),
        (20, 1),
        (30, 0),
    ]


def test_claims_that_are_none_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    for array, says in (
        (np.zeros((2, 2), dtype=np.int64), "2 dimensions"),
        (np.zeros(3), "not whole numbers"),
        (np.array(["x"]), "not whole numbers"),
        (np.array([2**64 - 1], dtype=np.uint64), "not whole numbers"),
    ):
        np.save(file, array)
        with pytest.raises(UsageError, match=says):
            read_claims("parents", file, 0)
    np.save(file, np.array([object()]), allow_pickle=True)
    with pytest.raises(EnvironmentProblem, match=r"no \.npy file"):
        read_claims("parents", file, 0)
    file.write_bytes(b"noise")
    with pytest.raises(EnvironmentProblem, match=r"no \.npy file"):
        read_claims("parents", file, 0)
    with pytest.raises(EnvironmentProblem, match="cannot read"):
        read_claims("parents", tmp_path / "b.npy", 0)
    with pytest.raises(EnvironmentProblem, match="cannot read"):
        read_claims("parents", tmp_path / "b.parquet", 0)


def test_places_are_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither"):
        require_place(tmp_path / "a.csv")
    with pytest.raises(UsageError, match="no folder"):
        require_place(tmp_path / "nowhere" / "a.npy")


def test_the_name_says_the_format(tmp_path: Path) -> None:
    names = {"a.mtx.gz": "mtx", "a.TXT": "el", "a.wel.zst": "wel", "b.parquet": "parquet"}
    assert {name: format_of(Path(name)) for name in names} == names
    with pytest.raises(UsageError, match="does not say its format"):
        format_of(Path("graph.gz"))
    (tmp_path / "a.el").touch()
    for option in ({"format": "csv"}, {"weight_type": "int64"}, {"numbering": "dense"}):
        with pytest.raises(UsageError, match="choose one of"):
            GraphFile.of(tmp_path / "a.el", **option)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="packed and raw edges only"):
        GraphFile.of(tmp_path / "a.el", weights=tmp_path / "a.el")


def write_parquet(file: Path, columns: str) -> Path:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT {columns}) TO '{file}' (FORMAT parquet)")
    return file


def test_parquet_becomes_raw_edges(tmp_path: Path) -> None:
    file = write_parquet(tmp_path / "a.parquet", "7 AS dst, 3::UTINYINT AS src, 0.5 AS w")

    with pytest.raises(UsageError, match="not numbers"):  # DECIMAL
        parquet.as_raw(file, tmp_path)
    file = write_parquet(tmp_path / "a.parquet", "7 AS dst, 3::UTINYINT AS src, 0.5::FLOAT AS w")
    edges, weights = parquet.as_raw(file, tmp_path)

    assert np.fromfile(edges, dtype="<i8").tolist() == [3, 7]
    assert weights is not None
    assert np.fromfile(weights, dtype="<f4").tolist() == [0.5]
    plain = write_parquet(tmp_path / "b.parquet", "1 AS a, 'x' AS b, 2 AS c")
    edges, weights = parquet.as_raw(plain, tmp_path)
    assert (np.fromfile(edges, dtype="<i8").tolist(), weights) == ([1, 2], None)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ("'a' AS u, 'b' AS v", "holds VARCHAR"),
        ("1 AS u", "no two columns"),
        ("1 AS u, NULL::INTEGER AS v", "row 0: a value is missing"),
        ("1 AS u, 18446744073709551615::UBIGINT AS v", "as Parquet"),
        ("1 AS u, 2 AS v, 'x' AS weight", "not numbers"),
    ],
)
def test_parquet_that_holds_no_edges_is_refused(tmp_path: Path, columns: str, says: str) -> None:
    file = write_parquet(tmp_path / "a.parquet", columns)
    with pytest.raises((UsageError, EnvironmentProblem), match=says):
        parquet.as_raw(file, tmp_path)
