# SPDX-License-Identifier: Apache-2.0
"""isobath advise: which plan, grid, ranks per node, mapping, exchange and algorithms to take."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.answer_options import AsJson, Format, Output, view_option
from isobath.cli.compared_output import Answer, check_wanted, put_answer
from isobath.cli.store_options import Store
from isobath.errors import ExitCode, UsageError
from isobath.plan.search_plans import PLANS
from isobath.study.home import shelf

VIEWS = {
    "summary": "",
    "all": "",
    "choices": "choices",
    "algorithms": "algorithms",
    "basis": "basis",
}

Nodes = Annotated[int, typer.Option(metavar="N", help="Number of machines to advise for.")]
Scale = Annotated[int, typer.Option(metavar="N", help="Scale of the graph to advise for.")]
Network = Annotated[
    list[str] | None,
    typer.Option(
        "--network",
        metavar="STUDY|FILE.toml|NAME",
        autocompletion=completion.studies,
        help="What says what MPI calls cost: studies, a file, or a platform of simulate.",
    ),
]
Platform = Annotated[
    list[str] | None,
    typer.Option(
        "--platform",
        metavar="NAME|FILE.toml|STUDY",
        autocompletion=completion.studies,
        help="The same as --network.",
    ),
]
Runs = Annotated[
    list[str] | None,
    typer.Option(
        "--run",
        metavar="RUN",
        autocompletion=completion.studies_of("run"),
        help="A run whose plan is considered, and which says what it computes.",
    ),
]
PerNode = Annotated[
    str,
    typer.Option(
        "--ranks-per-node", metavar="N,..", help="Numbers of ranks on a node to consider."
    ),
]
Plans = Annotated[
    list[str] | None,
    typer.Option(
        "--plan",
        metavar="NAME",
        autocompletion=completion.one_of(PLANS),
        help="Consider this plan alone; not together with --run.",
    ),
]
View = Annotated[str | None, view_option(VIEWS)]


def advise(
    *,
    nodes: Nodes,
    scale: Scale,
    network: Network = None,
    platform: Platform = None,
    run: Runs = None,
    ranks_per_node: PerNode = "1,2,4",
    plan: Plans = None,
    view: View = None,
    json_output: AsJson = False,
    form: Format = None,
    output: Output = None,
    store: Store = None,
) -> int:
    """Advise plan, grid, ranks per node, mapping, exchange, algorithms, with the predicted gain.

    Every choice is predicted; what the advice rests on and what to measure to be surer is said.
    """
    check_wanted(VIEWS, view=view, form=form, as_json=json_output, output=output)
    from isobath.predicted import advising

    sought = advising.Sought(
        nodes, scale, tuple(network or ()), tuple(run or ()), _numbers(ranks_per_node),
        tuple(plan or ()), tuple(platform or ()),
    )  # fmt: skip
    advice = advising.find_advice(shelf(store), sought)
    put_answer(
        Answer(
            lambda: advising.advice_facts(advice),
            {"choices": lambda: advising.advice_data(advice, "choices")},
            lambda: advising.advice_sections(advice),
            lambda: advising.advice_page(advice),
            advising.advice_notices(advice),
            VIEWS,
        ),
        view=view,
        form=form,
        as_json=json_output,
        output=output,
    )
    return int(ExitCode.ENVIRONMENT if advice.problems else ExitCode.DONE)


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) for part in parts):
        raise UsageError(f"--ranks-per-node {text}: write numbers with commas, such as 1,2,16")
    return tuple(dict.fromkeys(int(part) for part in parts))
