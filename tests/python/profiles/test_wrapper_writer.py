# SPDX-License-Identifier: Apache-2.0
"""The generator of the profiler's wrappers: it reads prototypes, and refuses what does not fit."""

import sys
from pathlib import Path

import pytest

from write_profiler_wrappers import (
    TableError,
    prototypes,
    read_table,
    unknown_calls,
    wrapper,
    written,
)

ROOT = Path(__file__).resolve().parents[3]

TABLE = """
[[family]]
shape = "bcast"
calls = ["Bcast"]
arguments = "buffer count datatype root comm"
forms = "collective"

[[family]]
shape = "wait"
after = true
calls = ["Wait"]
arguments = "request status"

[not_profiled]
calls = ["Comm_*"]
"""
HEADER = """
int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                 MPI_Comm comm) __attribute__((pointer_with_type_tag(MPI,1,3)));
int PMPI_Wait(MPI_Request *, MPI_Status *);
int PMPI_Comm_size(MPI_Comm comm, int *size);
int PMPI_New_call(int how);
"""


def test_prototypes_are_read_with_and_without_names() -> None:
    found = prototypes(HEADER)

    assert [one.name for one in found["Bcast_c"]] == ["buffer", "count", "datatype", "root", "comm"]
    assert [one.declared for one in found["Wait"]] == [
        "MPI_Request * argument_0",
        "MPI_Status * argument_1",
    ]


def test_a_large_count_call_is_counted_under_the_name_of_its_base() -> None:
    listing, source = written(read_table(TABLE), prototypes(HEADER))

    assert listing.splitlines()[1:] == ["ISOBATH_CALL(bcast)", "ISOBATH_CALL(wait)"]
    assert "int MPI_Bcast_c(void *buffer, MPI_Count count" in source
    assert "MPI_Comm_size" not in source


def test_a_status_that_is_ignored_is_replaced() -> None:
    table, declared = read_table(TABLE), prototypes(HEADER)
    call = table.find("Wait")
    assert call is not None

    assert "next(argument_0, call.status(argument_1))" in wrapper(call, declared["Wait"])


def test_another_number_of_arguments_is_refused() -> None:
    declared = prototypes(HEADER.replace("int root, MPI_Comm comm);", "MPI_Comm comm);"))

    with pytest.raises(TableError, match="MPI_Bcast has 4 arguments"):
        written(read_table(TABLE), declared)


def test_a_call_that_is_listed_twice_is_refused() -> None:
    with pytest.raises(TableError, match="lists Wait twice"):
        read_table(TABLE.replace('["Bcast"]', '["Wait"]'))


def test_a_call_that_the_table_does_not_know_is_named() -> None:
    assert unknown_calls(read_table(TABLE), prototypes(HEADER)) == ["New_call"]


def test_the_real_table_knows_every_call_of_the_standard_header() -> None:
    header = next((ROOT / ".venv/include").glob("mpi_abi.h"), None)
    if header is None:
        header = Path(sys.executable).parents[1] / "include" / "mpi_abi.h"
    text = (ROOT / "engine/profiler/calls.toml").read_text(encoding="utf-8")

    declared = prototypes(header.read_text(encoding="utf-8"))

    assert len(declared) > 500
    assert unknown_calls(read_table(text), declared) == []


ASKING = """
[[family]]
shape = "test"
after = true
calls = ["Test"]
arguments = "request flag status"

[[family]]
shape = "waitsome"
after = true
calls = ["Waitsome", "Testsome"]
arguments = "count requests outcount indices statuses"

[[family]]
shape = "timed"
calls = ["Request_get_status*"]
"""


def test_calls_that_only_ask_say_whether_they_found_something() -> None:
    """Else a rank that polls would look as if it made progress."""
    header = """
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int PMPI_Testsome(int n, MPI_Request r[], int *found, int indices[], MPI_Status s[]);
int PMPI_Waitsome(int n, MPI_Request r[], int *found, int indices[], MPI_Status s[]);
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);
"""
    declared = prototypes(header)
    table = read_table(ASKING)

    def ended(name: str) -> str:
        call = table.find(name)
        assert call is not None
        (line,) = [one for one in wrapper(call, declared[name]).splitlines() if "call.end(" in one]
        return line.strip()

    assert ended("Test") == "call.end(result, result == MPI_SUCCESS && *flag != 0);"
    assert ended("Testsome") == "call.end(result, result == MPI_SUCCESS && *found > 0);"
    assert ended("Request_get_status") == "call.end(result, false);"
    assert ended("Waitsome").startswith("call.end(next(")
