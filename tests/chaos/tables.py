"""Persons play at tables while worker, web, broker and record worker are killed, and what became of each game.

    python -m tests.chaos.tables [--seed N] [--kills N]

A scripted person answers.  Ends with 0 if all games are the same as without kills, decision by decision; with 1 if not.
"""

import argparse
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TypeVar
from urllib.error import HTTPError

from msgspec.json import encode
from tests.chaos.runs import filled_site
from tests.chaos.site import Site, end, slot_of
from tests.flow.flow_kit import Browser, submit
from tests.kits.models import OPEN_TABLES, Code, Database, PlayTable, TableState, migrate, row_id, select
from tests.kits.playing_kit import any_legal

from gangland.game import Decision
from gangland.games import GAME_NAMES, game_named
from gangland.replay import expand, load
from gangland.view import View
from gangland_ladder.matches.players import JailedPlayer, MatchPlayer
from gangland_ladder.playing.hosting import HostedTable
from gangland_ladder.playing.table_state import LiveTable, Row, Setup
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool
from gangland_web.models.matches import PlayedGame
from gangland_web.services import tournaments, uploads
from gangland_web.services.play import opponents_of, rows_of, setup_of

ReturnT = TypeVar("ReturnT")

KINDS = ("worker", "web", "broker", "records")
FEW = 12
LATEST_S = 0.3
GIVE_UP_S = 240.0
AGAIN_S = 0.2
LAST_ANSWER = 12  # kills are planned for the first answers of a game; every game has this many
BOTS = ("sensible_gang", "random_gang", "cautious_gang")
FICKLE = "fickle"
FICKLE_SOURCE = b'''"""Decides by the time at which its process began."""
import random
import time

from gangland import gang_of_dice

CHANCE = random.Random(time.time_ns())


class Fickle(gang_of_dice.Bot):
    def choose_dice(self, view):
        return CHANCE.randint(1, view.pool)

    def choose_reroll(self, view):
        return []
'''


@dataclass(frozen=True)
class Kill:
    """Kill this process at this answer or later, and this long after it is sent."""

    kind: str
    answer: int
    after_s: float


@dataclass(frozen=True)
class Plan:
    game: str
    bots: tuple[str, ...]
    kills: tuple[Kill, ...]


@dataclass
class Played:
    """A table and what was wrong with it; `left` are kills that came after the end of the game."""

    game: str
    seats: int
    answers: int
    kills: dict[str, int]
    left: tuple[Kill, ...]
    differing: int
    seconds: float
    problems: list[str] = field(default_factory=list)


def make_plans(seed: int, kills: int) -> list[Plan]:
    """Return plans for all games and sizes; in the last, a restarted bot decides differently each time."""
    rng = Random(seed)
    tables = [(game, seats) for game in sorted(GAME_NAMES, reverse=True) for seats in game_named(game).table_sizes]
    if kills < FEW:
        tables = [tables[0], tables[-1]]
    kinds = [KINDS[number % len(KINDS)] for number in range(kills - 1)]
    rng.shuffle(kinds)
    shares = [kinds[number :: len(tables)] for number in range(len(tables))]
    shares[-1] = ["worker", *shares[-1]]
    plans: list[Plan] = []
    for (game, seats), share in zip(tables, shares, strict=True):
        bots = [BOTS[number % len(BOTS)] for number in range(seats - 1)]
        first = 5 if len(plans) == len(tables) - 1 else 1
        answers = sorted(rng.sample(range(first, LAST_ANSWER), len(share)))
        made = [Kill(kind, at, rng.uniform(0, LATEST_S)) for kind, at in zip(share, answers, strict=True)]
        plans.append(Plan(game, tuple(bots), tuple(made)))
    plans[-1] = Plan(plans[-1].game, (*plans[-1].bots[:-1], FICKLE), plans[-1].kills)
    return plans


