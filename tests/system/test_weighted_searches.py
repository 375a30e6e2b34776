# SPDX-License-Identifier: Apache-2.0
"""isobath search --kernel sssp and Graph.sssp on the real engine, against scipy's Dijkstra."""

import itertools
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
from isobath.errors import IsobathError
from system.laboratory import Laboratory, records_of

pytestmark = pytest.mark.engine

VERTICES = 555
PLANS = ("landmark", "delta-stepping", "bellman-ford")


class Example:
    """Edges with weights in steps of 2^-10, whose sums are exact in float32; duplicates too."""

    def __init__(self) -> None:
        random = np.random.default_rng(20261122)
        self.u = random.integers(0, VERTICES, 900)
        self.v = random.integers(0, VERTICES, 900)
        self.weight = (random.integers(1, 1024, 900) / 1024).astype(np.float32)
        self.u[:15], self.v[:15] = self.u[15:30], self.v[15:30]  # copies of other weights
        self.v[30:40] = self.u[30:40]
        self.roots = [int(self.u[100]), int(self.v[500])]

    def distances(self, root: int, weight: NDArray[Any] | None = None) -> NDArray[Any]:
        weight = self.weight if weight is None else weight
        least = scipy.sparse.lil_matrix((VERTICES, VERTICES))
        order = np.argsort(-weight, kind="stable")  # the lightest copy comes last
        for u, v, w in zip(self.u[order], self.v[order], weight[order], strict=True):
            least[u, v] = least[v, u] = float(w)
        found = scipy.sparse.csgraph.dijkstra(least.tocsr(), indices=[root])[0]
        return np.asarray(found, dtype=np.float32)

    @property
    def lines(self) -> str:
        rows = zip(self.u, self.v, self.weight, strict=True)
        return "".join(f"{u} {v} {w!r}\n" for u, v, w in ((u, v, float(w)) for u, v, w in rows))


EXAMPLE = Example()


def write_wel(folder: Path) -> Path:
    (folder / "g.wel").write_text(EXAMPLE.lines)
    return folder / "g.wel"


def write_el(folder: Path) -> Path:
    pairs = zip(EXAMPLE.u, EXAMPLE.v, strict=True)
    (folder / "g.el").write_text("".join(f"{u} {v}\n" for u, v in pairs))
    return folder / "g.el"


def write_mtx(folder: Path) -> Path:
    rows = [
        f"{u + 1} {v + 1} {float(w)!r}"
        for u, v, w in zip(EXAMPLE.u, EXAMPLE.v, EXAMPLE.weight, strict=True)
    ]
    head = "%%MatrixMarket matrix coordinate real general"
    size = f"{VERTICES} {VERTICES} {len(rows)}"
    (folder / "g.mtx").write_text("\n".join([head, size, *rows, ""]))
    return folder / "g.mtx"


def write_parquet(folder: Path) -> Path:
    edges = {"src": EXAMPLE.u, "dst": EXAMPLE.v, "weight": EXAMPLE.weight}
    with duckdb.connect() as connection:
        connection.register("edges", edges)
        connection.execute(f"COPY (SELECT * FROM edges) TO '{folder / 'g.parquet'}'")
    return folder / "g.parquet"


def write_wsg(folder: Path) -> Path:
    rows: list[list[tuple[int, float]]] = [[] for _ in range(VERTICES)]
    for u, v, w in zip(EXAMPLE.u, EXAMPLE.v, EXAMPLE.weight, strict=True):
        if u != v:
            rows[u].append((int(v), float(w)))
            rows[v].append((int(u), float(w)))
    with (folder / "g.wsg").open("wb") as out:
        out.write(b"\0")
        arcs = sum(map(len, rows))
        np.array([arcs, VERTICES], dtype="<i8").tofile(out)
        np.cumsum([0, *map(len, rows)]).astype("<i8").tofile(out)
        flat = [arc for row in rows for arc in sorted(row)]
        np.array(flat, dtype=[("to", "<i4"), ("weight", "<f4")]).tofile(out)
    return folder / "g.wsg"


WRITERS = [write_wel, write_mtx, write_parquet, write_wsg]


@pytest.mark.parametrize("write", WRITERS)
def test_distances_are_those_of_scipy(lab: Laboratory, tmp_path: Path, write: Any) -> None:
    file, distances, parents = write(tmp_path), tmp_path / "d.npy", tmp_path / "p.npy"
    words = [word for root in EXAMPLE.roots for word in ("--root", root)]

    done = lab.isobath(
        *("search", file, "--kernel", "sssp", "--weight-type", "auto", *words),
        *("--distances", distances, "--parents", parents),
    )

    assert done.code == 0, done.err
    assert "passed every rule" in done.err
    for k, root in enumerate(EXAMPLE.roots):
        expected = EXAMPLE.distances(root)
        found = np.load(distances)[k]
        assert found.dtype == np.float32
        assert np.array_equal(found, expected[: len(found)])
        assert np.isinf(expected[len(found) :]).all()  # isolated vertices after the last edge
        tree = np.load(parents)[k]
        assert tree[root] == root
        assert np.array_equal(tree >= 0, np.isfinite(found))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(("ranks", "threads"), [(1, 1), (3, 2)])
