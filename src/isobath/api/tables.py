# SPDX-License-Identifier: Apache-2.0
"""A table of a study, as the library hands it out that reads it."""

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isobath.errors import EnvironmentProblem
from isobath.study.tables import DataTable, Scalar

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

SHOWN = 20
"""rows that a notebook shows"""


@dataclass(frozen=True)
class Table:
    """Rows of a study's findings: numbers as they were measured, units in the columns' names."""

    name: str
    data: DataTable

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""
        return self.data.columns

    @property
    def rows(self) -> tuple[tuple[Scalar, ...], ...]:
        """Values in the order of the columns."""
        return self.data.rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, column: str) -> list[Scalar]:
        """The values of a column. Raises: KeyError naming the columns."""
        if column not in self.columns:
            raise KeyError(f"{column}; the columns of {self.name} are {', '.join(self.columns)}")
        place = self.columns.index(column)
        return [row[place] for row in self.rows]

    def __iter__(self) -> Iterator[dict[str, Scalar]]:
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))

    def to_arrow(self) -> "pyarrow.Table":
        """Raises: EnvironmentProblem without pyarrow."""
        try:
            import pyarrow
        except ImportError as error:
            raise _missing("pyarrow") from error
        return pyarrow.table({name: self[name] for name in self.columns})

    def to_polars(self) -> "polars.DataFrame":
        """Raises: EnvironmentProblem without polars."""
        try:
            import polars
        except ImportError as error:
            raise _missing("polars") from error
        return polars.DataFrame(
            list(self.rows), schema=list(self.columns), orient="row", infer_schema_length=None
        )

    def to_pandas(self) -> "pandas.DataFrame":
        """Raises: EnvironmentProblem without pandas."""
        try:
            import pandas
        except ImportError as error:
            raise _missing("pandas") from error
        return pandas.DataFrame(list(self.rows), columns=list(self.columns))

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """The first rows, in a notebook."""
        heads = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        lines = [
            "".join(f"<td>{html.escape(_short(value))}</td>" for value in row)
            for row in self.rows[:SHOWN]
        ]
        more = len(self) - len(lines)
        rest = f"<p>and {more} more rows</p>" if more else ""
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _short(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _missing(package: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"{package} is not installed; install it: pip install {package}, or isobath["
        f"{package.removeprefix('py')}]"
    )
