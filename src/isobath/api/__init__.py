# SPDX-License-Identifier: Apache-2.0
"""What the commands do, as functions that return objects: for notebooks and scripts.

Nothing here prints, ends the process, changes the working directory or sets signal handlers.
"""

from isobath.api.asking import query
from isobath.api.comparing import Comparison, compare
from isobath.api.exporting import export_edges, search_keys
from isobath.api.guarding import (
    Baseline,
    baseline,
    baselines,
    import_baseline,
    import_results,
    set_baseline,
)
from isobath.api.measure import bench, profile, profile_overhead, race, run, search
from isobath.api.modelling import fit
from isobath.api.planning import needs
from isobath.api.predicting import Advice, Prediction, advise, predict
from isobath.api.stored import Study, studies, study
from isobath.api.tables import Table
from isobath.graphs.graph import Graph, load

__all__ = [
    "Advice",
    "Baseline",
    "Comparison",
    "Graph",
    "Prediction",
    "Study",
    "Table",
    "advise",
    "baseline",
    "baselines",
    "bench",
    "compare",
    "export_edges",
    "fit",
    "import_baseline",
    "import_results",
    "load",
    "needs",
    "predict",
    "profile",
    "profile_overhead",
    "query",
    "race",
    "run",
    "search",
    "search_keys",
    "set_baseline",
    "studies",
    "study",
]
