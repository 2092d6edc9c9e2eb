"""A day of a ladder as an archive: its secret, its matches, and the ratings that its entries began it with."""

from collections.abc import Iterator

from sqlmodel import Session, col, func, select

from gangland_ladder.proof.archives import archive
from gangland_ladder.rating.trueskill import MU, SIGMA
from gangland_web.base.clock import written_day
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.tournaments import Epoch, Tournament
from gangland_web.resources.visibility import NotVisible
from gangland_web.services.archives import archived_entries, archived_matches
from gangland_web.services.retention import lacks_replays


class DayNotProven(NotVisible):
    """There is no archive of the day, or not yet; the message says why."""


def day_content(session: Session, ladder: Tournament, day: int) -> archive.Content:
    """Return what goes into the archive of a ladder's day; its matches are read as they are taken.

    Args:
        day: counts days since 1970-01-01.

    Raises:
        DayNotProven: nothing was played on it, its secret is not revealed yet, or its matches are not rated yet or not
            kept any more.
    """
    chosen = select(Epoch).where(Epoch.tournament_id == ladder.id, Epoch.day == day)
    epoch = session.exec(chosen).first()
    if epoch is None:
        raise DayNotProven(f"{ladder.name} has no day {written_day(day)}")
    if epoch.revealed_at is None:
        raise DayNotProven(
            f"the secret of {written_day(day)} is published when the day is over and all its matches are played"
        )
    span = select(func.min(Match.number), func.max(Match.number), func.count()).where(Match.epoch_id == epoch.id)
    first, last, count = session.exec(span).one()
    if not count:
        raise DayNotProven(f"no match of {ladder.name} was scheduled on {written_day(day)}")
    unrated = select(func.count()).where(Match.epoch_id == epoch.id, col(Match.rating_order) >= ladder.cursor)
    if session.exec(unrated).one():
        raise DayNotProven(f"not all of {written_day(day)} is rated yet: a match that was sent before is not over")
    if lacks_replays(session, stored(ladder.id), first, last):
        raise DayNotProven(
            f"the replays of {written_day(day)} are no longer stored, and an archive needs them as its proof"
        )
    if last - first + 1 != count:
        raise ValueError(f"the matches {first} to {last} of {ladder.name} are not all of {written_day(day)}")
    return archive.Content(
        tournament=_header(ladder, epoch, first, count),
        entries=tuple(_entries(session, ladder, first, last)),
        matches=archived_matches(session, ladder, epoch.secret, first, last, ordered=True),
    )


def _header(ladder: Tournament, epoch: Epoch, first: int, count: int) -> archive.Tournament:
    return archive.Tournament(
        name=ladder.name,
        kind="ladder",
        game=ladder.game,
        options=ladder.options,
        seats=ladder.seats,
        blocks=ladder.blocks,
        limits=ladder.limits,
        dice="seated",
        schedule=None,
        first=first,
        matches=count,
        commitment=epoch.commitment,
        secret=epoch.secret.hex(),
        about={"day": written_day(epoch.day)},
    )


def _entries(session: Session, ladder: Tournament, first: int, last: int) -> Iterator[archive.Entry]:
    """Yield who sat at the day's tables, with the ratings that they had before the first of its matches to be rated."""
    here = (col(Match.tournament_id) == ladder.id, col(Match.number).between(first, last))
    sat = select(MatchSeat.entry_id).join(Match, col(Match.id) == MatchSeat.match_id).where(*here)
    before = _ratings(session, ladder, first, last)
    for entry in archived_entries(session, ladder, only=sat):
        yield archive.Entry(
            entry.id, entry.name, entry.owner, entry.version, entry.file, entry.code, before.get(entry.id, (MU, SIGMA))
        )


def _ratings(session: Session, ladder: Tournament, first: int, last: int) -> dict[int, archive.Skill]:
    """Return what the entries at the day's tables were rated before the first of its matches that they were rated in.

    Who was in void matches alone has the rating of the match before; who had met nobody is left out.
    """
    here = (col(Match.tournament_id) == ladder.id, col(Match.number).between(first, last))
    seats = select(MatchSeat.entry_id, MatchSeat.mu_before, MatchSeat.sigma_before)
    seats = seats.join(Match, col(Match.id) == MatchSeat.match_id).where(*here)
    found: dict[int, archive.Skill] = {}
    unrated = set()
    for entry, mu, sigma in session.exec(seats.order_by(col(Match.rating_order))):
        if mu is None or sigma is None:
            unrated.add(entry)
        else:
            found.setdefault(entry, (mu, sigma))
    for entry in unrated.difference(found):
        if (last_rating := _earlier(session, ladder, first, entry)) is not None:
            found[entry] = last_rating
    return found


def _earlier(session: Session, ladder: Tournament, number: int, entry: int) -> archive.Skill | None:
    chosen = (
        select(MatchSeat.mu_after, MatchSeat.sigma_after)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(MatchSeat.entry_id == entry, Match.tournament_id == ladder.id, col(Match.number) < number)
        .where(col(MatchSeat.mu_after).is_not(None))
        .order_by(col(Match.rating_order).desc())
    )
    mu, sigma = session.exec(chosen).first() or (None, None)
    return None if mu is None or sigma is None else (mu, sigma)
