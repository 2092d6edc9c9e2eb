"""What of a premiere may be shown now, to everybody: the one model of its page, the API and a screen on the wall."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flask import url_for
from msgspec import Meta
from sqlmodel import Session, col, select

from gangland.game import EndReason, Outcome
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.models.columns import stored
from gangland_web.models.matches import PlayedGame
from gangland_web.models.tournaments import ChannelItem, Tournament
from gangland_web.resources.fields import Count, Model, Number, Path
from gangland_web.resources.matches.queries import MatchPage, SeatRow, game_of, match_page, seats_of
from gangland_web.resources.tournaments.queries import Part, pinned_of
from gangland_web.resources.visibility import is_public
from gangland_web.services.channels import premiere_key
from gangland_web.services.final_tables import Programme, is_over, programme_of
from gangland_web.services.settling import stored_standings


class PremiereBot(Model):
    """A bot of the final table; `mean_place` is that over the games that were shown."""

    entry: Number
    bot_id: Number
    bot: str
    version: Number
    owner: str
    mean_place: float | None


class PremiereSeat(Model):
    """Who sat in a seat of a game, and which place came of it."""

    entry: Number
    place: int


class PremiereGame(Model):
    """A game that was shown to its end: its number, from 1, its seats in their order, and the address to watch it."""

    number: Number
    block: Count
    rotation: Count
    watch: Path
    seats: list[PremiereSeat]


class PremierePlace(Model):
    """A place of the podium that was shown."""

    rank: int
    entry: Number
    bot_id: Number
    bot: str
    owner: str


class Premiere(Model):
    """A premiere as far as it was shown; `premiered` of `steps`, and `next` is the name of the step after them.

    `bots` are those of the final table, best of `games` first; they are empty until they are presented.  When all games
    were shown, means and their order are kept back until the podium has its first place.  `podium` has
    the best place that was shown first.
    """

    tournament: Number
    premiered: Count
    steps: Count
    next: str | None
    is_over: bool
    bots: list[PremiereBot]
    games: list[PremiereGame]
    games_planned: Count
    playing: Annotated[
        Number | None,
        Meta(description="The number of the game that screens play now. It is among `games` once it is played out."),
    ]
    podium: list[PremierePlace]
    place: Annotated[
        Count | None,
        Meta(description="The place that the last step showed. Nobody has it where others share a better one."),
    ]


def premiere_of(db: Session, tournament: Tournament, at: float) -> Premiere | None:
    """Return what of a premiere everybody may see at a time; None before it can begin, and where there is none.

    What the organiser's last step shows counts from its beginning on, the result of a game once screens have played it
    out; the next step ends it too.
    """
    if not tournament.has_premiere or State(tournament.state) not in (State.FINISHED, State.REVEALED):
        return None
    standings = stored_standings(db, stored(tournament.id))
    if standings is None:
        return None
    programme, shown = programme_of(db, tournament, standings), tournament.premiered
    plays = bool(programme.game_of(shown)) and plays_until(db, tournament, at) is not None
    parts = {stored(part.entry.id): part for part in pinned_of(db, tournament) if part.entry is not None}
    seats = _seats(db, programme) if shown else ()
    games = _games(db, programme, seats, programme.shown_games(shown) - plays)
    done = is_over(tournament)
    podium = programme.shown_podium(shown)
    # Means of all games are the result: it is the podium's to tell, from the last place up.
    is_kept = len(games) == programme.games and not done and programme.shown_place(shown) != 1
    return Premiere(
        tournament=stored(tournament.id),
        premiered=shown,
        steps=programme.steps,
        next=None if done else programme.step(shown),
        is_over=done,
        bots=_bots(seats, [] if is_kept else games, parts),
        games=[game for game, _ in games],
        games_planned=programme.games,
        playing=programme.game_of(shown) if plays else None,
        podium=[_place(rank, parts[entry]) for rank, entries in podium for entry in entries],
        place=programme.shown_place(shown),
    )


def plays_until(db: Session, tournament: Tournament, at: float) -> float | None:
    """Return when screens have played out the last game: for organisers alone, since it says how long the game is."""
    item = item_of_premiere(db, tournament)
    return item.ends_at if item is not None and at < item.ends_at else None


def item_of_premiere(db: Session, tournament: Tournament) -> ChannelItem | None:
    """Return the last game that the organiser has put on screens."""
    chosen = select(ChannelItem).where(ChannelItem.channel == premiere_key(stored(tournament.id)))
    return db.exec(chosen.order_by(col(ChannelItem.number).desc()).limit(1)).first()


def premiered_game(
    db: Session, match_id: int, block: int, rotation: int, at: float
) -> tuple[MatchPage, PlayedGame] | None:
    """Return a game that a premiere has shown to its end by a time, for everybody; None for any other."""
    page = match_page(db, match_id)
    if page is None or not page.match.is_final or not is_public(page.tournament):
        return None
    premiere = premiere_of(db, page.tournament, at)
    there = premiere is not None and any((game.block, game.rotation) == (block, rotation) for game in premiere.games)
    played = game_of(db, match_id, block, rotation) if there else None
    return None if played is None else (page, played)


def _seats(db: Session, programme: Programme) -> tuple[SeatRow, ...]:
    if programme.final is None:
        return ()
    match_id = stored(programme.final.id)
    return seats_of(db, [match_id])[match_id]


def _games(
    db: Session, programme: Programme, seats: tuple[SeatRow, ...], shown: int
) -> list[tuple[PremiereGame, dict[int, Fraction]]]:
    """Return the games that were shown, each with the mean place of each entry in it."""
    if programme.final is None or not shown:
        return []
    columns = (col(PlayedGame.block), col(PlayedGame.rotation), col(PlayedGame.seating), col(PlayedGame.places))
    chosen = select(*columns).where(PlayedGame.match_id == programme.final.id)
    rows = db.exec(chosen.order_by(col(PlayedGame.block), col(PlayedGame.rotation)).limit(shown)).all()
    found = []
    for number, (block, rotation, seating, places) in enumerate(rows, 1):
        entries = [seats[position].seat.entry_id for position in seating]
        watch = url_for("embed.game", match_id=programme.final.id, block=block, rotation=rotation)
        seated = [PremiereSeat(entry, place) for entry, place in zip(entries, places, strict=True)]
        game = PremiereGame(number, block, rotation, watch, seated)
        means = Outcome(tuple(places), (), EndReason.COMPLETED).mean_places()
        found.append((game, dict(zip(entries, means, strict=True))))
    return found


def _bots(
    seats: tuple[SeatRow, ...], games: list[tuple[PremiereGame, dict[int, Fraction]]], parts: dict[int, Part]
) -> list[PremiereBot]:
    found = []
    for seat in seats:
        entry = seat.seat.entry_id
        mean = float(sum((places[entry] for _, places in games), Fraction(0)) / len(games)) if games else None
        found.append(
            PremiereBot(entry, seat.bot_id, seat.bot, seat.version, parts[entry].owner_or_house, mean_place=mean)
        )
    return sorted(found, key=lambda bot: bot.mean_place or 0.0)


def _place(rank: int, part: Part) -> PremierePlace:
    entry = stored(part.entry.id) if part.entry is not None else 0
    return PremierePlace(rank, entry, part.bot_id, part.bot, part.owner_or_house)
