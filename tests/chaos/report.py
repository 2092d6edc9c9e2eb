"""The report of a chaos run: as text, as JSON."""

from collections.abc import Sequence

from tests.chaos.runs import Run, problems

SHOWN_DIGITS = 12
COUNTS = ("scheduled", "played", "committed", "voided", "lost", "doubled")
DIGESTS = ("results", "ratings", "standings")


def lines(calm: Run, runs: Sequence[Run]) -> list[str]:
    every = [calm, *runs]
    heads = ["undisturbed", *(f"seed {run.seed}" for run in runs)]
    rows = [["", *heads], ["---"] * (len(every) + 1)]
    rows.append(["database", *(run.database for run in every)])
    rows.append(["match workers", *(str(run.workers) for run in every)])
    rows += [[name, *(str(getattr(run.told, name)) for run in every)] for name in COUNTS]
    done = sorted({name for run in runs for name in run.done})
    rows += [[name, *(str(run.done.get(name, 0)) for run in every)] for name in done]
    verdicts = sorted({name for run in runs for name in run.turned_away})
    rows += [
        [f"results turned away: {name}", *(str(run.turned_away.get(name, 0)) for run in every)] for name in verdicts
    ]
    rows.append(["kill of a worker to its match leased again, at most, s", *(_s(run.again_alone_s) for run in every)])
    rows.append(["the same with more going wrong meanwhile, s", *(_s(run.again_s) for run in every)])
    rows += [[f"digest of {name}", *(getattr(run.told, name)[:SHOWN_DIGITS] for run in every)] for name in DIGESTS]
    rows.append(["seconds", *(f"{run.seconds:.0f}" for run in every)])
    rows.append(["begun runs of the match that kills its worker", *(_attempts(run) for run in every)])
    found = [f"{run.database}, seed {run.seed}: {problem}" for run in runs for problem in problems(run, calm.told)]
    return [*(f"| {' | '.join(row)} |" for row in rows), "", *(found or ["Everything counts once and as undisturbed."])]


def _attempts(run: Run) -> str:
    return "" if run.staged is None else str(run.staged.attempts)


def _s(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f}"
