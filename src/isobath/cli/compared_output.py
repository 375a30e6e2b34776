# SPDX-License-Identifier: Apache-2.0
"""A comparison in the terminal, as JSON, as a table for other programs, or as a page."""

import io
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from isobath.cli.answer_options import FORMATS
from isobath.cli.places import shown as shown_place
from isobath.cli.table_files import PARQUET, check_parquet, put, table_text
from isobath.cli.terminal import console, console_into, warn
from isobath.compared.choice import Shown
from isobath.compared.facts import TABLES, data_of, facts_of
from isobath.compared.pages import write_compared_page
from isobath.compared.sections import notices_of, page_of, sections_of
from isobath.errors import UsageError
from isobath.settings.values import no_choice, or_nearest
from isobath.study.tables import DataTable
from isobath.view.content import Page, Section

VIEWS: Mapping[str, str] = {
    "summary": "",
    "all": "",
    "changes": "changed",
    "cells": "cells",
    "parts": "parts",
    "decisions": "decisions",
    "method": "method",
}
"""By name, the beginning of the identifiers of their sections; empty means all sections."""


class Answer:
    """What can be written, formed when it is wanted."""

    def __init__(
        self,
        facts: Callable[[], object],
        tables: Mapping[str, Callable[[], DataTable]],
        sections: Callable[[], Iterable[Section]],
        page: Callable[[], Page],
        notices: tuple[str, ...],
        views: Mapping[str, str],
    ) -> None:
        self.facts = facts
        self.tables = tables
        self.sections = sections
        self.page = page
        self.notices = notices
        self.views = views


def put_comparison(
    shown: Shown, *, view: str | None, form: str | None, as_json: bool, output: str | None
) -> None:
    """Writes it as it is asked for.

    Raises: UsageError for a view or format that there is not, EnvironmentProblem where a file
        cannot be written.
    """
    put_answer(
        Answer(
            lambda: facts_of(shown),
            {name: (lambda name=name: data_of(shown, name)) for name in TABLES},  # type: ignore[misc]
            lambda: sections_of(shown),
            lambda: page_of(shown),
            notices_of(shown),
            VIEWS,
        ),
        view=view,
        form=form,
        as_json=as_json,
        output=output,
    )


def put_answer(
    answer: Answer, *, view: str | None, form: str | None, as_json: bool, output: str | None
) -> None:
    """Writes an answer as it is asked for. Raises: as ``put_comparison``."""
    chosen = _format(form, output, as_json)
    if chosen in ("csv", PARQUET):
        name = _table(view, answer)
        for notice in answer.notices:
            warn(notice)
        _put_table(answer.tables[name](), chosen, output)
    elif chosen == "json":
        for notice in answer.notices:
            warn(notice)
        put(json.dumps(answer.facts(), indent=1) + "\n", output)
    elif chosen == "html":
        _put_page(answer, output)
    else:
        _put_text(answer, view, output)


def check_wanted(
    views: Mapping[str, str],
    *,
    view: str | None,
    form: str | None,
    as_json: bool,
    output: str | None,
) -> None:
    """Before anything is read. Raises: UsageError for a format or view that there is not."""
    if _format(form, output, as_json) == "text" and view is not None and view not in views:
        raise no_choice("--view", view, views)


def _format(form: str | None, output: str | None, as_json: bool) -> str:
    suffix = Path(output or "").suffix.removeprefix(".")
    chosen = form or ("json" if as_json else suffix if suffix in FORMATS else "text")
    if chosen not in FORMATS:
        raise no_choice("--format", chosen, FORMATS)
    check_parquet(chosen, output)
    if chosen == "html" and output is None:
        raise UsageError("--format html needs a file: add --output FILE.html")
    return chosen


def _table(view: str | None, answer: Answer) -> str:
    name = view or next(iter(answer.tables))
    if name not in answer.tables:
        raise UsageError(f"--view {name} is no table{or_nearest(name, answer.tables)}")
    return name


def _put_table(data: DataTable, form: str, output: str | None) -> None:
    if form == PARQUET:
        from isobath.store.query import write_rows

        write_rows(data.columns, data.rows, str(Path(str(output)).expanduser()))
        return
    put(table_text(data.columns, data.rows, form), output)


def _put_page(answer: Answer, output: str | None) -> None:
    page = write_compared_page(answer.page(), Path(str(output)).expanduser())
    print(shown_place(page))


def _put_text(answer: Answer, view: str | None, output: str | None) -> None:
    from isobath.view.terminal import printed

    name = view or next(iter(answer.views))
    if name not in answer.views:
        raise no_choice("--view", name, answer.views)
    beginning = answer.views[name]
    wanted = [section for section in answer.sections() if section.identifier.startswith(beginning)]
    if name == "summary":
        wanted = [section for section in wanted if section.identifier != "method"]
    if not wanted:
        raise UsageError(f"--view {name}: there is none of it here; leave it out to see the rest")
    text = io.StringIO()
    out = console() if output is None else console_into(text)
    for part in printed(wanted, out.width, whole=name != "summary", notices=answer.notices):
        out.print(part, soft_wrap=bool(part.no_wrap))
    if output is not None:
        put(text.getvalue(), output)
