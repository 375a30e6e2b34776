# SPDX-License-Identifier: Apache-2.0
"""The result in one number, in one sentence, and in a handful of figures."""

from isobath.records.ending import FailureRecord
from isobath.records.run_records import RunRecords
from isobath.report.run_data import RunData
from isobath.report.sections import paths
from isobath.report.wording import count_of, milliseconds, phase_name, significant, with_error
from isobath.stats.estimates import summary
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Fact, Facts, Headline, Section

TITLE = "Result"

needs = ("run.scale", "run.ranks", "run.threads_per_rank")


def render(data: RunData) -> Section:
    """The headline with its uncertainty, and a few figures."""
    blocks = (headline(data), Facts(_figures(data), style="large"))
    return Section("result", TITLE, blocks, lead=sentence(data))


def headline(data: RunData) -> Headline:
    """Harmonic mean TEPS with its standard error, or why there is none."""
    estimate = data.teps
    badge = badge_text(data)
    good = data.validated and data.records.state == "complete"
    if estimate is None:
        reason = "no search was completed"
        if data.searches:
            reason = "harmonic mean TEPS: one search traversed no edge"
        return Headline("no value", "", "", reason, badge, good)
    error = None if estimate.standard_error is None else estimate.standard_error / 1e9
    value, spread = with_error(estimate.value / 1e9, error)
    meaning = f"harmonic mean of {count_of(estimate.count, 'search', 'searches')}"
    if spread:
        meaning += ", \N{PLUS-MINUS SIGN} its standard error"
    return Headline(value, spread, "GTEPS", meaning, badge, good)


def badge_text(data: RunData) -> str:
    """How many searches passed validation, or why the number may not be trusted."""
    searches = len(data.searches)
    if data.validated and data.records.state == "complete":
        return f"{data.passed}/{searches} searches validated"
    if data.validated:
        word = "UNFINISHED" if data.records.state == "unfinished" else "FAILED"
        asked = data.records.run.keys_requested
        return f"{word}: {data.passed} of {asked} searches completed and validated"
    if not searches:
        return "UNVALIDATED: no search was completed"
    broken = sum(1 for s in data.searches if s.validation and not s.validation.passed)
    if broken:
        return f"UNVALIDATED: {broken} of {searches} searches broke a rule"
    if data.records.verdict == "violations":
        return "UNVALIDATED: the construction check failed"
    return f"UNVALIDATED: {data.passed} of {searches} searches validated"


def sentence(data: RunData) -> str:
    """The run in words."""
    run = data.records.run
    graph = f"a graph of scale {run.scale}"
    if data.records.construction is not None:
        facts = data.records.construction
        graph += f" ({facts.num_vertices:,} vertices, {facts.num_edges:,} edges)"
    where = (
        f"{machines(data.records)} with {count_of(run.ranks, 'rank')} of "
        f"{count_of(run.threads_per_rank, 'thread')}"
    )
    if data.typical is None:
        return f"No search of {graph} was completed on {where}."
    trust = "Every result passed all rules against the original edges."
    if not data.validated:
        trust = "Not every result passed validation, so no number here may be trusted."
    return (
        f"On {where}, {graph} was searched from "
        f"{count_of(len(data.searches), 'root')}; a typical search took "
        f"{format_seconds(data.median_seconds)}. {trust}"
    )


def machines(records: RunRecords) -> str:
    """The machine by name, or how many there are."""
    hosts = records.run.hosts
    return hosts[0].hostname if len(hosts) == 1 else f"{len(hosts)} machines"


def doubts(data: RunData) -> tuple[str, ...]:
    """What the reader must know before believing a number, of the folder first."""
    records = data.records
    sentences = [data.doubt] if data.doubt else []
    if records.verdict == "violations":
        first = next(
            (
                f" Search {s.index} from root {s.root}: {s.validation.first_violation}."
                for s in data.searches
                if s.validation and not s.validation.passed and s.validation.first_violation
            ),
            "",
        )
        sentences.append(f"UNVALIDATED: validation found violations.{first}")
    elif records.verdict == "unvalidated" and data.searches:
        sentences.append(
            "UNVALIDATED: not every search of this run was validated, so its results may be wrong."
        )
    if records.run.oversubscribed:
        sentences.append(
            "OVERSUBSCRIBED: more ranks times threads than processors; times do not describe this "
            "machine."
        )
    sentences += map(failure_sentence, records.failures)
    if records.state == "unfinished":
        sentences.append(
            f"UNFINISHED: {len(data.searches)} of {records.run.keys_requested} searches were "
            "completed before the run was stopped."
        )
    if records.run.kernel == "sssp":
        sentences += [notice.text for notice in paths.pruned_notice(data, "page")]
    return tuple(sentences)


def failure_sentence(failure: FailureRecord) -> str:
    """When, where and why a run failed."""
    who = "" if failure.rank is None else f", rank {failure.rank}"
    call = f" The last MPI call was {failure.last_call}." if failure.last_call else ""
    return (
        f"The run failed after {format_seconds(failure.elapsed_seconds)} in phase "
        f"{phase_name(failure.phase)}{who}: {failure.message}.{call}"
    )


def _figures(data: RunData) -> tuple[Fact, ...]:
    records = data.records
    figures = [Fact("scale", str(records.run.scale), f"edgefactor {records.run.edgefactor}")]
    if data.typical is not None:
        seconds = [search.seconds for search in data.searches]
        low, high = milliseconds(min(seconds)), milliseconds(max(seconds))
        figures.append(
            Fact("typical search", format_seconds(data.median_seconds), f"{low} to {high} ms")
        )
    if records.construction is not None:
        built = records.construction
        share = significant(built.num_edges / built.seconds / 1e6) if built.seconds else ""
        figures.append(
            Fact(
                "construction",
                format_seconds(built.seconds),
                f"{share} M edges/s" if share else "",
            )
        )
    checks = [s.validation.seconds for s in data.searches if s.validation is not None]
    if checks:
        figures.append(Fact("validation", format_seconds(summary(checks).median), "median search"))
    if records.finish is not None:
        finish = records.finish
        figures.append(Fact("peak memory", format_bytes(finish.peak_bytes), "sum of all ranks"))
        figures.append(Fact("whole run", format_seconds(finish.seconds), "start to end"))
    return tuple(figures)
