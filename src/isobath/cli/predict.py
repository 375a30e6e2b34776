# SPDX-License-Identifier: Apache-2.0
"""isobath predict: the time of a search that was not run."""

from pathlib import Path
from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.answer_options import AsJson, Format, Output, view_option
from isobath.cli.compared_output import Answer, check_wanted, put_answer
from isobath.cli.store_options import Store
from isobath.errors import ExitCode
from isobath.plan.search_plans import PLANS, SWITCHES
from isobath.study.home import shelf

VIEWS = {
    "summary": "",
    "all": "",
    "budget": "budget",
    "bottlenecks": "bottlenecks",
    "levels": "levels",
    "what-if": "what-if",
    "basis": "basis",
    "method": "method",
}

Run = Annotated[
    str,
    typer.Argument(metavar="RUN",
                   help="The run that the prediction starts from: an id, a tag, a path, last.",
                   autocompletion=completion.studies),
]  # fmt: skip
Ranks = Annotated[int | None, typer.Option(metavar="N", help="Number of MPI ranks to predict for.")]
GridShape = Annotated[
    str | None, typer.Option(metavar="RxC", help="Grid of ranks to predict for: rows x columns.")
]
Scale = Annotated[int | None, typer.Option(metavar="N", help="Scale of the graph to predict for.")]
Plan = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.one_of(PLANS),
        help="Search plan to predict; only that of RUN can be.",
    ),
]
Exchange = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.one_of(SWITCHES["exchange"].values),
        help="Exchange of fold messages to predict: eager, alltoallv, sparse, own.",
    ),
]
RanksPerNode = Annotated[
    int | None,
    typer.Option("--ranks-per-node", metavar="N", min=1, help="Number of ranks on each node."),
]
Also = Annotated[
    list[str] | None,
    typer.Option(
        "--also",
        metavar="RUN",
        autocompletion=completion.studies_of("run"),
        help="Another run of the same plan, whose computation is looked at, too.",
    ),
]
Network = Annotated[
    list[str] | None,
    typer.Option(
        metavar="STUDY|FILE.toml|NAME",
        autocompletion=completion.studies,
        help="What says what MPI calls cost: studies, a file, or a platform of simulate.",
    ),
]
Instead = Annotated[
    list[str] | None,
    typer.Option(
        "--instead", metavar="FILE.toml", help="Predict for the network of this file, too."
    ),
]
Measured = Annotated[
    str | None,
    typer.Option(
        "--measured",
        metavar="RUN",
        autocompletion=completion.studies_of("run"),
        help="A run that measured what is predicted, to say how far off it is.",
    ),
]
Simulated = Annotated[
    str | None,
    typer.Option(
        "--simulated",
        metavar="SIMULATION",
        autocompletion=completion.studies_of("simulate"),
        help="A simulation of what is predicted, to stand beside it.",
    ),
]
Records = Annotated[
    Path | None,
    typer.Option(
        "--records",
        metavar="FILE.jsonl",
        help="Write the prediction as records, with origin predicted.",
    ),
]
View = Annotated[str | None, view_option(VIEWS)]


def predict(
    run: Run,
    *,
    ranks: Ranks = None,
    grid: GridShape = None,
    scale: Scale = None,
    plan: Plan = None,
    exchange: Exchange = None,
    ranks_per_node: RanksPerNode = None,
    also: Also = None,
    network: Network = None,
    instead: Instead = None,
    measured: Measured = None,
    simulated: Simulated = None,
    records: Records = None,
    view: View = None,
    json_output: AsJson = False,
    form: Format = None,
    output: Output = None,
    store: Store = None,
) -> int:
    """Predict the time of a search on other ranks, grids, scales and networks, with intervals.

    Beside what was measured, where it was: the error in three parts. Nothing is run.
    """
    check_wanted(VIEWS, view=view, form=form, as_json=json_output, output=output)
    from isobath.predicted.facts import TABLES, data_of, facts_of
    from isobath.predicted.reading import Asked, answer
    from isobath.predicted.sections import notices_of, page_of, sections_of

    asked = Asked(
        run, ranks, grid, scale, plan, exchange, ranks_per_node, tuple(network or ()),
        tuple(instead or ()), measured, tuple(also or ()), simulated,
    )  # fmt: skip
    answered = answer(shelf(store), asked)
    if records is not None:
        from isobath.predicted.as_records import write_records

        write_records(answered, records)
    put_answer(
        Answer(
            lambda: facts_of(answered),
            {name: (lambda name=name: data_of(answered, name)) for name in TABLES},  # type: ignore[misc]
            lambda: sections_of(answered),
            lambda: page_of(answered),
            notices_of(answered),
            VIEWS,
        ),
        view=view,
        form=form,
        as_json=json_output,
        output=output,
    )
    return int(ExitCode.ENVIRONMENT if answered.is_altered else ExitCode.DONE)
