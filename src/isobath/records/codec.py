# SPDX-License-Identifier: Apache-2.0
"""Lines to records and back.

History of the schema: 1, the first.
A field is never repurposed. A new meaning takes a new name, the schema number goes up by one, and
one function here turns a line of the number before into the new one.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_args

from pydantic import Field, TypeAdapter, ValidationError

from isobath.errors import EnvironmentProblem
from isobath.records.agreement import disagreement
from isobath.records.audit import AuditRecord
from isobath.records.collective import CollectiveRecord, LaunchRecord
from isobath.records.communication import (
    CallsRecord,
    MessageSizesRecord,
    MpiTimeRecord,
    TrafficMatrixRecord,
)
from isobath.records.construction import ConstructionRecord
from isobath.records.ending import FailureRecord, FinishRecord
from isobath.records.krylov import KrylovRecord
from isobath.records.overlap import OverlapRecord
from isobath.records.prediction import PredictedPieceRecord
from isobath.records.profile import (
    ProfileCallRecord,
    ProfileCellRecord,
    ProfileCommunicatorRecord,
    ProfileLevelRecord,
    ProfileLevelsRecord,
    ProfileMatrixRecord,
    ProfileRankRecord,
    ProfileRecord,
    ProfileSearchRecord,
    ProfileSizesRecord,
    ProfileThreadRecord,
    ProfileTimelineRecord,
)
from isobath.records.record import SCHEMA
from isobath.records.run import RunRecord
from isobath.records.search import LevelRecord, RoundRecord, SearchRecord
from isobath.records.skeleton import SkeletonRecord
from isobath.records.strict_json import LARGEST, LARGEST_WHOLE, loads

AnyRecord: TypeAlias = (
    RunRecord
    | ConstructionRecord
    | SearchRecord
    | LevelRecord
    | RoundRecord
    | CallsRecord
    | TrafficMatrixRecord
    | MessageSizesRecord
    | MpiTimeRecord
    | AuditRecord
    | LaunchRecord
    | CollectiveRecord
    | OverlapRecord
    | KrylovRecord
    | SkeletonRecord
    | ProfileRecord
    | ProfileRankRecord
    | ProfileThreadRecord
    | ProfileCommunicatorRecord
    | ProfileCallRecord
    | ProfileCellRecord
    | ProfileSearchRecord
    | ProfileLevelsRecord
    | ProfileLevelRecord
    | ProfileSizesRecord
    | ProfileMatrixRecord
    | ProfileTimelineRecord
    | PredictedPieceRecord
    | FinishRecord
    | FailureRecord
)

RECORD_KINDS: dict[str, type[AnyRecord]] = {
    model.model_fields["kind"].default: model for model in get_args(AnyRecord)
}
"""Each by the word that stands in its lines."""

Upgrade: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

UPGRADES: dict[int, Upgrade] = {}
"""From a schema number to the function that lifts a line of it to the next number."""


class RecordError(EnvironmentProblem):
    """A line that is no record of any known schema."""


@cache
def adapter() -> TypeAdapter[AnyRecord]:
    """The union of all kinds, told apart by ``kind``."""
    return TypeAdapter(Annotated[AnyRecord, Field(discriminator="kind")])


def encode(record: AnyRecord) -> str:
    """One line without its line end; absent values are left out."""
    return record.model_dump_json(by_alias=True, exclude_none=True)


def upgrade(
    fields: dict[str, Any], upgrades: dict[int, Upgrade] | None = None, target: int = SCHEMA
) -> dict[str, Any]:
    """Lifts the fields of an old line to schema ``target``, one step at a time.

    Raises: RecordError for a line of a newer schema, or of one that nothing lifts.
    """
    steps = UPGRADES if upgrades is None else upgrades
    number = fields.get("schema")
    if not isinstance(number, int) or isinstance(number, bool):
        raise RecordError("the line has no schema number, so it is no record of Isobath")
    if number > target:
        raise RecordError(
            f"the line follows schema {number}, this Isobath knows up to {target}; use a newer one"
        )
    while number < target:
        if number not in steps:
            raise RecordError(f"the line follows schema {number}, which nothing lifts to {target}")
        fields = steps[number](dict(fields))
        number += 1
        fields["schema"] = number
    return fields


def _check_values(value: Any, name: str) -> None:
    if value is None:
        raise RecordError(f"{name} is null; a value that does not exist is absent")
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_values(inner, f"{name}.{key}")
    elif isinstance(value, list):
        for inner in value:
            _check_values(inner, name)
    elif isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        raise RecordError(f"{name} has {len(str(abs(value)))} digits: no whole number of 64 bits")
    elif isinstance(value, float) and abs(value) > LARGEST:
        raise RecordError(f"{name} is {value:.3e}, which nobody measured")


def decode(line: str) -> AnyRecord:
    """The record of one line.

    Raises: RecordError naming the field that is wrong.
    """
    try:
        fields = loads(line)
    except ValueError as error:
        raise RecordError(f"the line is not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise RecordError("the line is not a JSON object")
    number = fields.get("schema")
    fields = upgrade(fields)
    _check_values(fields, str(fields.get("kind", "line")))
    for name in ("kind", "run_id", "origin"):
        if name not in fields:
            raise RecordError(f"the line has no {name}")
    try:
        return adapter().validate_json(line if fields["schema"] == number else json.dumps(fields))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"]) or "the line"
        raise RecordError(f"{where}: {first['msg']}") from error


def _numbered(lines: Iterable[str], source: str) -> Iterator[tuple[int, AnyRecord]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield number, decode(line)
            except RecordError as error:
                raise RecordError(f"{source}, line {number}: {error}") from error


def read_records(path: Path, *, drop_torn_line: bool = False) -> list[AnyRecord]:
    """All records of a file.

    Args: drop_torn_line leaves out a last line without line end, as a killed writer leaves it.
    Raises: RecordError for a wrong line, or one that others contradict; EnvironmentProblem for an
        unreadable file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or error) if isinstance(error, OSError) else error
        raise EnvironmentProblem(f"cannot read {path}: {reason}; check the run folder") from error
    if drop_torn_line and not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
    lines = text.splitlines()
    rows = list(_numbered(lines, str(path)))
    wrong = _repeated(lines, rows) or disagreement(rows)
    if wrong is not None:
        raise RecordError(f"{path}, line {wrong[0]}: {wrong[1]}; no number of it is shown")
    return [record for _, record in rows]


def _repeated(lines: list[str], rows: list[tuple[int, AnyRecord]]) -> tuple[int, str] | None:
    """A line that is there twice, letter for letter. Two ranks may fail alike."""
    seen: dict[str, int] = {}
    for number, record in rows:
        line = lines[number - 1]
        if line in seen and record.kind != "failure":
            return number, f"it is line {seen[line]} again"
        seen[line] = number
    return None