class ScriptedPerson:
    def __init__(self, site: Site, plan: Plan) -> None:
        self._site = site
        self._plan = plan
        self._browser = Browser(site.up.port)
        self._form = f"/{plan.game}"
        self._kills = list(plan.kills)
        self._killed = Counter[str]()
        self._decided: list[object] = []
        self._before: list[Row] = []
        self.problems: list[str] = []

    def play(self) -> Played:
        began = time.monotonic()
        token = self._open()
        while (table := self._waited(token)).state == TableState.PERSON:
            self._answer(table)
        if table.state != TableState.OVER:
            self.problems.append(f"the table ended: {table.ended_for}")
        else:
            self._compare(table)
            page = self._patiently(lambda: self._browser.get(f"/matches/{token}/games/0/0"))
            self.problems += [f"the page does not name {at}" for at in table.differing if at not in page]
        done = time.monotonic() - began
        seats = len(setup_of(table).seats)
        answers, left, differing = len(self._decided), tuple(self._kills), len(table.differing)
        return Played(self._plan.game, seats, answers, dict(self._killed), left, differing, done, self.problems)

    def _open(self) -> str:
        with self._site.database.read() as db:
            ids = {bot.name: row_id(bot.id) for bot, _ in opponents_of(db, self._plan.game)}
        fields: dict[str, object] = {"game": self._plan.game, "opponent": [str(ids[name]) for name in self._plan.bots]}
        path, _ = self._patiently(lambda: self._browser.post("/play", fields, form_at=self._form))
        return path.rpartition("/")[2]

    def _waited(self, token: str) -> PlayTable:
        deadline = time.monotonic() + GIVE_UP_S
        while time.monotonic() < deadline:
            with self._site.database.read() as db:
                table = db.exec(select(PlayTable).where(PlayTable.token == token)).one()
                rows = rows_of(db, table)
            if table.state in OPEN_TABLES and rows[: len(self._before)] != self._before:
                self.problems.append("a decision that was made is another now")
            self._before = rows
            if table.state == TableState.PERSON or table.state not in OPEN_TABLES:
                return table
            time.sleep(AGAIN_S / 10)
        raise TimeoutError(f"the bots of {token} are asked since {GIVE_UP_S:.0f} s\n{self._site.up.log[-5000:]}")

    def _answer(self, table: PlayTable) -> None:
        live_table = LiveTable(setup_of(table), self._before)
        (seat,) = live_table.setup.humans
        question = live_table.question(seat)
        if question is None or question.number != len(self._decided) + 1:
            self.problems.append(f"after {len(self._decided)} answers the question is {question and question.number}")
            raise AssertionError(self.problems[-1])
        decision = any_legal(live_table.view(seat), Random(question.number))
        self._decided.append(decision)
        fields = {"number": str(question.number), **_fields(live_table, seat, decision)}
        self._kill_meanwhile(question.number)
        self._patiently(
            lambda: (
                self._is_taken(table, question.number)
                or self._browser.post(f"/play/{table.token}", fields, form_at=self._form)
            )
        )

    def _is_taken(self, table: PlayTable, number: int) -> bool:
        with self._site.database.read() as db:
            state = db.exec(select(PlayTable.state).where(PlayTable.id == table.id)).one()
            kept = [row for row in rows_of(db, table) if row.seat in setup_of(table).humans]
        return state == TableState.OVER or len(kept) >= number

    def _kill_meanwhile(self, number: int) -> None:
        if self._kills and number >= self._kills[0].answer:
            kill = self._kills.pop(0)
            self._killed[kill.kind] += 1
            sys.stderr.write(f"{time.strftime('%H:%M:%S')} {self._plan.game}, answer {number}: {kill}\n")
            Timer(kill.after_s, _kill, (self._site, kill.kind)).start()

    def _patiently(self, act: Callable[[], ReturnT]) -> ReturnT:
        deadline = time.monotonic() + GIVE_UP_S
        while True:
            try:
                return act()
            except (OSError, HTTPException, AssertionError) as failure:
                if isinstance(failure, HTTPError) and failure.code not in (409, 429) and failure.code < 500:
                    raise
                if time.monotonic() > deadline:
                    raise
                time.sleep(AGAIN_S)

    def _compare(self, table: PlayTable) -> None:
        setup = setup_of(table)
        (seat,) = setup.humans
        with self._site.database.read() as db:
            codes = dict(db.exec(select(Code.sha256, Code.source)).all())
            replay = load(db.exec(select(PlayedGame.replay).where(PlayedGame.match_id == table.match_id)).one())
        answers = (answer for step in expand(replay) for answer in step.answers)
        rows = [Row(each.seat, each.decision) for each in answers if each.number is not None]
        if encode([row.decision for row in rows if row.seat == seat]) != encode(self._decided):
            self.problems.append("the person's decisions are not those that it made")
        calm = undisturbed(setup, Limits.from_dict(table.limits), codes, rows)
        if calm.played().replay.to_json() != replay.to_json():
            self.problems.append("the replay is not that of a table that nobody killed")


