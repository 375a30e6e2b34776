# SPDX-License-Identifier: Apache-2.0
"""SQL over the records of all studies: what isobath query does, as a table."""

import os

from isobath.api.stored import Progress, Where, _silent
from isobath.api.tables import Table
from isobath.store.query import answer, connect
from isobath.study import home
from isobath.study.across import sealed_launches
from isobath.study.tables import DataTable


def query(sql: str, *, store: Where = None, progress: Progress = _silent) -> Table:
    """The answer to a question in SQL; ``isobath query --views`` lists the views with columns.

    Args: progress takes a sentence for each launch that is left out, because it is not as it was
        sealed.
    Raises: UsageError for SQL that makes no sense here, or where there is nothing to ask.
    """
    shelf = home.shelf(os.fspath(store) if store is not None else None)
    launches, doubts = sealed_launches(shelf)
    for sentence in doubts:
        progress(sentence)
    connection = connect(launches, studies=home.catalogue().rows(shelf), sql=sql)
    columns, rows = answer(connection, sql)
    return Table("query", DataTable(tuple(columns), tuple(rows)))
