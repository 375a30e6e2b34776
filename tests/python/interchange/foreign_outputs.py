# SPDX-License-Identifier: Apache-2.0
"""Outputs of other programs, made up: their form alone is theirs."""

import json
from typing import Any


def osu(seconds: float = 2e-6, *, validation: str = "Pass") -> str:
    """Three sizes of a collective with their validation, and a barrier."""
    rows = "\n".join(
        f"{size:<22}{1e6 * seconds * factor:>8.2f}{validation:>18}"
        for size, factor in ((4, 1.0), (8, 1.1), (1024, 3.0))
    )
    return f"""
some line of a job

# OSU MPI Allreduce Latency Test v7.5
# Datatype: MPI_INT.
# Size       Avg Latency(us)        Validation
{rows}

# OSU MPI Barrier Latency Test v7.5
# Avg Latency(us)
{1e6 * seconds:>17.2f}
"""


OSU_OTHERS = """
# OSU MPI-CUDA All-to-All Personalized Exchange Latency Test v7.5
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
1                      10.00              9.00             12.00         100
# OSU MPI Bandwidth Test v5.6.3
# Size      Bandwidth (MB/s)
1048576              2000.00
# OSU MPI Non-blocking Broadcast Latency Test v7.4
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait
# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
16                     30.00             14.00             16.00             12.50
"""

IMB = """
#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
#----------------------------------------------------------------
# Benchmarking PingPong
# #processes = 2
# ( 2 additional processes waiting in MPI_Barrier)
#----------------------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         0.50         0.00
            8         1000         0.60        13.33

# Benchmarking Allreduce
# #processes = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects
            0         1000         0.03         0.04         0.03         0.00
            8         1000         1.00         3.00         2.00         0.00
   1073741824      int-overflow.; The production rank*size caused int overflow
         1024         1000         4.00         6.00         5.00         1.00

# Benchmarking Barrier
# #processes = 4
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         0.90         1.10         1.00
"""


def graph500(
    teps: float = 2.5e7, *, kernel: str = "bfs  ", bang: str = "    !", validated: float = 0.01
) -> str:
    """As the reference prints it, version 3.0 with its mark and what it said while it ran."""
    return f"""graph_generation:               0.5 s
Running BFS 0
TEPS for BFS 0 is 2.1e+07
SCALE:                          6
edgefactor:                     16
NBFS:                           2
graph_generation:               0.5
num_mpi_processes:              2
construction_time:              0.25
{kernel}min_time:                  0.001
min_nedge:                      1000
{kernel}harmonic_mean_TEPS: {bang}  {teps:g}
{kernel}harmonic_stddev_TEPS:      1e+05
{kernel}min_validate:              {validated:g}
"""


def riken(teps: float = 3e9) -> str:
    """As RIKEN's search prints it: no kernel in the names, and one time more."""
    return f"""============= Result ==============
SCALE:                          20
edgefactor:                     16
alpha:                          8.000000
NBFS:                           16
graph_generation:               1.5
num_mpi_processes:              4
construction_time:              3.5
redistribution_time:            0.5
min_time:                       0.01
harmonic_mean_TEPS:             {teps:g}
min_validate:                   0.7
"""


def case(name: str, values: dict[str, list[Any]], **more: Any) -> dict[str, Any]:
    told = {
        "name": name, "display_name": name, "system": "centre", "partition": "cpu",
        "environ": "gnu", "num_tasks": 8, "result": "pass", "fail_phase": None,
        "perfvalues": {f"centre:cpu:{key}": value for key, value in values.items()},
    }  # fmt: skip
    return told | more


def reframe(*cases: dict[str, Any]) -> str:
    """A report of version 4."""
    session = {"data_version": "4.2", "version": "4.8.0", "hostname": "login1"}
    runs = [{"num_cases": len(cases), "run_index": 0, "testcases": list(cases)}]
    return json.dumps({"session_info": session, "runs": runs, "restored_cases": []})


REFRAME_OF_BEFORE = json.dumps(
    {
        "session_info": {"data_version": "3.0", "version": "3.9.0"},
        "runs": [
            {
                "testcases": [
                    {
                        "name": "Stream", "environment": "gnu", "system": "centre:cpu",
                        "result": "success",
                        "perfvars": [
                            {"name": "triad", "value": 12.5, "unit": "GB/s", "reference": 12,
                             "thres_lower": -0.1, "thres_upper": None}
                        ],
                    }
                ]
            }
        ],
    }
)  # fmt: skip
