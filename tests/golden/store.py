"""The golden games as files: a replay a line, and beside it what a reviewer reads."""

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from tests.golden import cases, page, players, sights

from gangland import games, match
from gangland.replay import Replay, load
from gangland.story import tell

FOLDER = Path(__file__).parent
TRIES = 10_000  # the most seeds that are tried for one game
STORY_LINES = 30  # the most lines of a story that are shown


def replays_file(game: str) -> Path:
    return FOLDER / f"{game}.ndjson"


def summary_file(game: str) -> Path:
    return FOLDER / f"{game}.txt"


def seed_of(game: str, case: cases.Case, attempt: int) -> bytes:
    return sha256(f"{game}: {case.name}, attempt {attempt}".encode()).digest()


def played(game: str, case: cases.Case, seed: bytes) -> match.FinishedGame:
    return players.play_game(game, case.players, seed, case.options, case.fails)


def missing(game: str, case: cases.Case, replay: Replay) -> list[str]:
    """Return what the case should show and the replay does not."""
    seats = {seat for seat, _ in replay.faults}
    lacking = [f"a fault of seat {seat}" for seat in case.fails if seat not in seats]
    if lacking or not case.shows:
        return lacking
    observed = sights.Seen.of(replay)
    return [name for name in case.shows if not sights.SIGHTS[game][name](observed)]


def found(game: str, case: cases.Case) -> Replay:
    """Play the case with the first seed that shows what it should.  Raises LookupError: no seed does."""
    for attempt in range(TRIES):
        replay = played(game, case, seed_of(game, case, attempt)).replay
        if not missing(game, case, replay):
            return replay
    raise LookupError(f"{game}: no game of {TRIES} shows all of {case.name!r}: {case.shows} {case.fails}")


def summary(game: str, replays: list[Replay]) -> str:
    head = f"# {games.game_named(game).title}: {len(replays)} golden games, written by `python -m tests.golden`"
    entries = [
        "\n".join(_entry(number, case, replay))
        for number, (case, replay) in enumerate(zip(cases.CASES[game], replays, strict=True), 1)
    ]
    return "\n\n".join([head, *entries]) + "\n"


def _entry(number: int, case: cases.Case, replay: Replay) -> Iterator[str]:
    observed = sights.Seen.of(replay)
    kinds = Counter(event[0] for event in observed.events)
    yield f"## {number}. {case.name}"
    yield f"players   {', '.join(case.players)}"
    yield f"options   {_pairs(replay.options)}"
    yield f"faults    {', '.join(_fault(seat, decision) for seat, decision in replay.faults) or 'none'}"
    yield f"ended     {replay.reason} in round {replay.rounds} after {len(replay.decisions)} decisions"
    yield f"places    {' '.join(map(str, replay.places))}"
    yield f"events    {_pairs(dict(sorted(kinds.items())))}"
    yield f"digest    {replay.digest}"
    yield from _last_round(replay)


def _last_round(replay: Replay) -> Iterator[str]:
    *_, (number, lines) = [(number, list(lines)) for number, lines in groupby(tell(replay), lambda line: line.round)]
    yield f"round {number}:" if len(lines) <= STORY_LINES else f"round {number}, its end:"
    for line in lines[-STORY_LINES:]:
        yield f"  {line.text}"


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items()) or "none"


def _fault(seat: int, decision: int | None) -> str:
    return f"Seat {seat + 1} at {'the start' if decision is None else f'decision {decision}'}"


def stored(game: str) -> list[Replay]:
    return [load(line) for line in replays_file(game).read_text(encoding="utf-8").splitlines()]


def regenerated() -> dict[Path, str]:
    """Play all golden games again; return the text of every file, the docs page included."""
    texts = {}
    replays = {game: [found(game, case) for case in cases.CASES[game]] for game in games.GAME_NAMES}
    for game, played_anew in replays.items():
        texts[replays_file(game)] = "".join(f"{replay.to_json()}\n" for replay in played_anew)
        texts[summary_file(game)] = summary(game, played_anew)
    texts[page.PAGE] = page.rewritten(page.PAGE.read_text(encoding="utf-8"), replays[page.EXAMPLE_GAME])
    return texts
