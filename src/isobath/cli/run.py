# SPDX-License-Identifier: Apache-2.0
"""isobath run: the benchmark."""

from isobath.cli.beside_settings import AsJson, DryRun
from isobath.cli.declared import Given, takes_settings
from isobath.cli.terminal import say
from isobath.kinds.run.settings import RUN, RunSettings


@takes_settings(RUN)
def run(*, given: Given, dry_run: DryRun = False, json_output: AsJson = False) -> int:
    """Run the Graph500 benchmark on this machine: generate, construct, search, validate.

    Without options the scale is the largest that ends in about a minute and fits the memory. The
    official block goes to standard output, everything else to standard error.
    """
    from isobath.cli.run_output import perform, show_plan
    from isobath.kinds.run.preparation import prepare_run
    from isobath.study.home import shelf

    merged = given.merged()
    settings = RunSettings(**merged.values)
    store = shelf(settings.store).folders[0]
    prepared = prepare_run(settings, dict(merged.origins), say, store=store, is_dry=dry_run)
    if dry_run:
        return show_plan(prepared, as_json=json_output)
    return perform(prepared, as_json=json_output)
