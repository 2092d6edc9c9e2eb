"""Who sees what of a match: one rule for its pages, its games, and all that is made of them."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.models.matches import MatchState, PlayedGame, Purpose
from gangland_web.resources.matches.films import replay_file
from gangland_web.resources.matches.queries import MatchPage, game_of, games_of, match_page
from gangland_web.resources.visibility import CurrentUser, NotVisible, acts_for, results_visible
from gangland_web.services.retention import need_retained


def visible(db: Session, match_id: int, who: CurrentUser | None) -> MatchPage:
    """Return a match with its seats, if whoever looks may see it.

    A trial is its owner's business alone, a challenge that of all whose bots sit there, an audit nobody's, and of a
    check the version's page tells; what a tournament came to is nobody's under its embargo.

    Raises:
        NotVisible: there is no such match for them.
    """
    page = match_page(db, match_id)
    if page is None or page.match.purpose in (Purpose.CHECK, Purpose.AUDIT):
        raise NotVisible
    if page.match.purpose in (Purpose.TRIAL, Purpose.CHALLENGE) and not any(acts_for(who, seat) for seat in page.seats):
        raise NotVisible
    if not results_visible(page.tournament, who):
        raise NotVisible
    return page


def visible_game(
    db: Session, match_id: int, block: int, rotation: int, who: CurrentUser | None
) -> tuple[MatchPage, PlayedGame]:
    """Return a game of a match that is over, if whoever looks may see it.

    Raises:
        NotVisible: there is no such game for them.
        NotKept: its replay is not kept any more.
    """
    page = visible(db, match_id, who)
    played = game_of(db, match_id, block, rotation)
    if played is None or page.match.state != MatchState.DONE:
        raise NotVisible
    need_retained(page.match)
    return page, played


def replay_lines(db: Session, match_id: int, who: CurrentUser | None) -> str:
    """Return all replays of a match that is over with the names of its bots, one a line, by block and rotation.

    Raises:
        NotVisible: there is no such match for whoever looks.
        NotKept: its replays are not kept any more.
    """
    page = visible(db, match_id, who)
    if page.match.state != MatchState.DONE:
        raise NotVisible
    need_retained(page.match)
    return "".join(f"{replay_file(page, played)}\n" for played in games_of(db, match_id))
