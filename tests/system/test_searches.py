# SPDX-License-Identifier: Apache-2.0
"""isobath search and isobath.load on the real engine, against scipy's searches."""

import gzip
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
import scipy.io
import scipy.sparse
import scipy.sparse.csgraph
from numpy.typing import NDArray

import isobath
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError, UsageError
from system.laboratory import Laboratory, records_of

pytestmark = pytest.mark.engine

VERTICES = 777
"""No power of two."""


class Example:
    """A random graph of a few components, with duplicates and self-loops, and scipy's levels."""

    def __init__(self) -> None:
        random = np.random.default_rng(20261122)
        self.u = random.integers(0, VERTICES, 900)
        self.v = random.integers(0, VERTICES, 900)
        self.v[:20] = self.u[:20]
        ones = np.ones(len(self.u))
        self.matrix = scipy.sparse.coo_matrix((ones, (self.u, self.v)), (VERTICES, VERTICES))
        self.roots = [int(self.u[100]), int(self.v[500])]

    def levels(self, root: int) -> NDArray[Any]:
        found = scipy.sparse.csgraph.shortest_path(
            self.matrix.tocsr(), method="D", directed=False, indices=[root], unweighted=True
        )[0]
        return np.where(np.isinf(found), -1, found).astype(np.int64)

    @property
    def lines(self) -> str:
        return "".join(f"{u} {v}\n" for u, v in zip(self.u, self.v, strict=True))


EXAMPLE = Example()


def write_mtx(folder: Path) -> Path:
    scipy.io.mmwrite(folder / "g.mtx", EXAMPLE.matrix, field="pattern", symmetry="general")
    return folder / "g.mtx"


def write_el(folder: Path) -> Path:
    (folder / "g.el").write_text(EXAMPLE.lines)
    return folder / "g.el"


def write_gzip(folder: Path) -> Path:
    (folder / "g.txt.gz").write_bytes(gzip.compress(EXAMPLE.lines.encode()))
    return folder / "g.txt.gz"


def write_raw(folder: Path) -> Path:
    np.column_stack([EXAMPLE.u, EXAMPLE.v]).astype("<i8").tofile(folder / "g.raw")
    return folder / "g.raw"


def write_packed(folder: Path) -> Path:
    zeros = np.zeros(len(EXAMPLE.u), dtype="<u4")
    np.column_stack([EXAMPLE.u, EXAMPLE.v, zeros]).astype("<u4").tofile(folder / "g.packed")
    return folder / "g.packed"


def write_sg(folder: Path) -> Path:
    rows = EXAMPLE.matrix.tocsr()
    both = (rows + rows.T).tocsr()
    both.setdiag(0)
    both.eliminate_zeros()
    both.sort_indices()
    with (folder / "g.sg").open("wb") as out:
        out.write(b"\0")
        np.array([both.nnz, VERTICES], dtype="<i8").tofile(out)
        both.indptr.astype("<i8").tofile(out)
        both.indices.astype("<i4").tofile(out)
    return folder / "g.sg"


def write_parquet(folder: Path) -> Path:
    edges = {"src": EXAMPLE.u, "dst": EXAMPLE.v}
    with duckdb.connect() as connection:
        connection.register("edges", edges)
        connection.execute(f"COPY (SELECT * FROM edges) TO '{folder / 'g.parquet'}'")
    return folder / "g.parquet"


WRITERS = [write_mtx, write_el, write_gzip, write_raw, write_packed, write_sg, write_parquet]


@pytest.mark.parametrize("write", WRITERS)
def test_levels_are_those_of_scipy(lab: Laboratory, tmp_path: Path, write: Any) -> None:
    file, levels, parents = write(tmp_path), tmp_path / "levels.npy", tmp_path / "parents.npy"
    words = [word for root in EXAMPLE.roots for word in ("--root", root)]

    done = lab.isobath("search", file, *words, "--levels", levels, "--parents", parents)

    assert done.code == 0, done.err
    assert "passed every rule" in done.err
    for k, root in enumerate(EXAMPLE.roots):
        expected = EXAMPLE.levels(root)
        found = np.load(levels)[k]
        assert np.array_equal(found, expected[: len(found)])
        assert (expected[len(found) :] == -1).all()  # isolated vertices after the last edge
        tree = np.load(parents)[k]
        assert tree[root] == root
        assert np.array_equal(tree >= 0, found >= 0)


