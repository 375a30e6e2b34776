# SPDX-License-Identifier: Apache-2.0
"""Formulas: what is read, what is refused in one sentence, and what they are worth."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isobath.errors import UsageError
from isobath.models.formula import almost_symbols, read_formula
from isobath.models.grammar import formula_tree

COLUMNS = {"p": np.array([2.0, 4.0, 8.0]), "m": np.array([1.0, 10.0, 100.0])}
P, M = COLUMNS["p"], COLUMNS["m"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("log2(p)*(alpha + beta*m)", np.log2(P) * (2 + 3 * M)),
        ("alpha + beta*m/p**2", 2 + 3 * M / P**2),
        ("alpha*ceil(log2(p+1)) + beta", 2 * np.ceil(np.log2(P + 1)) + 3),
        ("alpha*max(p, m, 5) + beta*min(p, m)", 2 * np.maximum(np.maximum(P, M), 5)
         + 3 * np.minimum(P, M)),
        ("alpha*sqrt(m) - -beta*log(p)", 2 * np.sqrt(M) + 3 * np.log(P)),
        ("alpha*2**3**2 + 1.5e-1*beta", np.full(3, 2 * 512 + 0.45)),
        ("alpha*m**beta", 2 * M**3),
        ("-2**2*alpha + 8*alpha + beta", np.full(3, 11.0)),
        ("alpha - 1 - 1 + beta/2/3", np.full(3, 0.5)),
    ],
)  # fmt: skip
def test_a_formula_has_its_value(text: str, expected: np.ndarray) -> None:
    formula = read_formula(text, COLUMNS)

    values = formula.values(COLUMNS, {"alpha": 2.0, "beta": 3.0})

    assert values == pytest.approx(expected, rel=1e-12)


def test_names_are_told_apart() -> None:
    formula = read_formula("alpha + max(g, beta*m)*p + gamma*m**power", COLUMNS)

    assert formula.symbols == ("m", "p")
    assert formula.parameters == ("alpha", "beta", "g", "gamma", "power")
    assert formula.linear == ("alpha", "gamma")
    assert formula.curved == ("beta", "g", "power")


def test_a_parameter_that_is_spelt_almost_as_a_symbol_is_told() -> None:
    slips = read_formula("alpha + bytess*b_link + message*gap + node*g", ("p",))
    none = read_formula("alpha + beta*p + lat + b_nic + mem", ("p",))

    assert almost_symbols(slips) == {"bytess": "bytes", "message": "messages", "node": "nodes"}
    assert almost_symbols(none) == {}


def test_derivatives_are_those_of_differences() -> None:
    formula = read_formula("alpha*max(p, beta*m)*sqrt(m) + m**gamma/p", COLUMNS)
    at = {"alpha": 1.3, "beta": 0.7, "gamma": 0.9}

    slopes = formula.slopes(COLUMNS, at, formula.parameters)

    for place, name in enumerate(formula.parameters):
        above, below = at | {name: at[name] + 1e-6}, at | {name: at[name] - 1e-6}
        change = (formula.values(COLUMNS, above) - formula.values(COLUMNS, below)) / 2e-6
        assert slopes[:, place] == pytest.approx(change, rel=1e-4)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the formula is empty"),
        ("__import__('os').system('x')", "cannot be read from character 1 on"),
        ("alpha.real*m", "cannot be read from character 6 on"),
        ("alpha*m; beta", "cannot be read from character 8 on (; beta)"),
        ("[alpha for x in m]", "cannot be read from character 1 on"),
        ("alpha*m\x1b[31m", "on (?[31m)"),
        ("2m*alpha", "cannot be read from character 1 on"),
        ("eval(alpha)", "calls eval, which is no function; there are log, log2"),
        ("alpha beta", "has beta at character 7, where an operator or the end is expected"),
        ("alpha + ", "where a number, a name or a parenthesis is expected"),
        ("(alpha", "where a closing parenthesis is expected"),
        ("alpha*m/0", "divides by zero at character 9"),
        ("alpha*m/(p - p)", "divides by zero"),
        ("alpha*0**-1", "divides by zero"),
        ("alpha*log(0)", "a division by zero, or log(0)"),
        ("alpha*sqrt(-1)", "root or logarithm of a negative number"),
        ("m + p", "has no parameter"),
        ("alpha - alpha + m", "has no parameter"),
        ("alpha + nodes*m", "names nodes, which the study does not have; it has p, m"),
        ("alpha*9**9**9", "is neither a name nor a number from -16 to 16"),
        ("alpha*((((9**16)**16)**16)**16)", "is too large a number"),
        ("alpha*1e999", "is too large"),
        ("alpha*m**p**2", "is neither a name nor a number"),
        ("(" * 60 + "alpha" + ")" * 60, "nested more than 40 deep"),
        ("-" * 60 + "alpha", "nested more than 40 deep"),
        ("alpha" + "+m" * 2000, "has 4005 characters"),
        ("a1+a2+a3+a4+a5+a6+a7+a8+a9", "has 9 parameters; 8 are the most"),
        ("min(alpha)", "min takes 2 arguments or more"),
        ("log(alpha, 2)", "log takes 1 argument"),
        ("log + alpha", "log is a function; write log(...)"),
    ],
)  # fmt: skip
def test_what_is_no_formula_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_formula(text, COLUMNS)

    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@settings(max_examples=300, deadline=None)
@given(st.text("pmab01.9+-*/()_,. logsqrtmincei\"'[]{}\n", max_size=40))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    try:
        tree = formula_tree(text)
    except UsageError:
        return
    assert {str(one) for one in tree.free_symbols} <= set(
        "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split()
    )


SUMS = st.recursive(
    st.one_of(st.sampled_from(["p", "m"]), st.floats(0.125, 9, width=16).map(lambda x: f"{x:.3f}")),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda one: f"sqrt(1 + ({one})**2)"),
        st.tuples(inner, inner).map(lambda t: f"max({t[0]}, {t[1]})"),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(SUMS)
def test_a_formula_means_what_python_means(text: str) -> None:
    """Only here, of texts that were made here, may Python say what they are worth."""
    known = {"sqrt": np.sqrt, "max": np.maximum, "p": 3.0, "m": 5.0}
    with np.errstate(all="ignore"):
        try:
            expected = float(eval(text, {"__builtins__": {}}, known))
        except ZeroDivisionError:
            expected = math.inf
    try:
        formula = read_formula(f"zero + {text}", {"p": P, "m": M})
    except UsageError:  # a division by zero, which Python may call infinite
        assert not math.isfinite(expected) or "/" in text
        return

    columns = {"p": np.array([3.0]), "m": np.array([5.0])}
    (value,) = formula.values(columns, {"zero": 0.0})

    if math.isfinite(expected) and abs(expected) > 1e-9:
        assert value == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_help_loads_neither_sympy_nor_scipy() -> None:
    source = Path(__file__).resolve().parents[3] / "src"
    code = (
        "import sys; from isobath.cli.main import main; main(['model', 'fit', '--help']);"
        "print([one for one in ('sympy', 'scipy.optimize') if one in sys.modules])"
    )

    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(source)},
    )  # fmt: skip

    assert said.stdout.endswith("[]\n")


def test_sympy_is_not_loaded_before_there_is_a_formula() -> None:
    source = Path(__file__).resolve().parents[3] / "src"
    code = (
        "import sys; import isobath.models.formula, isobath.models.time_formulas;"
        "print('sympy' in sys.modules)"
    )

    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(source)},
    )  # fmt: skip

    assert said.stdout == "False\n"
