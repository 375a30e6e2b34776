# SPDX-License-Identifier: Apache-2.0
"""Answers and claims in .npy and Parquet files, by numpy and DuckDB."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isobath.errors import EnvironmentProblem, UsageError
from isobath.graphs.answers import Answers

KINDS = ("parents", "levels", "distances")
VALUE_TYPES = {"parents": "BIGINT", "levels": "INTEGER", "distances": "FLOAT"}
COLUMNS = {"parents": "parent", "levels": "level", "distances": "distance"}
PARTIAL = ".part"


def require_place(file: Path) -> None:
    """Raises: UsageError where the name is neither .npy nor .parquet, or the folder is missing."""
    if file.suffix not in (".npy", ".parquet"):
        raise UsageError(f"{file} would be neither .npy nor .parquet; give it one of these endings")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {file.absolute().parent}; make it first")


def write_answers(answers: Answers, kind: str, file: Path) -> list[Path]:
    """Writes parents, levels or distances; returns the files.

    .npy: shape (n,) for one search, (searches, n) for several; the ids of a compact numbering go
    into a file beside it, NAME.vertices.npy. .parquet: a row for each search and vertex with root,
    vertex, and parent, level or distance. Not reached is -1, or of distances infinity.

    Raises: EnvironmentProblem where that fails.
    """
    partial = file.with_name(file.name + PARTIAL)
    try:
        if file.suffix == ".parquet":
            _write_parquet(answers, kind, partial)
        else:
            rows = [getattr(answers, kind)(k) for k in answers.searches(kind)]
            with partial.open("wb") as out:
                np.save(out, rows[0] if len(rows) == 1 else np.stack(rows))
        partial.replace(file)
        if file.suffix == ".parquet" or answers.vertices is None:
            return [file]
        beside = file.with_name(file.stem + ".vertices.npy")
        np.save(beside, answers.vertices)
        return [file, beside]
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {file} ({error.strerror or error}); name another file"
        ) from error
    finally:
        partial.unlink(missing_ok=True)


def _write_parquet(answers: Answers, kind: str, file: Path) -> None:
    import duckdb

    column = COLUMNS[kind]
    try:
        with duckdb.connect() as connection:
            connection.execute(
                f"CREATE TABLE answers (root BIGINT, vertex BIGINT, {column} {VALUE_TYPES[kind]})"
            )
            for search in answers.searches(kind):
                root = answers.roots[search]
                values = getattr(answers, kind)(search)
                vertices = answers.vertices if answers.vertices is not None else len(values)
                block = {
                    "root": np.full(len(values), root, dtype=np.int64),
                    "vertex": np.arange(vertices) if isinstance(vertices, int) else vertices,
                    column: values,
                }
                connection.register("block", block)
                connection.execute("INSERT INTO answers SELECT * FROM block")
                connection.unregister("block")
            name = str(file).replace("'", "''")
            connection.execute(f"COPY answers TO '{name}' (FORMAT parquet)")
    except duckdb.Error as error:
        raise OSError(str(error).partition("\n")[0]) from error


@dataclass(frozen=True)
class Claims:
    """What somebody says of vertices; arrays of shape (n,)."""

    vertices: NDArray[np.int64]
    values: NDArray[Any]
    """parents as int64 with -1 for not reached; levels and distances as float64 with infinity"""

    def write(self, file: Path) -> None:
        """As isobath-search reads them: pairs of 8 bytes each."""
        value = self.values.dtype.newbyteorder("<")
        rows = np.empty(len(self.vertices), dtype=[("vertex", "<i8"), ("value", value)])
        rows["vertex"], rows["value"] = self.vertices, self.values
        rows.tofile(file)


def read_claims(kind: str, file: Path, root: int, vertices: Path | None = None) -> Claims:
    """Parents, levels or distances of one search from a .npy or .parquet file.

    Args: vertices is a .npy of the ids that the values belong to, in their order; without it value
        i is that of vertex i.

    Raises: UsageError where the file holds something else, EnvironmentProblem where it cannot be
        read.
    """
    if file.suffix == ".parquet":
        names, values = _read_parquet(kind, file, root)
    else:
        values = _load(file)
        if values.ndim != 1:
            raise UsageError(
                f"{file} has {values.ndim} dimensions; give the {kind} of one search, one value "
                "for each vertex"
            )
        beside = vertices
        names = _load(beside) if beside else np.arange(len(values))
        if beside and names.shape != values.shape:
            raise UsageError(
                f"{beside} has {names.size} vertices and {file} {values.size} values; give as many"
            )
    return Claims(_whole(names, vertices or file), _values(kind, values, file))


def _load(file: Path) -> NDArray[Any]:
    try:
        array = np.load(file, allow_pickle=False)
    except OSError as error:
        reason = error.strerror or str(error)
        raise EnvironmentProblem(f"cannot read {file} ({reason}); check the path") from error
    except (ValueError, EOFError) as error:
        raise EnvironmentProblem(
            f"{file} is no .npy file that can be read ({error}); write it with numpy.save"
        ) from error
    if not isinstance(array, np.ndarray):
        raise UsageError(f"{file} holds several arrays; write one with numpy.save")
    return array


def _read_parquet(kind: str, file: Path, root: int) -> tuple[NDArray[Any], NDArray[Any]]:
    import duckdb

    name, column = str(file).replace("'", "''"), COLUMNS[kind]
    try:
        with duckdb.connect() as connection:
            described = connection.execute(
                f"DESCRIBE SELECT * FROM read_parquet('{name}')"
            ).fetchall()
            there = {str(row[0]) for row in described}
            if not {"vertex", column} <= there:
                raise UsageError(f"{file} has no columns vertex and {column}; name its columns so")
            only = f"WHERE root = {root}" if "root" in there else ""
            columns = connection.execute(
                f"SELECT vertex, \"{column}\" AS value FROM read_parquet('{name}') {only}"
            ).fetchnumpy()
    except duckdb.Error as error:
        words = str(error).partition("\n")[0]
        raise EnvironmentProblem(f"cannot read {file} ({words}); check the path") from error
    missing = -1 if kind == "parents" else np.inf
    values = columns["value"]
    if np.ma.isMaskedArray(values):
        values = values.filled(missing)
    return np.asarray(columns["vertex"]), np.asarray(values)


def _whole(values: NDArray[Any], file: Path) -> NDArray[np.int64]:
    if values.dtype.kind not in "iu" or (values.size and values.max() > np.iinfo(np.int64).max):
        raise UsageError(f"{file} holds {values.dtype}, not whole numbers of 64 bits")
    return values.astype(np.int64)


def _values(kind: str, values: NDArray[Any], file: Path) -> NDArray[Any]:
    if kind == "parents":
        return _whole(values, file)
    if values.dtype.kind not in "iuf":
        raise UsageError(f"{file} holds {values.dtype}, not numbers")
    numbers = values.astype(np.float64)
    return np.where(numbers == -1, np.inf, numbers)  # -1 is how levels say "not reached"