@pytest.mark.parametrize(
    ("plan", "ranks"),
    [("hybrid", 3), ("hybrid", 4), ("simple", 2), ("two-dim", 4), ("replicated-csr", 3)],
)
def test_every_plan_copes_with_any_number_of_vertices(
    lab: Laboratory, tmp_path: Path, plan: str, ranks: int
) -> None:
    root, levels = EXAMPLE.roots[0], tmp_path / "levels.npy"
    words = ("--plan", plan, "--ranks", ranks, "--threads", 2, "--warmup", 0)

    done = lab.isobath("search", write_el(tmp_path), *words, "--root", root, "--levels", levels)

    assert done.code == 0, done.err
    found = np.load(levels)
    assert np.array_equal(found, EXAMPLE.levels(root)[: len(found)])


def test_records_are_kept_as_those_of_a_run(lab: Laboratory, tmp_path: Path) -> None:
    file = write_mtx(tmp_path)

    done = lab.isobath("search", file, "--keys", 5, "--seed", 3)
    records = records_of(lab.runs[-1])

    assert done.code == 0, done.err
    assert len(done.out.splitlines()) == 1 + 5
    assert len({search.root for search in records.timed_searches}) == 5
    assert records.verdict == "validated"
    graph = records.run.graph
    assert graph is not None
    assert (graph.path, graph.num_vertices, graph.numbering) == (str(file), VERTICES, "file")
    shown = lab.isobath("show", lab.runs[-1].run_id)
    assert shown.code == 0, shown.err
    assert "777 vertices" in shown.out + shown.err
    page = lab.isobath("report", lab.runs[-1].run_id, "-o", tmp_path / "page.html")
    assert page.code == 0, page.err


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    """A path of three vertices with large ids, and an edge apart."""
    file = tmp_path / "sparse.el"
    file.write_text("7 9000000000000000000\n9000000000000000000 123456789012\n5 6\n")
    return file


def test_sparse_ids_stay_those_of_the_file(lab: Laboratory, tmp_path: Path, sparse: Path) -> None:
    parents, levels = tmp_path / "p.npy", tmp_path / "l.parquet"
    words = ("--root", 7, "--parents", parents, "--levels", levels)

    done = lab.isobath("search", sparse, *words)

    assert done.code == 0, done.err
    assert np.load(tmp_path / "p.vertices.npy").tolist() == [5, 6, 7, 123456789012, 9 * 10**18]
    assert np.load(parents).tolist() == [-1, -1, 7, 9 * 10**18, 7]
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"SELECT vertex, level FROM '{levels}' WHERE level >= 0"
        ).fetchall()
    assert sorted(rows) == [(7, 0), (123456789012, 2), (9 * 10**18, 1)]


@pytest.mark.parametrize(
    ("name", "content", "code", "says"),
    [
        ("a.el", "0 1\n1 x\n", 3, "a.el, line 2: 'x' is no vertex"),
        ("a.el", "", 3, "holds no edge"),
        ("a.mtx", "0 1\n", 3, "a.mtx, line 1: a Matrix Market file begins with"),
        ("a.sg", "noise" * 100, 3, "a.sg, byte 0: 110 is neither 0 (undirected) nor 1"),
        ("a.parquet", "PAR1" * 10, 3, "as Parquet"),
        ("a.csv", "0,1\n", 2, "does not say its format"),
    ],
)
def test_a_wrong_file_ends_in_a_sentence(
    lab: Laboratory, tmp_path: Path, name: str, content: str, code: int, says: str
) -> None:
    (tmp_path / name).write_text(content)

    done = lab.isobath("search", tmp_path / name)

    assert done.code == code
    assert says in done.err


def test_a_root_that_is_no_vertex_is_refused(lab: Laboratory, tmp_path: Path, sparse: Path) -> None:
    assert lab.isobath("search", write_el(tmp_path), "--root", 10**6).code == 2
    assert "is no vertex of an edge" in lab.isobath("search", sparse, "--root", 8).err


def test_a_root_without_neighbour_is_named_as_the_file_names_it(
    lab: Laboratory, tmp_path: Path
) -> None:
    graph = tmp_path / "a.el"
    graph.write_text("10 2000000\n2000000 30\n4000000 4000000\n")

    done = lab.isobath("search", graph, "--numbering", "compact", "--root", 4000000)

    assert done.code == 2
    assert "--root 4000000 has no neighbour" in done.err


# verify


@pytest.fixture
def claimed(lab: Laboratory, tmp_path: Path) -> tuple[Path, int, Path, Path]:
    file, root = write_el(tmp_path), EXAMPLE.roots[0]
    parents, levels = tmp_path / "p.npy", tmp_path / "l.npy"
    done = lab.isobath("search", file, "--root", root, "--parents", parents, "--levels", levels)
    assert done.code == 0, done.err
    return file, root, parents, levels


