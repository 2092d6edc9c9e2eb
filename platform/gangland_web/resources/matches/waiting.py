"""What a match waits for and which secret its dice hang on, in words for its page."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import DAY_S
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchState, Purpose
from gangland_web.models.tournaments import RATED_KINDS, Entry, Epoch
from gangland_web.resources.matches.queries import MatchPage
from gangland_web.resources.visibility import shown_secret
from gangland_web.services.ladder_queue import waiting_ids
from gangland_web.services.matches import is_public

_DOING = {MatchState.SCHEDULED.value: "waits to be played itself", MatchState.LEASED.value: "is still being played"}


COUNTED = 1_000
"""So many matches before one are counted: its page asks every two seconds, and a tournament may have 100,000."""


@dataclass(frozen=True, slots=True)
class Dice:
    """Which secret gives a match its dice; `day_at` is the beginning of a ladder's day, in Unix seconds."""

    commitment: str | None
    secret: str | None
    day_at: float | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """The match that another one's ratings wait for."""

    match_id: int
    doing: str


def dice_of(db: Session, page: MatchPage) -> Dice:
    """Return the secret's commitment, and the secret once it is public; trials and challenges publish none."""
    if page.match.epoch_id is not None:
        epoch = db.get_one(Epoch, page.match.epoch_id)
        secret = epoch.secret.hex() if epoch.revealed_at is not None else None
        return Dice(epoch.commitment, secret, epoch.day * DAY_S)
    if page.tournament.kind == "tournament":
        return Dice(page.tournament.commitment, shown_secret(page.tournament))
    return Dice(None, None)


def unrated_before(db: Session, page: MatchPage) -> Before | None:
    """Return the match that a played one's ratings wait for, None if they wait for none or there are none."""
    match, tournament = page.match, page.tournament
    if match.state != MatchState.DONE.value or tournament.kind not in RATED_KINDS:
        return None
    if match.rating_order is None or match.rating_order < tournament.cursor:
        return None
    chosen = select(Match.id, Match.state).where(Match.tournament_id == tournament.id)
    found = db.exec(chosen.where(Match.rating_order == tournament.cursor)).first()
    if found is None or found[0] == match.id:
        return None
    return Before(stored(found[0]), _DOING.get(found[1], "is finished and about to be rated"))


def why_not_played(db: Session, page: MatchPage) -> str:
    """Say what a scheduled match waits for; nothing if it is not scheduled."""
    if page.match.state != MatchState.SCHEDULED.value:
        return ""
    state = State(page.tournament.state)
    if state is State.PAUSED:
        return "the tournament is paused"
    if state is not State.PLAYING:
        return "the tournament has not begun to play"
    entries = [seat.seat.entry_id for seat in page.seats]
    held = select(Entry.id).where(col(Entry.id).in_(entries), col(Entry.quarantined).is_(True))
    shows_quarantine = page.match.purpose == Purpose.TOURNAMENT.value and is_public(page.tournament)
    if shows_quarantine and db.exec(held).first() is not None:
        return "a match of a bot in it could not be played, and that bot plays a trial alone first"
    kind = {"trial": "trial", "challenge": "challenge"}.get(page.match.purpose, "match")
    several = f"{kind}es" if kind == "match" else f"{kind}s"
    ahead = _ahead(db, page.match)
    if page.match.purpose == Purpose.LADDER.value:
        kind, several = "match of this ladder", "matches of this ladder"
    if ahead > COUNTED:
        return f"more than {COUNTED:,} {several} before it"
    return f"{ahead} {kind if ahead == 1 else several} before it" if ahead else ""


def _ahead(db: Session, match: Match) -> int:
    """Return how many matches of its kind are played before one that waits, COUNTED + 1 for any more than COUNTED.

    Ladders take turns with each other, so of a ladder's match it is those of the same ladder.
    """
    if match.purpose == Purpose.LADDER.value:
        ids = list(waiting_ids(db, match.tournament_id, COUNTED + 1))
        return ids.index(stored(match.id)) if match.id in ids else COUNTED + 1
    same = select(col(Match.id)).where(Match.state == MatchState.SCHEDULED.value, Match.purpose == match.purpose)
    some = same.where(col(Match.id) < stored(match.id)).limit(COUNTED + 1).subquery()
    return int(db.exec(select(func.count()).select_from(some)).one())
