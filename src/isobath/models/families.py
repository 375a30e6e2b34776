# SPDX-License-Identifier: Apache-2.0
"""The formulas that are tried: those of the literature by what they are of, and a rival that knows
no algorithm. Sizes as in docs/explanation/collectives.md: m per pair, per rank, or of the vector.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from isobath.errors import UsageError
from isobath.models.formula import read_formula
from isobath.models.piecewise import LEAST_SIZES, Piecewise
from isobath.models.pmnf import Pmnf
from isobath.models.points import Points
from isobath.models.time_formulas import Constant, TimeFormula, WrittenFormula

EXCHANGES = ("alltoall", "alltoallv", "alltoallw")
GATHERED = ("allgather", "allgatherv")
ROOTED = ("gather", "gatherv", "scatter", "scatterv")

THAKUR = "Thakur, Rabenseifner, Gropp 2005"
HOCKNEY, MESH = "hockney", "stampede2"


@dataclass(frozen=True)
class Family:
    """A formula, what it is of, where it comes from and where it fails."""

    name: str
    formula: str
    of: tuple[str, ...]
    """collectives; empty: of anything"""
    source: str
    fails: str
    """where it is known to, in a clause"""
    between_nodes: bool = False
    """says something only where ranks are on several nodes"""


FAMILIES = (
    Family(HOCKNEY, "alpha + beta*m", (), "Hockney 1994", "where ranks are varied"),
    Family("loggp", "lat + (p - 2)*max(g, m*G) + max(m - 1, 0)*G", (*ROOTED, *EXCHANGES),
           "Alexandrov et al. 1995; lat is L + 2o, which times alone do not part",
           "where messages wait for each other on a link"),
    Family("max-rate", "alpha + m*max(ppn*b_nic, b_rank)", (), "Gropp, Olson, Samfass 2016",
           "within a node", between_nodes=True),
    Family("max-rate all-to-all", "(p - 1)*alpha + (p - ppn)*m*max(ppn*b_nic, b_rank)", EXCHANGES,
           "the same, with what an all-to-all sends to other nodes", "within a node",
           between_nodes=True),
    Family("nic load", "alpha + off*b_nic + inside*b_mem", (), "load of the busiest node",
           "where links inside the network are the limit", between_nodes=True),
    Family("nic load by messages", "(p - 1)*alpha + off*b_nic + inside*b_mem", EXCHANGES,
           "the same, with a message to each other rank", "as nic load", between_nodes=True),
    Family("link load", "alpha + link*b_link", EXCHANGES,
           "load of the busiest link, every pair routed",
           "where adapters or software are the limit", between_nodes=True),
    Family("link load by messages", "(p - 1)*alpha + max(off*b_nic, link*b_link) + inside*b_mem",
           EXCHANGES, "the same, with a message to each other rank; adapters where they are slower",
           "where static routes are others", between_nodes=True),
    Family("recursive doubling", "ceil(log2(p))*(alpha + m*beta)",
           ("allreduce", "bcast", "reduce", "scan", "exscan"),
           f"{THAKUR}; beta holds gamma, which times alone do not part", "for long vectors"),
    Family("rabenseifner", "2*log2(p)*alpha + 2*(p - 1)/p*m*beta", ("allreduce", "reduce"), THAKUR,
           "for short vectors"),
    Family("ring allreduce", "2*(p - 1)*alpha + 2*(p - 1)/p*m*beta", ("allreduce",), THAKUR,
           "for short vectors on many ranks"),
    Family("offload", "host + 2*ceil(log2(p))*hop + ceil(m/256)*g", ("allreduce", "bcast"),
           "SHARP-like: pieces of 256 B through a tree, pipelined", "where nothing is offloaded"),
    Family("scatter and allgather", "(ceil(log2(p)) + p - 1)*alpha + 2*(p - 1)/p*m*beta",
           ("bcast",), THAKUR, "for short messages"),
    Family("ring", "(p - 1)*alpha + (p - 1)*m*beta", GATHERED, THAKUR, "for short messages"),
    Family("bruck allgather", "ceil(log2(p))*alpha + (p - 1)*m*beta",
           (*GATHERED, "reduce_scatter", "reduce_scatter_block"),
           f"{THAKUR}; recursive doubling or halving costs the same", "where copies count"),
    Family("neighbor exchange", "p/2*alpha + (p - 1)*m*beta", GATHERED, "Chen et al. 2005",
           "for odd numbers of ranks"),
    Family("linear", "alpha + (p - 1)*g + (p - 1)*m*beta", (*EXCHANGES, *ROOTED),
           "all messages at once: a gap each, bytes of one rank after the other",
           "where links inside the network are the limit"),
    Family("pairwise", "(p - 1)*(alpha + m*beta)", EXCHANGES, THAKUR, "for short messages"),
    Family("pairwise, two networks",
           "(ppn - 1)*(alpha_s + beta_s*m) + (p - ppn)*(alpha_n + beta_n*m)", EXCHANGES,
           "pairwise, with parameters of a node and of the network",
           "where ranks of a node share its network", between_nodes=True),
    Family("bruck", "ceil(log2(p))*(alpha + p/2*m*beta) + p*m*log2(p)*copy", EXCHANGES, THAKUR,
           "for long messages"),
    Family("pairwise, recorded counts", "(p - 1)*alpha + steps*beta", ("alltoallv", "alltoallw"),
           "a step lasts as long as its longest message: the sum of maxima",
           "where ranks run ahead into the next step"),
    Family("linear, recorded counts", "alpha + peers*g + busiest*beta", ("alltoallv", "alltoallw"),
           "the busiest rank decides", "where links inside the network are the limit"),
    Family("binomial", "ceil(log2(p))*alpha + (p - 1)*m*beta", ROOTED, THAKUR,
           "for long messages on few ranks"),
    Family("dissemination", "ceil(log2(p))*alpha", ("barrier",), "Hensgen, Finkel, Manber 1988",
           "where ranks of a node meet in memory"),
    Family("volume", "calls*alpha + messages*g + bytes*beta", (),
           "LogGP over all calls of a level and phase", "where ranks wait for each other"),
    Family("volume, two networks", "calls*alpha + messages*g + inside*beta_s + off*beta_n", (),
           "the same, bytes within and between nodes apart", "where ranks wait for each other",
           between_nodes=True),
    Family(MESH, "2*(sqrt(p) - 1)*alpha + p*(sqrt(p) - 1)*beta*m", EXCHANGES,
           "Stampede2 report; its 8*2*m/p**2 is the bytes of a pair, here m",
           "on anything but a square mesh"),
    Family("stampede2, edges", "2*(sqrt(p) - 1)*alpha + p*(sqrt(p) - 1)*beta*(8*2*edges/p**2)", (),
           "Stampede2 report, letter for letter: m are the edges of the graph",
           "on anything but a square mesh"),
)  # fmt: skip

NULLS = (HOCKNEY, MESH, "stampede2, edges", "pmnf", "constant")
"""Models that know nothing of the algorithm: one that does not beat them has no skill."""


def formulas_for(points: Points, of: str, *, between_nodes: bool) -> tuple[TimeFormula, ...]:
    """All that apply: the study has their symbols, and they are of this collective or call.

    Args: of is its name; between_nodes says that ranks are on several nodes.
    """
    formulas: list[TimeFormula] = [Constant()]
    for family in FAMILIES:
        if (family.of and of not in family.of) or (family.between_nodes and not between_nodes):
            continue
        formula = _formula_of(family, points)
        if formula is not None:
            formulas += [formula, *_in_pieces(formula, points)]
    varied = _agnostic(points)
    return (*formulas, *((Pmnf(varied),) if varied else ()))


def known_family(name: str) -> Family | None:
    """By its name."""
    return next((family for family in FAMILIES if family.name == name), None)


def _formula_of(family: Family, points: Points) -> WrittenFormula | None:
    try:
        expression = read_formula(family.formula, points.columns)
    except UsageError:
        return None
    if not set(expression.symbols) & set(points.varied):
        return None  # a constant in the clothes of a formula
    values = expression.values(points.columns, dict.fromkeys(expression.parameters, 1.0))
    is_number = bool(np.all(np.isfinite(values)) and np.all(values > 0))
    return (
        WrittenFormula(family.name, expression)
        if is_number and len(points) > len(expression.parameters)
        else None
    )


def _in_pieces(formula: WrittenFormula, points: Points) -> Iterator[TimeFormula]:
    expression = formula.expression
    sizes = np.unique(points.columns.get("m", np.zeros(1)))
    is_linear = len(expression.linear) == len(expression.parameters)
    if "m" in expression.symbols and is_linear and len(sizes) >= 2 * LEAST_SIZES + 1:
        yield Piecewise(f"{formula.name}, in pieces", expression)


def _agnostic(points: Points) -> tuple[str, ...]:
    """Symbols that the rival looks at: those that were varied, none of them by another."""
    wanted = ("p", "m", "bytes", "scale", "elements")
    varied = [symbol for symbol in wanted if symbol in points.varied]
    return tuple(_without(varied, "bytes", "m"))


def _without(names: Collection[str], which: str, beside: str) -> Iterator[str]:
    yield from (name for name in names if not (name == which and beside in names))
