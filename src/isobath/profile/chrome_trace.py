# SPDX-License-Identifier: Apache-2.0
"""A timeline in Chrome's trace event format, which Perfetto and chrome://tracing show.

A host is a process, a rank a thread. A call is a span with its region as category; inside it lie
the wait for the others, where it is known, and the transfer. Times are microseconds.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem
from isobath.profile.profile import Profile
from isobath.records.profile import ProfileTimelineRecord

Event = dict[str, Any]


def chrome_trace(profile: Profile) -> dict[str, Any]:
    """The trace as a value for JSON.

    Raises: EnvironmentProblem where the profile was taken without a timeline.
    """
    if not profile.timelines:
        raise EnvironmentProblem(
            "this profile has no timeline; profile the program again with --timeline"
        )
    hosts = sorted({timeline.host for timeline in profile.timelines})
    events: list[Event] = [_name("process_name", hosts.index(host), None, host) for host in hosts]
    for timeline in profile.timelines:
        process = hosts.index(timeline.host)
        events.append(_name("thread_name", process, timeline.rank, f"rank {timeline.rank}"))
        events += _calls(timeline, process)
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {
            "run_id": profile.whole.run_id,
            "library": profile.whole.library,
            "left_out": sum(timeline.left_out for timeline in profile.timelines),
            "clocks": "one" if len(hosts) == 1 else "each host begins at its own zero",
        },
    }


def write_traces(profiles: Iterable[Profile], output: Path) -> list[Path]:
    """Writes the timeline of each world; returns the files.

    Raises: EnvironmentProblem where there is no timeline, or a file cannot be written.
    """
    written = []
    for profile in profiles:
        events = chrome_trace(profile)
        path = trace_file(output, profile)
        try:
            path.write_text(json.dumps(events, separators=(",", ":")), encoding="utf-8")
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write the trace to {path}: {error.strerror}; name another file"
            ) from error
        written.append(path)
    return written


def trace_file(output: Path, profile: Profile) -> Path:
    """Where the timeline of a world goes: of several, each into a file of its own."""
    if profile.whole.worlds is None:
        return output
    number = (profile.whole.world or 0) + 1
    return output.with_name(f"{output.stem}-world-{number}{output.suffix}")


def _name(kind: str, process: int, thread: int | None, name: str) -> Event:
    event: Event = {"ph": "M", "name": kind, "pid": process, "args": {"name": name}}
    return event if thread is None else event | {"tid": thread}


def _calls(timeline: ProfileTimelineRecord, process: int) -> list[Event]:
    events: list[Event] = []
    rows = zip(
        timeline.place,
        timeline.entry_nanoseconds,
        timeline.nanoseconds,
        timeline.wait_nanoseconds,
        strict=True,
    )
    for place, entry, duration, wait in rows:
        region = timeline.place_region[place] or "outside regions"

        def span(name: str, begin: int, length: int, region: str = region) -> Event:
            return {
                "ph": "X",
                "name": name,
                "cat": region,
                "pid": process,
                "tid": timeline.rank,
                "ts": begin / 1000,
                "dur": length / 1000,
            }

        call = span(timeline.place_call[place], entry, duration)
        call["args"] = {"communicator": timeline.place_communicator[place], "region": region}
        events.append(call)
        if wait >= 0:
            events.append(span("wait", entry, wait))
            events.append(span("transfer", entry + wait, duration - wait))
    return events
