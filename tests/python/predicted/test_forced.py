# SPDX-License-Identifier: Apache-2.0
"""Which algorithms a run was made to use is read from its variables."""

import json
from pathlib import Path
from typing import Any

import pytest

from compared.made_studies import copy_of
from compared.test_compare_command import Store, store
from isobath.errors import UsageError
from isobath.predicted.forced import forced_algorithms
from isobath.predicted.reading import read_observed
from isobath.study.home import shelf
from predicted.test_predict_command import RUN

__all__ = ["store"]


def environment(**variables: str) -> dict[str, Any]:
    return {"nodes": [{"variables": variables}]}


def test_variables_of_two_libraries() -> None:
    mpich = environment(
        MPIR_CVAR_ALLGATHERV_INTRA_ALGORITHM="ring", MPIR_CVAR_BCAST_INTRA_ALGORITHM="auto"
    )
    openmpi = environment(OMPI_MCA_coll_tuned_alltoall_algorithm="3")

    assert forced_algorithms(mpich, "a run") == {"allgatherv": "ring"}
    assert forced_algorithms(openmpi, "a run") == {"alltoall": "brucks"}
    assert forced_algorithms({}, "a run") == {}
    assert forced_algorithms({"nodes": [{}]}, "a run") == {}


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"MPIR_CVAR_BARRIER_INTRA_ALGORITHM": "recexch"}, "recexch for barrier"),
        ({"OMPI_MCA_coll_tuned_allgather_algorithm": "5"}, "neighbor for allgather"),
        ({"OMPI_MCA_coll_tuned_allgather_algorithm": "99"}, "algorithm 99 for allgather"),
    ],
)
def test_an_algorithm_without_a_formula_is_refused(variables: dict[str, str], named: str) -> None:
    with pytest.raises(UsageError, match=f"was made to use {named}, which no formula"):
        forced_algorithms(environment(**variables), "a run")


def test_calls_of_a_stored_run_have_it(store: Store) -> None:
    copy_of(store.folder, "run-whole", RUN)
    path: Path = store.folder / RUN / "environment.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    told["nodes"][0]["variables"]["MPIR_CVAR_ALLGATHERV_INTRA_ALGORITHM"] = "ring"
    path.write_text(json.dumps(told), encoding="utf-8")

    observed, doubt = read_observed(shelf(store.folder), RUN)

    assert "AFTER SEALING" in doubt
    gathers = [one.call for one in observed.timed if one.call.name == "allgatherv"]
    assert gathers
    assert {one.algorithm for one in gathers} == {"ring"}
    assert {one.call.forced for one in observed.timed if one.call.name == "allreduce"} == {""}
