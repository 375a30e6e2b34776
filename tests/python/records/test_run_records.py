# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.errors import EnvironmentProblem
from isobath.records.codec import decode, encode
from isobath.records.run_records import NoRunRecord, RunRecords
from isobath.records.search import SearchRecord
from records import examples


def test_a_run_is_validated_when_every_timed_search_passed() -> None:
    run = RunRecords.of(examples.one_of_each()[:-1])

    assert run.verdict == "validated"
    assert run.label == ""
    assert run.state == "complete"


def test_one_search_without_validation_makes_the_run_unvalidated() -> None:
    run = RunRecords.of(
        [
            examples.run_record(),
            examples.search_record(0),
            examples.search_record(1, validated=False),
        ]
    )

    assert run.verdict == "unvalidated"
    assert run.label == "UNVALIDATED"
    assert run.state == "unfinished"


def test_a_run_without_searches_is_unvalidated() -> None:
    assert RunRecords.of([examples.run_record()]).label == "UNVALIDATED"


def test_a_violation_counts_more_than_a_missing_validation() -> None:
    run = RunRecords.of(
        [
            examples.run_record(),
            examples.search_record(0, passed=False),
            examples.search_record(1, validated=False),
        ]
    )

    assert run.verdict == "violations"
    assert run.label == "UNVALIDATED"


def test_a_failed_construction_check_is_a_violation() -> None:
    record = examples.construction_record()
    assert record.check is not None
    check = record.check.model_copy(update={"passed": False, "missing_arcs": 1})

    run = RunRecords.of(
        [
            examples.run_record(),
            record.model_copy(update={"check": check}),
            examples.search_record(),
        ]
    )

    assert run.verdict == "violations"


def test_warm_ups_do_not_count() -> None:
    warmup = examples.search_record(validated=False).model_copy(update={"warmup": True})

    run = RunRecords.of([examples.run_record(), warmup, examples.search_record()])

    assert run.timed_searches == (examples.search_record(),)
    assert run.verdict == "validated"


def test_a_failure_record_makes_the_run_failed() -> None:
    run = RunRecords.of([examples.run_record(), examples.failure_record()])

    assert run.state == "failed"


def test_without_run_record_there_is_no_run() -> None:
    with pytest.raises(EnvironmentProblem, match="no run record"):
        RunRecords.of([examples.search_record()])


def test_without_run_record_the_failure_says_why() -> None:
    with pytest.raises(NoRunRecord, match="before it began: rank 1 was killed") as caught:
        RunRecords.of([examples.failure_record()])
    assert caught.value.failures == (examples.failure_record(),)


def run_of_both_kernels(*path_searches: SearchRecord) -> RunRecords:
    construction = examples.construction_record()
    return RunRecords.of(
        [
            examples.run_record().model_copy(update={"kernel": "both"}),
            construction,
            construction.model_copy(update={"kernel": "sssp", "seconds": 7.0}),
            examples.search_record(0),
            *path_searches,
        ]
    )


def test_searches_of_two_kernels_are_told_apart() -> None:
    run = run_of_both_kernels(examples.path_search_record(0))

    assert [search.kernel for search in run.timed_searches] == ["bfs"]
    assert [search.kernel for search in run.path_searches] == ["sssp"]
    of_paths = run.construction_of("sssp")
    assert of_paths is not None
    assert of_paths.seconds == 7.0
    assert run.construction == run.construction_of("bfs")
    assert run.verdict == "validated"


def test_a_run_is_not_validated_before_every_kernel_is() -> None:
    good = examples.path_search_record(0)
    assert good.validation is not None
    broken = good.validation.model_copy(update={"passed": False})

    assert run_of_both_kernels().verdict == "unvalidated"
    unchecked = good.model_copy(update={"validation": None})
    assert run_of_both_kernels(unchecked).verdict == "unvalidated"
    wrong = good.model_copy(update={"validation": broken})
    assert run_of_both_kernels(wrong).verdict == "violations"


def test_a_record_without_a_kernel_is_of_bfs() -> None:
    line = encode(examples.search_record(0)).replace('"kernel":"bfs",', "")

    assert "kernel" not in line
    found = decode(line)
    assert isinstance(found, SearchRecord)
    assert found.kernel == "bfs"
