# SPDX-License-Identifier: Apache-2.0
"""The command that runs what is advised; for a mapping that it cannot lay out, the launcher's."""

from isobath.prediction.advice import Choice


def command_of(choice: Choice, scale: int) -> str:
    """``isobath run`` with all that was chosen; it fills nodes with grid columns."""
    nodes = choice.grid.size // choice.per_node
    words = ["./isobath run", f"--plan {choice.plan}", f"--grid {choice.grid}", f"--scale {scale}"]
    if nodes > 1:
        words.append(f"--nodes {nodes}")
    words.append(f"--ranks-per-node {choice.per_node}")
    if choice.grid.cols > 1 and choice.exchange != "own":
        words.append(f"--exchange {choice.exchange}")
    return " ".join(words)


def mapping_words(choice: Choice) -> str:
    """What to do for grid rows on nodes; empty where ``isobath run`` lays ranks out as advised.

    Ranks are numbered along grid columns: that of row r and column c is r + rows * c. A node with
    whole grid rows gets as many ranks in turn as it has rows, again and again.
    """
    if choice.mapping == "columns" or not choice.is_mapped:
        return ""
    begins = (
        "isobath run fills nodes with grid columns and cannot lay grid rows on them: its command "
        "runs the other mapping. "
    )
    rows, left = divmod(choice.per_node, choice.grid.cols)
    if left or not rows:
        return begins + (
            f"Here a grid row has {choice.grid.cols} ranks and a node {choice.per_node}, so that "
            "the node of every rank has to be written down: start isobath-graph500 yourself, by "
            "srun --distribution=arbitrary with the node of rank 0, 1, 2 ... in SLURM_HOSTFILE, or "
            "by a rank file of mpirun (Open MPI)."
        )
    openmpi = ", mpirun --map-by node (Open MPI)" if rows == 1 else ""
    slurm = "cyclic" if rows == 1 else f"plane={rows}"
    return begins + (
        f"Start isobath-graph500 yourself, by a launcher that gives each node in turn "
        f"{'a rank' if rows == 1 else f'{rows} ranks'}: mpiexec -ppn {rows} (MPICH), "
        f"srun --distribution={slurm} (Slurm){openmpi}."
    )
