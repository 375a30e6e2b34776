# SPDX-License-Identifier: Apache-2.0
"""A prediction in the one record model, beside what is measured and simulated."""

from collections.abc import Iterator
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.files import replace_file
from isobath.predicted.reading import Answered
from isobath.records.codec import encode
from isobath.records.prediction import PredictedPieceRecord


def records_of(answered: Answered) -> Iterator[PredictedPieceRecord]:
    """One for each phase of each level; their seconds add up to the search."""
    target = answered.prediction.target
    grid = target.layout.grid
    for piece in answered.prediction.pieces:
        spread = piece.spread
        yield PredictedPieceRecord(
            run_id=answered.observed.run_id,
            scale=target.scale,
            plan=target.switches.plan,
            exchange=target.switches.exchange,
            grid_rows=grid.rows,
            grid_cols=grid.cols,
            nodes=target.layout.nodes,
            level=piece.level,
            phase=piece.phase,
            call=piece.call,
            seconds=spread.middle,
            low_seconds=spread.low,
            high_seconds=spread.high,
        )


def write_records(answered: Answered, path: Path) -> None:
    """JSON lines of schema/record-1.json. Raises: EnvironmentProblem where it cannot be written."""
    text = "".join(encode(record) + "\n" for record in records_of(answered))
    try:
        replace_file(path, text)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror or error}; name another file with --records"
        ) from error