def test_right_parents_and_levels_are_right(
    lab: Laboratory, claimed: tuple[Path, int, Path, Path]
) -> None:
    file, root, parents, levels = claimed

    for words in (("--parents", parents), ("--levels", levels)):
        done = lab.isobath("verify", file, "--root", root, *words)
        assert done.code == 0, done.err
        assert "every rule holds" in done.out


def test_the_first_wrong_one_is_named(
    lab: Laboratory, claimed: tuple[Path, int, Path, Path], tmp_path: Path
) -> None:
    file, root, parents, levels = claimed
    tree, depth = np.load(parents), np.load(levels)
    deep = int(np.flatnonzero(depth == depth.max())[0])
    wrong = tmp_path / "wrong.npy"

    depth[deep] += 1
    np.save(wrong, depth)
    done = lab.isobath("verify", file, "--root", root, "--levels", wrong)
    assert done.code == 1
    assert f"at vertex {deep} " in done.out

    tree[deep] = -1
    np.save(wrong, tree)
    done = lab.isobath("verify", file, "--root", root, "--parents", wrong)
    assert done.code == 1
    assert "rule spans_component: " in done.out
    assert f"at vertex {deep} " in done.out


def test_distances_are_held_against_weights(lab: Laboratory, tmp_path: Path) -> None:
    file, claim = tmp_path / "g.wel", tmp_path / "d.npy"
    file.write_text("0 1 0.5\n1 2 0.25\n0 2 1\n3 4 1\n")
    for distances, code, says in (
        ([0, 0.5, 0.75, np.inf, np.inf], 0, "every rule holds"),
        ([0, 0.5, 1, np.inf, np.inf], 1, "rule triangle: 1 violation, the first at vertex 2"),
        ([0, 0.5, 0.7, np.inf, np.inf], 1, "rule attained: 1 violation, the first at vertex 2"),
        ([0, 0.5, np.inf, np.inf, np.inf], 1, "rule spans: 2 violations, the first at vertex 2"),
        ([0, 0.5, 0.75, 1, 2], 1, "rule attained: 1 violation, the first at vertex 3"),
    ):
        np.save(claim, np.array(distances, dtype=np.float32))
        done = lab.isobath("verify", file, "--root", 0, "--distances", claim)
        assert (done.code, says in done.out) == (code, True), done


def test_claims_may_be_a_table_of_ids(lab: Laboratory, tmp_path: Path, sparse: Path) -> None:
    table = tmp_path / "p.parquet"
    assert lab.isobath("search", sparse, "--root", 7, "--parents", table).code == 0

    assert lab.isobath("verify", sparse, "--root", 7, "--parents", table).code == 0
    done = lab.isobath("verify", sparse, "--root", 5, "--parents", table)
    assert done.code == 1
    assert "rule parent_range" in done.out


# Python


@pytest.fixture
def here(lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in lab.environment().items():
        if name.startswith("ISOBATH_"):
            monkeypatch.setenv(name, value)


def test_a_graph_is_loaded_and_searched_in_python(here: None, tmp_path: Path) -> None:
    graph = isobath.load(write_mtx(tmp_path))
    root = EXAMPLE.roots[1]

    result = graph.bfs(root)

    assert np.array_equal(result.levels, EXAMPLE.levels(root))
    assert result.parents[root] == root
    assert result.reached == (EXAMPLE.levels(root) >= 0).sum()
    assert result.seconds > 0
    assert result.teps > 0
    assert result.validated
    assert "all hold" in repr(result)
    assert result._repr_html_().startswith("<table>")
    assert "g.mtx" in graph._repr_html_()
    assert [one.root for one in graph.bfs(EXAMPLE.roots)] == EXAMPLE.roots
    assert len(graph.bfs(keys=3)) == 3


def test_python_raises_the_sentence(here: None, tmp_path: Path) -> None:
    (tmp_path / "a.el").write_text("0 1\n-1 2\n")
    with pytest.raises(IsobathError, match="line 2: '-1' is no vertex") as caught:
        isobath.load(tmp_path / "a.el").bfs(0)
    assert caught.value.exit_code == ExitCode.ENVIRONMENT
    with pytest.raises(EnvironmentProblem, match="there is no file"):
        isobath.load(tmp_path / "b.el")
    with pytest.raises(UsageError, match="does not say its format"):
        isobath.load(__file__)


def test_the_example_of_the_documentation_runs(
    here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(isobath.__file__).resolve().parents[2] / "docs/how-to/search-your-graph.md"
    examples = page.read_text(encoding="utf-8").split("```python\n")[1:]
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for example in examples:
        exec(example.partition("```")[0], names)
    assert json.dumps(names["result"].levels.tolist()) == "[0, 1, 2, 3]"
