# SPDX-License-Identifier: Apache-2.0
"""Searches that were not run: what isobath predict and advise do, as objects."""

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from isobath.api.stored import Study, Where
from isobath.api.tables import Table
from isobath.compared.pages import write_compared_page
from isobath.errors import UsageError
from isobath.predicted import advising, facts
from isobath.predicted.reading import Answered, Asked, answer
from isobath.predicted.sections import notices_of, page_of
from isobath.study import home
from isobath.study.shelf import Shelf
from isobath.study.tables import DataTable

Named = str | os.PathLike[str] | Study
"""A study by any of its names, or a file."""


class Told(ABC):
    """What is said of searches that were not run."""

    noun: str
    tables: tuple[str, ...]
    """Names for ``table``."""

    @property
    @abstractmethod
    def findings(self) -> dict[str, Any]:
        """All that is said, by its versioned model."""

    @property
    @abstractmethod
    def problems(self) -> tuple[str, ...]:
        """What has to be known before any number is believed, a sentence each."""

    @abstractmethod
    def _data(self, name: str) -> DataTable:
        """A table that there is."""

    @abstractmethod
    def _page(self) -> Any:
        """All sections."""

    def table(self, name: str | None = None) -> Table:
        """Rows of the findings, of the first table without a name. Raises: UsageError."""
        chosen = name if name is not None else self.tables[0]
        if chosen not in self.tables:
            there = ", ".join(self.tables)
            raise UsageError(f"there is no table {chosen} of {self.noun}: {there}")
        return Table(chosen, self._data(chosen))

    def report(self, page: str | os.PathLike[str]) -> Path:
        """Writes the page and returns its path. Raises: EnvironmentProblem where it cannot."""
        return write_compared_page(self._page(), Path(page))


@dataclass(frozen=True)
class Prediction(Told):
    """The time of a search, with intervals."""

    answered: Answered

    noun = "a prediction"
    tables = tuple(facts.TABLES)

    @cached_property
    def findings(self) -> dict[str, Any]:
        """By schema/prediction-1.json."""
        return facts.facts_of(self.answered)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is beyond what was measured; what is not as it was sealed."""
        return notices_of(self.answered)

    def _data(self, name: str) -> DataTable:
        return facts.data_of(self.answered, name)

    def _page(self) -> Any:
        return page_of(self.answered)


@dataclass(frozen=True)
class Advice(Told):
    """Plan, grid, ranks per node, mapping and exchange, the best first."""

    advised: advising.AdviceFound

    noun = "advice"
    tables = tuple(advising.TABLES)

    @cached_property
    def findings(self) -> dict[str, Any]:
        """By schema/advice-1.json."""
        return advising.advice_facts(self.advised)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is beyond what was measured, or in no number."""
        return advising.advice_notices(self.advised)

    def _data(self, name: str) -> DataTable:
        return advising.advice_data(self.advised, name)

    def _page(self) -> Any:
        return advising.advice_page(self.advised)


def predict(
    run: Named,
    *,
    ranks: int | None = None,
    grid: str | None = None,
    scale: int | None = None,
    exchange: str | None = None,
    ranks_per_node: int | None = None,
    also: Named | Sequence[Named] = (),
    network: Named | Sequence[Named] = (),
    instead: Named | Sequence[Named] = (),
    measured: Named | None = None,
    simulated: Named | None = None,
    store: Where = None,
) -> Prediction:
    """Predicts a search on other ranks, grids, scales and networks, from a run.

    Args: also are other runs of the same plan, whose computation is looked at, too; network are
        studies whose calls tell costs, or a TOML file; instead are files of networks to try
        besides; measured is a run of what is predicted, simulated a simulation of it.
    Raises: UsageError for what cannot be predicted, EnvironmentProblem where a study or file cannot
        be read.
    """
    asked = Asked(
        _word(run), ranks, grid, scale, None, exchange, ranks_per_node, _words(network),
        _words(instead), _word(measured) if measured is not None else None, _words(also),
        _word(simulated) if simulated is not None else None,
    )  # fmt: skip
    return Prediction(answer(_shelf(store), asked))


def advise(
    nodes: int,
    scale: int,
    *,
    network: Named | Sequence[Named] = (),
    run: Named | Sequence[Named] = (),
    ranks_per_node: int | Sequence[int] = (1, 2, 4),
    plan: str | Sequence[str] = (),
    store: Where = None,
) -> Advice:
    """Advises plan, grid, ranks per node, mapping and exchange for so many nodes.

    Args: as of ``predict``; run are runs of plans that are considered.
    Raises: as ``predict``.
    """
    per_node = (ranks_per_node,) if isinstance(ranks_per_node, int) else tuple(ranks_per_node)
    plans = (plan,) if isinstance(plan, str) else tuple(plan)
    sought = advising.Sought(nodes, scale, _words(network), _words(run), per_node, plans)
    return Advice(advising.find_advice(_shelf(store), sought))


def _shelf(store: Where) -> Shelf:
    return home.shelf(os.fspath(store) if store is not None else None)


def _word(named: Named) -> str:
    return str(named.path) if isinstance(named, Study) else os.fspath(named)


def _words(several: Named | Sequence[Named]) -> tuple[str, ...]:
    parts = [several] if isinstance(several, str | os.PathLike | Study) else several
    return tuple(_word(part) for part in parts)
