"""A bot whose matches take their worker with them: what becomes of the match, of the bot, and of whom it met.

No bot is known that can do so.  So whoever plays a match of it is killed from outside, each time anew.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.chaos.disturbances import AGAIN_S
from tests.chaos.site import Site, end
from tests.flow.flow_kit import submit
from tests.kits.models import Bot, Entry, Match, MatchState, Session, Tournament, Version, col, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox.limits import Limits
from gangland_web.services import entries, results, tournaments

GAME = "gang-of-dice"
INNOCENT, CULPRIT = "innocent", "culprit"
BOT = b"""import time
from gangland import gang_of_dice

class Bot(gang_of_dice.Bot):
    def choose_dice(self, view):
        until = time.monotonic() + %g
        while time.monotonic() < until:
            pass
        return 1
"""
SOURCES = {INNOCENT: BOT % 0, CULPRIT: BOT % 0.05}  # the culprit thinks, so that no match ends before its kill
OPENING = (State.ANNOUNCED, State.OPEN)
PLAYING = (State.FROZEN, State.PLAYING)
UNSEEN = "let in unseen"  # the reason why a bot's upload trials are void
PATIENCE_S = 600.0  # prevents endless waits; nothing is measured by it


@dataclass(frozen=True)
class Ended:
    """The result; `attempts` is how often the match was begun, `held` the bots in quarantine at its end."""

    attempts: int
    reason: str
    shown: bool
    held: tuple[str, ...]
    lifted: bool
    retired: bool
    finished: bool

    @property
    def problems(self) -> list[str]:
        wanted = {
            f"void after {self.attempts} begun runs instead of 3": self.attempts == 3,
            f"its reason is {self.reason!r}": "begun 3 times without a result" in self.reason,
            "its page does not say why": self.shown,
            f"in quarantine are {self.held}": self.held == (CULPRIT, INNOCENT),
            "the innocent bot's quarantine was not lifted": self.lifted, "the culprit still plays": self.retired,
            "the tournament did not end": self.finished,
        }  # fmt: skip
        return [f"the match that kills its worker: {words}" for words, holds in wanted.items() if not holds]


def stage(site: Site) -> Ended:
    tournament, match = _one_match(site)
    _kill_whenever(site, lambda session: session.get_one(Match, match))
    void, held = _void(site, match)
    if void.state != MatchState.VOID.value:
        return Ended(void.attempt, f"none, it is {void.state}", False, held, False, False, False)
    reason = void.void_reason or ""
    shown = reason in site.up.get(f"/matches/{match}")
    _kill_whenever(site, lambda session: _solo(session, CULPRIT))
    finished = _wait(site, lambda session: session.get_one(Tournament, tournament).state == State.FINISHED.value)
    with site.database.read() as session:
        plays = {bot.name: bot.active_version_id is not None for bot in _bots(session)}
        lifted = plays[INNOCENT] and not _held(session)
    return Ended(void.attempt, reason, shown, held, lifted, not plays[CULPRIT], finished)


def _one_match(site: Site) -> tuple[int, int]:
    for name in (INNOCENT, CULPRIT):  # the innocent one's solo trial is played first, so that something else was played
        submit(site.up, name, GAME, name, SOURCES[name], trial=False)
    with site.database.write() as session:
        rules = tournaments.Rules(name="staged", game=GAME, seats=2, blocks=4, limits=Limits.plain(4), house_bots=False)
        tournament = tournaments.make_tournament(session, rules)
        for state in OPENING:
            tournaments.move_tournament(session, tournament, state)
        for bot in _bots(session):
            entries.enter_bot(session, tournament, bot)
        for state in PLAYING:
            tournaments.move_tournament(session, tournament, state)
        match = session.exec(select(Match).where(Match.tournament_id == tournament.id)).one()
        return tournament.id or 0, match.id or 0


def _bots(session: Session) -> list[Bot]:
    chosen = select(Bot).where(Bot.game == GAME, col(Bot.name).in_((INNOCENT, CULPRIT))).order_by(Bot.name)
    return list(session.exec(chosen).all())


def _solo(session: Session, name: str) -> Match | None:
    chosen = select(Match).join(Version, col(Version.id) == Match.trial_version_id)
    chosen = chosen.join(Bot, col(Bot.id) == Version.bot_id).where(Bot.name == name)
    trials = session.exec(chosen.order_by(col(Match.id).desc())).all()
    return next((match for match in trials if match.void_reason != UNSEEN), None)


def _kill_whenever(site: Site, find: Callable[[Session], Match | None]) -> None:
    killed: set[str] = set()
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with site.database.read() as session:
            match = find(session)
            job = None if match is None else results.job_of(session, match)
        if match is not None and match.state in ("void", "done"):
            return
        if job is not None and job.begun_at is not None and job.token is not None and job.token not in killed:
            killed.add(job.token)
            for pid in site.pids("worker"):
                end(pid)
        time.sleep(AGAIN_S / 10)


def _void(site: Site, match: int) -> tuple[Match, tuple[str, ...]]:
    with site.database.read() as session:
        return session.get_one(Match, match), _held(session)


def _held(session: Session) -> tuple[str, ...]:
    chosen = select(Bot.name).join(Version, col(Version.bot_id) == Bot.id)
    chosen = chosen.join(Entry, col(Entry.version_id) == Version.id).where(col(Entry.quarantined).is_(True))
    return tuple(sorted(set(session.exec(chosen).all())))


def _wait(site: Site, holds: Callable[[Session], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with site.database.read() as session:
            if holds(session):
                return True
        time.sleep(AGAIN_S)
    return False
