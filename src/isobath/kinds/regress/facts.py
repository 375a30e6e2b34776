# SPDX-License-Identifier: Apache-2.0
"""A regression for programs: its findings, and JUnit's XML for those that know nothing else."""

from typing import Any
from xml.etree import ElementTree as XML

from isobath.compared.facts import table_facts
from isobath.kinds.regress.moved import moved_switches, moved_tables
from isobath.kinds.regress.outcome import CellResult, Outcome
from isobath.kinds.regress.wording import NO_TURN, advice_words, verdict_words

ARCHIVE = "archive"

WRONG, NOT_MEASURED = "wrong", "could not measure"
"""Types of errors: a result was wrong (1), or there is none (3)."""


def facts_of(outcome: Outcome) -> dict[str, Any]:
    """Its model is ``RegressFindings``."""
    reading = outcome.found
    plan, apart = reading.plan, outcome.apart
    return {
        "purpose": plan.purpose,
        "baseline": plan.baseline,
        "verdict": verdict_words(outcome),
        "advice": advice_words(outcome),
        "exit_code": int(outcome.exit_code),
        "mpi": plan.mpi["new"],
        "against": plan.mpi.get("old", ARCHIVE),
        "turns": reading.turns,
        "turns_at_most": plan.turns,
        "margin": plan.margin,
        "measured_seconds": reading.seconds,
        "cells": [_cell(entry) for entry in outcome.cells],
        "not_measured": [
            {"cells": list(entry.cells), "reason": entry.why} for entry in outcome.not_measured
        ],
        "guidelines": [
            {"guideline": entry.words, "factor": entry.factor, "factor_before": entry.before}
            for entry in outcome.guidelines
        ],
        "decisions": [
            {"cell": entry.cell, "algorithm_before": entry.before, "algorithm_now": entry.after}
            for entry in outcome.moved
        ],
        "tables": list(moved_tables(reading)),
        "switches": table_facts(moved_switches(reading)),
        "sittings": None
        if apart is None
        else {
            "recorded": apart.recorded,
            "separate": apart.separate,
            "nearest_seconds": apart.nearest,
            "farthest_seconds": apart.farthest,
            "left_out": list(apart.left_out),
        },
        "wrong": list(reading.wrong),
        "wrong_sides": list(outcome.wrong_sides),
        "failed": list(reading.failed),
        "unaudited": list(reading.unaudited),
        "beyond_audit": list(reading.beyond_audit),
        "could_not_measure": list(not_measured(outcome)),
    }


def _cell(result: CellResult) -> dict[str, Any]:
    verdict = result.verdict
    chosen = result.measured.sides.get("new")
    return {
        "cell": result.name,
        "outcome": result.word,
        "reason": result.reason or None,
        "ratio": verdict.ratio if verdict else None,
        "ratio_low": verdict.low if verdict else None,
        "ratio_high": verdict.high if verdict else None,
        "p_slower": verdict.p_slower if verdict else None,
        "turns": verdict.turns if verdict else 0,
        "accepted": result.accepted.reason if result.accepted else None,
        "algorithm_before": result.measured.kept.chosen or None,
        "algorithm_now": chosen.chosen.name if chosen and chosen.chosen else None,
    }


def junit_text(outcome: Outcome) -> str:
    """A test case for each cell: slower is a failure, wrong an error, undecided is skipped."""
    reading = outcome.found
    cases = [_case(entry) for entry in outcome.cells]
    for entry in outcome.guidelines:
        case = XML.Element("testcase", classname="isobath.guideline", name=entry.words)
        told = f"{entry.factor:.2f} times as long, {entry.before:.2f} before"
        XML.SubElement(case, "failure", message=told)
        cases.append(case)
    for moved in outcome.moved:
        case = XML.Element("testcase", classname="isobath.decision", name=moved.cell)
        XML.SubElement(case, "failure", message=moved.words)
        cases.append(case)
    cases += [_function(words, "error", WRONG) for words in reading.wrong]
    cases += [_function(words, "error", NOT_MEASURED) for words in not_measured(outcome)]
    cases += [_function(words, "system-out", "") for words in reading.beyond_audit]
    for left_out in outcome.not_measured:
        for name in left_out.cells:
            case = XML.Element("testcase", classname="isobath.performance", name=name)
            XML.SubElement(case, "skipped", message=f"not measured: {left_out.why}")
            cases.append(case)
    suite = XML.Element(
        "testsuite",
        name=f"isobath regress {reading.plan.baseline}",
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors=str(sum(case.find("error") is not None for case in cases)),
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
        time=f"{reading.seconds:.3f}",
    )
    properties = XML.SubElement(suite, "properties")
    XML.SubElement(properties, "property", name="verdict", value=verdict_words(outcome))
    code = str(int(outcome.exit_code))
    XML.SubElement(properties, "property", name="exit code", value=code)
    suite.extend(cases)
    root = XML.Element("testsuites")
    root.append(suite)
    XML.indent(root)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' + XML.tostring(root, encoding="unicode") + "\n"
    )


def not_measured(outcome: Outcome) -> tuple[str, ...]:
    """All for which a regression ends with 3, a sentence each."""
    reading = outcome.found
    problems = reading.problems or ("a launch is not as it was sealed",)
    return (
        *reading.failed, *reading.unaudited, *(problems if reading.is_altered else ()),
        *(() if reading.turns else (NO_TURN,)),
    )  # fmt: skip


def _function(words: str, tag: str, kind: str) -> XML.Element:
    """A sentence about function. What cannot be audited at all is said, and is no error."""
    case = XML.Element("testcase", classname="isobath.function", name=words)
    if kind:
        XML.SubElement(case, tag, message=words, type=kind)
    else:
        XML.SubElement(case, tag).text = words
    return case


def _case(entry: CellResult) -> XML.Element:
    case = XML.Element("testcase", classname="isobath.performance", name=entry.name)
    ratio = f"{entry.verdict.ratio:.3f} times as long" if entry.verdict else entry.reason
    if entry.word == "slower" and entry.reason:
        ratio += f"; {entry.reason}"
    if entry.word == "wrong":
        XML.SubElement(case, "error", message=entry.reason, type=WRONG)
    elif entry.word == "slower":
        XML.SubElement(case, "failure", message=ratio)
    elif entry.word == "cannot tell":
        XML.SubElement(case, "skipped", message=f"cannot tell: {entry.reason}")
    return case
