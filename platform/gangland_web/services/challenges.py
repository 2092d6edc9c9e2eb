"""Challenges: unrated matches of a user's bot against bots that the user chooses.

Only the owners of the bots at the table can see a challenge, because it is not a fair sample of a bot's play.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from gangland.games import game_named
from gangland_ladder.common.texts import counted
from gangland_web.base.formats import now_s, waiting_time
from gangland_web.base.text import name_key
from gangland_web.models.bots import Bot, party_of
from gangland_web.models.columns import row_id
from gangland_web.models.matches import PENDING, Match, Purpose
from gangland_web.models.tournaments import Tournament, lock_versions
from gangland_web.process import log_ids
from gangland_web.services.entries import enter
from gangland_web.services.matches import plan_tables, public_quarantine

log = logging.getLogger("gangland_web.challenges")

HOUR_S = 3600.0
MAX_OPPONENTS = 3  # maximum number of opponents, at the largest table


class ChallengeRefused(ValueError):
    """A challenge is not possible; the message explains why, for the user."""


class TooManyChallenges(ChallengeRefused):
    """A user has too many challenges; `wait_s` is None if the user must wait for one of them to finish."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of challenges that a user may start per hour, and the maximum number of unfinished ones."""

    hourly: int = 20
    at_once: int = 3

    @property
    def text(self) -> str:
        """The allowance as text."""
        return f"{self.hourly} matches an hour, with at most {self.at_once} unfinished"


def create_challenge(
    session: Session, challenger_id: int, bot_id: int, opponents: Sequence[str], allowance: Allowance
) -> int:
    """Create an unrated match of a user's bot against 1 to 3 bots, and return its id.

    Opponents are found by name, ignoring case.  Raises ChallengeRefused: the table is not possible, or
    (TooManyChallenges) the user has too many challenges.
    """
    lock_versions(session)  # no bot can leave now, and concurrent requests from one user are all counted
    own = session.get(Bot, bot_id)
    party = party_of(session, challenger_id)
    if own is None or not party.acts_for(own) or own.active_version_id is None:
        raise ChallengeRefused("Choose one of your own bots that is active on the ladders.")
    bots = [own, *(_opponent(session, own, name) for name in opponents)]
    _check_table(session, bots)
    _check_allowance(session, challenger_id, allowance)
    query = select(Tournament).where(Tournament.kind == "challenges", Tournament.game == own.game)
    tournament = session.exec(query.where(Tournament.seats == len(bots))).one()
    table = [row_id(enter(session, tournament, row_id(bot.active_version_id)).id) for bot in bots]
    numbers = plan_tables(session, tournament, [table], purpose=Purpose.CHALLENGE, challenger_id=challenger_id)
    match_query = select(Match.id).where(Match.tournament_id == tournament.id, Match.number == numbers.start)
    match_id = row_id(session.exec(match_query).one())
    with log_ids(match=match_id, bots=",".join(str(bot.id) for bot in bots)):
        log.debug("a challenge was requested")
    return match_id


def _opponent(session: Session, own: Bot, name: str) -> Bot:
    title = game_named(own.game).title
    bot = session.exec(select(Bot).where(Bot.game == own.game, Bot.name_key == name_key(name))).first()
    if bot is None:
        raise ChallengeRefused(f"There is no {title} bot named {name!r}.")
    if bot.active_version_id is None:
        raise ChallengeRefused(f"{bot.name} does not have an active version.")
    return bot


def _check_table(session: Session, bots: Sequence[Bot]) -> None:
    own = bots[0]
    sizes = game_named(own.game).table_sizes
    if len(bots) not in sizes:
        raise ChallengeRefused(f"Name {min(sizes) - 1} to {max(sizes) - 1} opponents, not {len(bots) - 1}.")
    if len({bot.id for bot in bots}) < len(bots):
        raise ChallengeRefused("Each bot can play only once at a table.")
    in_quarantine = public_quarantine(session)
    for bot in bots:
        if bot.active_version_id in in_quarantine:
            raise ChallengeRefused(
                f"{bot.name} is in quarantine: one of its matches could not be played, and it is waiting for a trial."
            )


def _check_allowance(session: Session, challenger_id: int, allowance: Allowance) -> None:
    is_own = col(Match.challenger_id) == challenger_id
    query = select(func.count()).select_from(Match).where(is_own, col(Match.state).in_(PENDING))
    waiting = session.exec(query).one()
    if waiting >= allowance.at_once:
        raise TooManyChallenges(f"You have {counted(waiting, 'unfinished match')}. Start another when one ends.")
    now = now_s()
    recent = select(Match.created_at).where(is_own, col(Match.created_at) > now - HOUR_S)
    # The challenge that uses the last place of this hour's allowance.
    oldest = session.exec(recent.order_by(col(Match.created_at).desc()).offset(allowance.hourly - 1).limit(1)).first()
    if oldest is not None:
        wait_s = max(1.0, oldest + HOUR_S - now)
        raise TooManyChallenges(
            f"You have started {allowance.hourly} matches this hour. You can start another in {waiting_time(wait_s)}.",
            wait_s,
        )
