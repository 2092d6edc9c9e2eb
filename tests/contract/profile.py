"""How much is tried: little in the whole suite, much with GANGLAND_HYPOTHESIS=long."""

import os

from hypothesis import Phase, settings

VARIABLE = "GANGLAND_HYPOTHESIS"
LONG = "long"
TIMES = 40  # a long run tries this many times the suite's examples

requested = os.environ.get(VARIABLE, "")
if requested not in ("", LONG):
    raise ValueError(f"{VARIABLE} is {LONG!r} or not set, not {requested!r}")
is_long = requested == LONG


def examples(count: int, steps: int = 50) -> settings:
    """Return settings for fixed examples, or in a long run for new ones each time."""
    times = TIMES if is_long else 1
    return settings(
        max_examples=count * times,
        stateful_step_count=steps,
        derandomize=not is_long,
        database=None,
        deadline=None,
        # A game's number means nothing, so there is nothing to explain in it.
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