class _FromRows(MatchPlayer):
    """Takes decisions from rows; a bot that decides differently does so each time."""

    def __init__(self, rows: Iterator[Row]) -> None:
        super().__init__()
        self._rows = rows

    def decide(self, kind: str, view: View, number: int) -> object:
        return next(self._rows).decision


def undisturbed(setup: Setup, limits: Limits, codes: dict[str, bytes | None], rows: Sequence[Row]) -> LiveTable:
    """Play a table's game without interruption, with its bots and the person's answers from rows."""
    game = game_named(setup.game)
    with Pool(Mode.TRUSTED) as pool:
        bots: dict[int, MatchPlayer] = {}
        for seat, each in enumerate(setup.seats):
            if each.name == FICKLE:
                bots[seat] = _FromRows(iter([row for row in rows if row.seat == seat]))
            elif each.code is not None:
                bots[seat] = JailedPlayer("bot", codes[each.code] or b"", game, limits, pool, None)
        table = HostedTable(setup, bots)
        (seat,) = setup.humans
        answers = iter([row.decision for row in rows if row.seat == seat])
        table.advance()
        while question := table.live_table.find_question(seat):
            table.answer(seat, question.number, next(answers))
        return table.live_table


def _fields(live_table: LiveTable, seat: int, decision: Decision) -> dict[str, object]:
    question = live_table.question(seat)
    choices = [] if question is None else [choice.decision for choice in question.choices]
    if decision in choices:
        return {"choice": str(choices.index(decision))}
    parts = live_table.spelling(seat).part_ids(decision)
    return {"part": list(parts)} if parts else {"nothing": "1"}


def _kill(site: Site, kind: str) -> None:
    if kind == "tables":
        pids = [pid for pid in site.pids("worker") if slot_of(pid) == kind]
    else:
        pids = (site.playing() if kind == "worker" else []) or site.pids(kind)
    if pids:
        end(pids[0])


def fill(database: Database) -> None:
    migrate(database)
    with database.write() as session:
        tournaments.ensure_tournaments(session, ladder_blocks=1)
        uploads.seed_house_bots(session)


@contextmanager
def running_tables(folder: Path, seed: int) -> Iterator[Site]:
    with filled_site(folder / "data", fill, seed, workers=2) as site:
        submit(site.up, "ann", "gang-of-dice", FICKLE, FICKLE_SOURCE, trial=False)
        yield site


def run(folder: Path, seed: int, kills: int) -> list[Played]:
    """Play all tables; kills that were due after a game's end are made at the next one."""
    played: list[Played] = []
    with running_tables(folder, seed) as site:
        plans = deque(make_plans(seed, kills))
        left: tuple[Kill, ...] = ()
        while plans or left:
            plan = plans.popleft() if plans else Plan(GAME_NAMES[0], BOTS[:1], ())
            played.append(ScriptedPerson(site, replace(plan, kills=(*plan.kills, *left))).play())
            left = played[-1].left
    return played


def lines(played: Sequence[Played]) -> list[str]:
    found = [
        f"{each.game} at {each.seats}: {each.answers} answers in {each.seconds:.0f} s; killed: "
        f"{', '.join(f'{kind} {count}' for kind, count in each.kills.items()) or 'nothing'}; "
        f"{each.differing} decisions a bot would have made otherwise"
        for each in played
    ]
    wrong = [f"{each.game} at {each.seats}: {problem}" for each in played for problem in each.problems]
    return [*found, *(wrong or ["Each game is that of a table that nobody killed."])]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.tables", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="which plan of kills is carried out")
    parser.add_argument("--kills", type=int, default=20, help="how many processes are killed")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing of it is left behind
    with TemporaryDirectory(prefix="gangland-tables-") as name:
        played = run(Path(name), given.seed, given.kills)
    sys.stdout.write("\n".join(lines(played)) + "\n")
    return 1 if any(each.problems for each in played) else 0


if __name__ == "__main__":
    sys.exit(main())
