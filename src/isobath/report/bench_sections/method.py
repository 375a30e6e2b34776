# SPDX-License-Identifier: Apache-2.0
"""How it was measured, on what, and what the words mean."""

import shlex

from isobath.bench.rates import ALGORITHM, BUS, K_COMPUTER
from isobath.records.placement import host_words
from isobath.report.bench_data import BenchData
from isobath.report.wording import count_of, listing
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Block, Fact, Facts, Preformatted, Section, Table, columns

TITLE = "How it was measured"


def render(bench: BenchData) -> Section:
    """Method, words, machines, libraries, and what could not be run."""
    facts = tuple(Fact(name, text) for name, text in _texts(bench).items())
    blocks: list[Block] = [Facts(facts, style="words")]
    blocks += _delayed(bench)
    idle = [cell for cell in bench.measured.cells if cell.not_runnable]
    if idle:
        rows = tuple((cell.cell.words(), cell.arm.where, cell.not_runnable) for cell in idle)
        blocks.append(
            Table("Not runnable", columns("cell", "=library", "why"), rows, folded=len(rows) > 12)
        )
    records = bench.measured.launch_records
    if records:
        hosts = {host_words(host.hostname): host for row in records for host in row.hosts}
        machines = tuple(
            (name, host.cpu_model, str(host.cores),
             format_bytes(host.memory_bytes) if host.memory_bytes is not None else "")
            for name, host in hosts.items()
        )  # fmt: skip
        blocks.append(
            Table("Machines", columns("name", "processor", "#cores", "#memory"), machines)
        )
        libraries = sorted({(row.mpi.library_version.split("\n")[0], row.mpi.standard_version,
                             row.build.commit[:12]) for row in records})  # fmt: skip
        heads = columns("library", "MPI standard", "engine commit")
        blocks.append(Table("Libraries", heads, tuple(libraries)))
    command = shlex.join(bench.measured.header.command)
    blocks.append(Preformatted("Command", command, wrapped=True))
    return Section("method", TITLE, tuple(blocks), lead=_lead(bench), measured=False)


def _delayed(bench: BenchData) -> list[Block]:
    """Cells whose ranks came late on purpose, and what the others waited."""
    rows = tuple(
        (
            bench.measured.name_of(cell),
            format_seconds(cell.seconds),
            format_seconds(cell.longest_wait),
        )
        for cell in bench.measured.results
        if cell.cell.arrival != "zero"
    )
    heads = columns("cell", "#transfer", "#longest wait")
    return [Table("Delayed on purpose", heads, rows, folded=len(rows) > 12)] if rows else []


def _lead(bench: BenchData) -> str:
    plan = bench.measured.plan
    return (
        f"{count_of(plan.launches, 'launch', 'launches')} of each of "
        f"{count_of(len(plan.arms), 'arm')}, cells in another random order in each (seed "
        f"{plan.seed})."
    )


def _texts(bench: BenchData) -> dict[str, str]:
    plan = bench.measured.plan
    stop = plan.stop
    settings = {
        name: sorted({str(getattr(cell, name)) for arm in plan.arms for cell in arm.cells})
        for name in ("alignment", "cadence", "buffers", "arrival")
    }
    return {
        "Start": f"alignment {listing(settings['alignment'])}, cadence "
        f"{listing(settings['cadence'])}, arrival {listing(settings['arrival'])}, buffers "
        f"{listing(settings['buffers'])}.",
        "Time of a repetition": "last exit minus first entry over the ranks of a communicator, of "
        "the slowest communicator where several run at once.",
        "Streaming": "calls back to back after one common start; a batch is one sample: its last "
        "exit minus its first entry, by its calls.",
        "Transfer time": "where ranks arrive late on purpose, last exit minus last entry: what the "
        "delay itself took is no part of it.",
        "Repetitions": f"{stop.least} to {stop.most} in a launch, until the 95 % interval of the "
        f"median is within {stop.half_width:.1%} on either side, or {stop.budget_seconds:g} s have "
        "passed. Warm-up is recorded and not counted.",
        "Median and interval": "the median of the medians of launches; the interval resamples "
        "launches, then repetitions, and is widened for few launches. It holds for launches to "
        "come, not for one. Of fewer than 5 launches that differ by more than a quarter it is the "
        "range of their medians, and nothing is concluded.",
        K_COMPUTER: "size times nodes by seconds, as the K computer report defines it for "
        "allgather, gather, scatter and alltoall; for the others the same formula is a choice of "
        "this project. Where all was on one node, a rank stands for a node.",
        BUS: "the least number of bytes that must enter or leave the busiest rank, by seconds.",
        ALGORITHM: "bytes that one rank contributes, by seconds.",
        "Switch point": "two formulas T = latency + size / rate meet between the two sizes; cut by "
        "dynamic programming, their number by the Bayesian information criterion on logarithms.",
        "Trap": "a size that takes longer than a larger one, or than two calls of half of it, or "
        "whose rate is below 80 % of a smaller size's, beyond the intervals.",
        "Regret": "time of the library's own choice by that of the fastest forced algorithm, minus "
        "one. Forced algorithms of a launch or of the process are named in the records.",
        "Guideline": "a collective is not slower than others that do its work; broken only where "
        "the intervals lie apart by more than 5 %.",
        "Repetitions that stand apart": "are flagged (Tukey's fences on logarithms, lost "
        "processors), never removed; those that a rank began late are not counted.",
    }