def test_every_plan_gives_the_same_distances(
    lab: Laboratory, tmp_path: Path, plan: str, ranks: int, threads: int
) -> None:
    root, distances = EXAMPLE.roots[0], tmp_path / "d.parquet"
    words = ("--sssp-plan", plan, "--ranks", ranks, "--threads", threads, "--warmup", 0)

    done = lab.isobath(
        *("search", write_wel(tmp_path), "--kernel", "sssp", *words, "--root", root),
        *("--distances", distances),
    )

    assert done.code == 0, done.err
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT vertex, distance FROM '{distances}'").fetchall()
    expected = EXAMPLE.distances(root)
    assert len(rows) >= VERTICES - 20
    assert all(expected[vertex] == distance for vertex, distance in rows)
    paths = records_of(lab.runs[-1]).run.paths
    assert paths is not None
    assert (paths.plan, paths.pruned) == (plan, plan == "landmark")


def test_the_plan_is_chosen_by_the_graph(lab: Laboratory, tmp_path: Path) -> None:
    """A hub of short edges between all vertices, against a path."""
    spokes = [f"0 {v} 0.001\n" for v in range(1, 400)]
    ring = [f"{v} {v + k} 0.5\n" for v in range(1, 396) for k in (1, 2, 3, 4)]
    (tmp_path / "hub.wel").write_text("".join(spokes + ring))
    (tmp_path / "path.wel").write_text("".join(f"{v} {v + 1} {v}\n" for v in range(300)))
    for name, plan, reason in (
        ("hub.wel", "landmark", "the landmark leaves out 80 % of a sample of edges"),
        ("path.wel", "delta-stepping", "no landmark dominates: it leaves out 0 %"),
    ):
        done = lab.isobath("search", tmp_path / name, "--kernel", "sssp", "--keys", 3)

        assert done.code == 0, done.err
        records = records_of(lab.runs[-1])
        assert records.run.paths is not None
        assert (records.run.paths.plan, records.run.paths.pruned) == ("auto", None)
        assert records.plan == plan
        assert records.path_plan is not None
        assert records.path_plan.pruned == (plan == "landmark")
        assert reason in (records.path_plan.reason or "")
        assert reason in done.err
        assert ("PRUNED" in done.err) == (plan == "landmark")


def test_both_kernels_are_searched_and_shown(lab: Laboratory, tmp_path: Path) -> None:
    levels, distances = tmp_path / "l.npy", tmp_path / "d.npy"

    done = lab.isobath(
        *("search", write_wel(tmp_path), "--kernel", "both", "--keys", 3),
        *("--levels", levels, "--distances", distances),
    )

    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].split() == [
        "root",
        "kernel",
        "seconds",
        "TEPS",
        "reached",
        "levels",
        "farthest",
    ]
    assert [line.split()[1] for line in lines[1:]] == ["bfs"] * 3 + ["sssp"] * 3
    assert max(map(len, lines)) <= 80
    assert np.array_equal(np.load(levels) >= 0, np.isfinite(np.load(distances)))
    records = records_of(lab.runs[-1])
    assert records.run.kernel == "both"
    assert records.verdict == "validated"
    page = lab.isobath("report", lab.runs[-1].run_id, "-o", tmp_path / "page.html")
    assert page.code == 0, page.err
    assert lab.isobath("show", lab.runs[-1].run_id).code == 0


# Weights that are given


def scattered(bits: int) -> int:
    """As docs/reference/graph-files.md says it."""
    most = (1 << 64) - 1
    bits = (bits + 0x9E3779B97F4A7C15) & most
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & most
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & most
    return bits ^ bits >> 31


def random_weight(u: int, v: int, seed: int) -> float:
    inner = scattered(scattered(seed) ^ min(u, v))
    return (scattered(inner ^ max(u, v)) >> 40) / 2**24


def test_random_weights_are_those_of_the_formula(lab: Laboratory, tmp_path: Path) -> None:
    """A path has one way alone, whose float32 sums are added up here."""
    ids = [3, 10**15, 7, 0, 12]
    (tmp_path / "path.el").write_text("".join(f"{u} {v}\n" for u, v in itertools.pairwise(ids)))
    distances = tmp_path / "d.npy"

    done = lab.isobath(
        *("search", tmp_path / "path.el", "--kernel", "sssp", "--root", 3),
        *("--weights", "random", "--weight-seed", 9, "--distances", distances),
    )

    assert done.code == 0, done.err
    expected, at = {3: np.float32(0)}, np.float32(0)
    for u, v in itertools.pairwise(ids):
        at = np.float32(at + np.float32(random_weight(u, v, 9)))
        expected[v] = at
    names = np.load(tmp_path / "d.vertices.npy").tolist()
    assert dict(zip(names, np.load(distances), strict=True)) == expected
    graph = records_of(lab.runs[-1]).run.graph
    assert graph is not None
    assert (graph.weighted, graph.assigned_weights, graph.weight_seed) == (True, "random", 9)


