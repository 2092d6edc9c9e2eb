"""The normal distribution to 100 digits, and numbers that keep this precision in the trueskill package."""

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from functools import lru_cache, wraps
from statistics import NormalDist
from typing import Any, TypeVar

import trueskill

DIGITS = Context(prec=120, Emin=-(10**12), Emax=10**12)
PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"
    "328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196"
)
SERIES_BELOW = 12

ReturnT = TypeVar("ReturnT")


def exactly(function: Callable[..., ReturnT]) -> Callable[..., ReturnT]:
    @wraps(function)
    def inside(*arguments: Any) -> ReturnT:
        with localcontext(DIGITS):
            return function(*arguments)

    return inside


@exactly
def density(x: Decimal) -> Decimal:
    return (-(x * x) / 2).exp() / (2 * PI).sqrt()


@exactly
def above(x: Decimal) -> Decimal:
    """Return P(X > x): by a power series near 0, else by Laplace's continued fraction."""
    if x < 0:
        return 1 - above(-x)
    if x >= SERIES_BELOW:
        level = x
        for number in range(300, 0, -1):
            level = x + number / level
        return density(x) / level
    term, total, number = x, x, 0
    while abs(term) > Decimal(10) ** -115:
        number += 1
        term *= -x * x / (2 * number)
        total += term / (2 * number + 1)
    return Decimal(1) / 2 - total / (2 * PI).sqrt()


@exactly
def after_win(surprise: float) -> tuple[Decimal, Decimal]:
    x = Decimal(surprise)
    v = density(x) / above(-x)
    return v, v * (v + x)


@exactly
def after_draw(expected: float, margin: float) -> tuple[Decimal, Decimal]:
    low, high = Decimal(abs(expected)) - Decimal(margin), Decimal(abs(expected)) + Decimal(margin)
    inside = above(low) - above(high)
    v = (density(low) - density(high)) / inside
    return (v if expected < 0 else -v), v * v - (low * density(low) - high * density(high)) / inside


class Exact:
    """A number of 120 digits that can be combined with floats."""

    def __init__(self, value: Decimal) -> None:
        self.value = value

    def __float__(self) -> float:
        return float(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __hash__(self) -> int:
        return hash(self.value)


def _decimal(number: Any) -> Decimal:
    return number.value if isinstance(number, Exact) else Decimal(number)


def _give_operators() -> None:
    for name in ("add", "sub", "mul", "truediv", "pow"):
        for prefix in ("", "r"):
            operator = getattr(Decimal, f"__{prefix}{name}__")
            setattr(Exact, f"__{prefix}{name}__", _exact(operator))
    for name in ("neg", "abs"):
        setattr(Exact, f"__{name}__", _exact(getattr(Decimal, f"__{name}__")))
    for name in ("lt", "le", "gt", "ge", "eq"):
        compared = getattr(Decimal, f"__{name}__")
        setattr(Exact, f"__{name}__", lambda one, other, compared=compared: compared(one.value, _decimal(other)))


def _exact(operator: Callable[..., Decimal]) -> Callable[..., Exact]:
    calculated = exactly(operator)
    return lambda *numbers: Exact(calculated(*map(_decimal, numbers)))


_give_operators()


def exact_package(draw_probability: float, **settings: float) -> Any:
    backend = (lambda x: Exact(above(-_decimal(x))), lambda x: Exact(density(_decimal(x))), quantile)
    return trueskill.TrueSkill(draw_probability=draw_probability, backend=backend, **settings)


@lru_cache
@exactly
def quantile(probability: float) -> float:
    x = Decimal(NormalDist().inv_cdf(probability))
    for _ in range(6):
        x += (above(x) - (1 - Decimal(probability))) / density(x)
    return float(x)
