# SPDX-License-Identifier: Apache-2.0
"""How large messages are, by number, bytes and time."""

from dataclasses import replace

from isobath.records.communication import NO_END
from isobath.records.profile import ProfileSizesRecord
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.race_marks import Bin, Distribution, DistributionChart, log_axis
from isobath.report.race_wording import CALL_COLOURS, octave
from isobath.report.wording import compact, milliseconds, part_of, percent
from isobath.units import format_bytes
from isobath.view.content import Figure, Section, Table, columns, first_rows, nothing

TITLE = "Message sizes"

LAST_TICK = 0.9
"""share of the axis beyond which a label would leave the drawing"""

WEIGHTS = ("by messages", "by bytes", "by time")

DRAWN = 6
"""calls that get a row of their own"""


def render(data: ProfileData) -> Section:
    """A row of distributions for each of the calls that send most."""
    records = [
        record
        for record in data.profile.sizes
        if record.meaning == "per_peer" and sum(record.bytes) > 0
    ]
    if not records:
        return nothing("sizes", TITLE, "No call of this program sent bytes to another rank.")
    records.sort(key=lambda record: -sum(record.bytes))
    drawn = records[:DRAWN]
    edges = [
        edge for record in drawn for i in range(len(record.bytes)) for edge in _edges(record, i)
    ]
    axis = log_axis("bytes to one other", [edge for edge in edges if edge > 0], octave, base=2)
    inside = tuple(tick for tick in axis.ticks if axis.share(tick[0]) < LAST_TICK)
    axis = replace(axis, ticks=inside)
    distributions = [
        Distribution(
            mpi_name(record.call),
            CALL_COLOURS[number % len(CALL_COLOURS)],
            tuple(
                _bins(record, weights) for weights in (record.count, record.bytes, record.seconds)
            ),
        )
        for number, record in enumerate(drawn)
    ]
    rows, left = first_rows(
        [row for record in records for row in _rows(record)], 512, "records.jsonl"
    )
    figure = Figure(
        DistributionChart(tuple(distributions), WEIGHTS, axis),
        "What one rank sends to one other in one call; empty messages stay away. Each bar is a "
        "bucket, the highest of each panel fills it.",
        table=Table(
            "Sizes in numbers",
            columns("=call", "#from, bytes", "#below, bytes", "#messages", "#bytes", "#time, ms"),
            rows,
            folded=True,
            left_out=left,
            keys=3,
        ),
    )
    return Section("sizes", TITLE, (figure,), lead=lead(records))


def _edges(sizes: ProfileSizesRecord, index: int) -> tuple[float, float]:
    """Of a bucket; one without end is drawn an octave wide."""
    low, high = float(sizes.from_bytes[index]), float(sizes.to_bytes[index])
    return low, high if high < NO_END else 2.0 * max(1.0, low)


def _bins(sizes: ProfileSizesRecord, weights: tuple[float, ...]) -> tuple[Bin, ...]:
    kept = [
        (*_edges(sizes, i), weight)
        for i, weight in enumerate(weights)
        if weight > 0 and sizes.from_bytes[i] > 0
    ]
    total = sum(weight for _, _, weight in kept) or 1.0
    return tuple(Bin(low, high, weight / total) for low, high, weight in kept)


def _rows(sizes: ProfileSizesRecord) -> list[tuple[str, ...]]:
    return [
        (
            mpi_name(sizes.call),
            f"{low:,}",
            f"{high:,}" if high < NO_END else "",
            f"{count:,}",
            f"{size:,}",
            milliseconds(seconds),
        )
        for low, high, count, size, seconds in zip(
            sizes.from_bytes, sizes.to_bytes, sizes.count, sizes.bytes, sizes.seconds, strict=True
        )
    ]


def lead(records: list[ProfileSizesRecord]) -> str:
    """The bucket that holds the median byte, and the share of small messages."""
    pairs = sorted(
        (low, size, count)
        for record in records
        for low, size, count in zip(record.from_bytes, record.bytes, record.count, strict=True)
    )
    half, reached, middle = sum(size for _, size, _ in pairs) / 2, 0, 0
    for low, size, _ in pairs:
        reached += size
        if reached >= half:
            middle = low
            break
    messages = sum(count for _, _, count in pairs)
    small = sum(count for low, _, count in pairs if low < 1024)
    return (
        f"{format_bytes(sum(size for _, size, _ in pairs))} travel in {compact(messages)} "
        f"messages; half of the bytes in messages of {octave(middle)} or more, while "
        f"{percent(part_of(small, messages))} of the messages are smaller than 1 KiB."
    )