@pytest.mark.parametrize("ranks", [1, 2])
def test_unit_weights_make_distances_levels(lab: Laboratory, tmp_path: Path, ranks: int) -> None:
    levels, distances = tmp_path / "l.npy", tmp_path / "d.npy"

    done = lab.isobath(
        *("search", write_wel(tmp_path), "--kernel", "both", "--weights", "unit"),
        *("--keys", 2, "--ranks", ranks, "--levels", levels, "--distances", distances),
    )

    assert done.code == 0, done.err
    found = np.load(distances)
    assert np.array_equal(np.where(np.isinf(found), -1, found), np.load(levels))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--kernel", "sssp"), "has no weights, which distances need; add --weights unit or"),
        (("--distances", "d.npy"), "--distances is for shortest paths; add --kernel sssp or both"),
        (("--kernel", "sssp", "--levels", "l.npy"), "--levels is for breadth-first search"),
        (("--kernel", "both", "--parents", "p.npy"), "so two parents of a vertex"),
        (("--sssp-plan", "landmark"), "--sssp-plan is for shortest paths"),
        (("--kernel", "sssp", "--sssp-plan", "dijkstra"), "choose one of"),
        (("--kernel", "sssp", "--sssp-delta", 0.1), "add --sssp-plan delta-stepping"),
        (("--weights", "unit", "--weight-seed", 3), "add --weights random"),
        (("--kernel", "dfs"), "--kernel dfs: did you mean bfs? There are bfs, sssp, both"),
        (("--weights", "some.f32"), "there is no file some.f32"),
    ],
)
def test_what_makes_no_sense_is_refused(
    lab: Laboratory, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    done = lab.isobath("search", write_el(tmp_path), *words)

    assert done.code in (2, 3)
    assert says in done.err


def test_a_weight_below_zero_is_refused(lab: Laboratory, tmp_path: Path) -> None:
    (tmp_path / "a.wel").write_text("0 1 0.5\n1 2 -1\n")

    done = lab.isobath("search", tmp_path / "a.wel", "--kernel", "sssp")

    assert done.code == 3
    assert "line 2: the weight -1 is no length" in done.err


# verify


def test_distances_that_were_found_are_right(lab: Laboratory, tmp_path: Path) -> None:
    file, root, found = write_wel(tmp_path), EXAMPLE.roots[0], tmp_path / "d.npy"
    words = ("--kernel", "sssp", "--root", root, "--distances", found)
    assert lab.isobath("search", file, *words).code == 0
    assert lab.isobath("verify", file, "--root", root, "--distances", found).code == 0

    distances = np.load(found)
    far = int(np.flatnonzero(distances == distances[np.isfinite(distances)].max())[0])
    distances[far] = np.nextafter(distances[far], np.float32(0)) * np.float32(0.999)
    np.save(found, distances)
    done = lab.isobath("verify", file, "--root", root, "--distances", found)
    assert done.code == 1
    assert "rule attained" in done.out


def test_assigned_weights_are_verified_too(lab: Laboratory, tmp_path: Path) -> None:
    file, root, found = write_el(tmp_path), EXAMPLE.roots[0], tmp_path / "d.npy"
    given = ("--weights", "random", "--weight-seed", 4)
    words = ("--kernel", "sssp", "--root", root, "--distances", found)
    assert lab.isobath("search", file, *given, *words).code == 0

    claim = ("verify", file, "--root", root, "--distances", found)
    assert lab.isobath(*claim, *given).code == 0
    assert lab.isobath(*claim, "--weights", "random", "--weight-seed", 5).code == 1
    done = lab.isobath(*claim)
    assert done.code == 2
    assert "add --weights unit or --weights random" in done.err


# Python


@pytest.fixture
def here(lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in lab.environment().items():
        if name.startswith("ISOBATH_"):
            monkeypatch.setenv(name, value)


def test_shortest_paths_in_python(here: None, tmp_path: Path) -> None:
    graph = isobath.load(write_mtx(tmp_path))
    root = EXAMPLE.roots[1]

    result = graph.sssp(root)

    expected = EXAMPLE.distances(root)
    assert np.array_equal(result.distances, expected)
    assert result.parents[root] == root
    assert result.reached == np.isfinite(expected).sum()
    assert result.farthest == expected[np.isfinite(expected)].max()
    assert result.validated
    assert "farthest" in repr(result)
    assert "all hold" in repr(result)
    assert result._repr_html_().startswith("<table>")
    others = graph.sssp(np.array(EXAMPLE.roots), plan="delta-stepping")
    assert [one.root for one in others] == EXAMPLE.roots
    assert np.array_equal(others[1].distances, expected)
    assert (others[1].plan, others[1].pruned) == ("delta-stepping", False)


def test_python_gives_weights_or_says_how(here: None, tmp_path: Path) -> None:
    file = write_el(tmp_path)
    with pytest.raises(IsobathError, match="has no weights, which distances need"):
        isobath.load(file).sssp(EXAMPLE.roots[0])

    graph = isobath.load(file, weights="unit")

    levels = graph.bfs(EXAMPLE.roots[0]).levels
    distances = graph.sssp(EXAMPLE.roots[0]).distances
    assert np.array_equal(np.where(np.isinf(distances), -1, distances), levels)
