"""Queries for a tournament's page and its premiere, which shows the results step by step."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from flask import url_for
from msgspec import Meta
from sqlmodel import Session, col, select

from gangland.game import EndReason, Outcome
from gangland_ladder.tournaments.lifecycle import DueMove, State, next_deadline, versions_are_pinned
from gangland_web.base.formats import now_s
from gangland_web.models.bots import HOUSE
from gangland_web.models.columns import row_id
from gangland_web.models.matches import Match, MatchState, PlayedGame
from gangland_web.models.tournaments import ChannelItem, Tournament
from gangland_web.queries import standings as ranking
from gangland_web.queries.matches import MatchPage, SeatRow, game_of, match_page, seats_of
from gangland_web.queries.tables import Count, Model, Number, Path
from gangland_web.queries.tournaments import Amendment, LeftOut, Part, amendments_of, frozen_parts, left_out, parts_of
from gangland_web.queries.visibility import CurrentUser, is_announced, results_are_immediate, results_visible
from gangland_web.services.channels import premiere_key
from gangland_web.services.final_tables import premiere_is_over, premiere_schedule
from gangland_web.services.matches import final_match
from gangland_web.services.settling import stored_standings
from gangland_web.services.tournaments import deadlines_of


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """The contents of a tournament's page, with results only if the visitor may see them."""

    tournament: Tournament
    state: State
    next_move: DueMove | None
    shows_results: bool
    parts: tuple[Part, ...]
    board: ranking.Board | None = None
    amendments: tuple[Amendment, ...] = ()
    interim: tuple[ranking.InterimRow, ...] = ()
    has_cross: bool = False
    final: Match | None = None  # the match of the final table, if the visitor may see it
    premiere: Premiere | None = None
    left_out: tuple[LeftOut, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether only an organizer can still change the tournament."""
        return self.state is State.CANCELED or (self.board is not None and self.state is State.REVEALED)

    @property
    def is_pinned(self) -> bool:
        """Whether the entries are frozen."""
        return versions_are_pinned(self.state) or bool(self.tournament.roster_digest)


def tournament_page(db: Session, tournament: Tournament, who: CurrentUser | None) -> TournamentPage:
    """Return the contents of a tournament's page."""
    state, parts = State(tournament.state), parts_of(db, tournament)
    results, at_once = results_visible(tournament, who), results_are_immediate(tournament, who)
    is_active = state is not State.CANCELED
    standings = ranking.visible_standings(db, tournament, who)
    ranked = ranking.board(standings, parts) if standings else None
    if ranked is not None:  # the same order in the cross table; disqualified entries last
        ahead = [*(row.part for row in ranked.rows), *(row.part for row in ranked.outside)]
        parts = [*ahead, *(part for part in parts if part not in ahead)]
    return TournamentPage(
        tournament=tournament,
        state=state,
        next_move=next_deadline(state, deadlines_of(tournament)),
        shows_results=results,
        parts=tuple(parts),
        board=ranked,
        amendments=tuple(amendments_of(db, tournament)) if results and tournament.announced_at is not None else (),
        interim=ranking.interim_standings(db, tournament, parts, results=results)
        if ranked is None and at_once and is_active
        else (),
        final=final_match(db, tournament) if results else None,
        premiere=premiere_of(db, tournament, now_s()),
        left_out=tuple(left_out(db, tournament)),
        has_cross=at_once
        and (is_active or bool(tournament.matches_over))
        and ranking.has_cross_table(tournament, len(parts)),
    )


# Premieres: the part of the results that is public so far, the same on the page, in the API and on screens.


class PremiereBot(Model):
    """A bot of the final table; `mean_place` is the mean over the games shown so far."""

    entry: Number
    bot_id: Number
    bot: str
    version: Number
    owner: str
    mean_place: float | None


class PremiereSeat(Model):
    """The entry in a seat of a game, and its place."""

    entry: Number
    place: int


class PremiereGame(Model):
    """A game shown to its end, with its seats in order; `number` counts from 1; `watch` is the path of its replay."""

    number: Number
    block: Count
    rotation: Count
    watch: Path
    seats: list[PremiereSeat]


class PremierePlace(Model):
    """A place on the podium that was shown."""

    rank: int
    entry: Number
    bot_id: Number
    bot: str
    owner: str


class VoidFinal(Model):
    """The part of a final table that was shown before the match became void; it decides nothing."""

    bots: list[PremiereBot]
    games: list[PremiereGame]


class Premiere(Model):
    """The public part of a premiere: `premiered` of `steps` steps are done; `next` is the next one.

    `bots` are the bots of the final table, ordered by their results so far; the list is empty until they are
    introduced.  After the last game, means and order are withheld until the podium has shown the first place.  `podium`
    begins with the best place shown so far.
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
        Meta(description="The number of the game now on screens. It is added to `games` when its result is public."),
    ]
    podium: list[PremierePlace]
    place: Annotated[
        Count | None,
        Meta(description="The place that the last step showed. No bot has it if others share a better place."),
    ]
    void_final: VoidFinal | None = None


def premiere_of(db: Session, tournament: Tournament, at: float) -> Premiere | None:
    """Return the public part of a premiere at a time, or None if there is no premiere or it cannot start yet.

    A step is public as soon as the organizer starts it.  A game's result becomes public when screens reach its end, or
    when the organizer starts the next step.
    """
    if not tournament.has_premiere or State(tournament.state) not in (State.FINISHED, State.REVEALED):
        return None
    standings = stored_standings(db, row_id(tournament.id))
    if standings is None:
        return None
    schedule, steps = premiere_schedule(db, tournament, standings), tournament.premiered
    is_playing = bool(schedule.current_game(steps)) and game_ends_at(db, tournament, at) is not None
    parts = {row_id(part.entry.id): part for part in frozen_parts(db, tournament) if part.entry is not None}
    seats = _seats(db, schedule.final) if steps else ()
    games = _games(db, schedule.final, seats, schedule.shown_games(steps) - is_playing)
    is_over = premiere_is_over(tournament)
    podium = [(rank, entry, parts[entry]) for rank, entries in schedule.shown_podium(steps) for entry in entries]
    # The means over all games are the final result.  Hide them until the podium has shown first place.
    is_withheld = len(games) == schedule.games and not is_over and schedule.shown_place(steps) != 1
    return Premiere(
        tournament=row_id(tournament.id),
        premiered=steps,
        steps=schedule.steps,
        next=None if is_over else schedule.step(steps),
        is_over=is_over,
        bots=_bots(seats, [] if is_withheld else games, parts),
        games=[game for game, _ in games],
        games_planned=schedule.games,
        playing=schedule.current_game(steps) if is_playing else None,
        podium=[PremierePlace(rank, entry, part.bot_id, part.bot, part.owner or HOUSE) for rank, entry, part in podium],
        place=schedule.shown_place(steps),
        void_final=_void_final(db, tournament, parts) if schedule.final is None else None,
    )


def _void_final(db: Session, tournament: Tournament, parts: dict[int, Part]) -> VoidFinal | None:
    final = final_match(db, tournament) if tournament.premiered_void else None
    if final is None or final.state != MatchState.VOID.value:
        return None
    seats = _seats(db, final)
    games = _games(db, final, seats, tournament.premiered_void - 1)
    return VoidFinal(_bots(seats, [], parts), [game for game, _ in games])


def game_ends_at(db: Session, tournament: Tournament, at: float) -> float | None:
    """Return the time when screens finish the current game, or None if they have.

    Only organizers may see it, because it reveals the length of the game.
    """
    item = item_of_premiere(db, tournament)
    return item.ends_at if item is not None and at < item.ends_at else None


def item_of_premiere(db: Session, tournament: Tournament) -> ChannelItem | None:
    """Return the latest game that the organizer has put on screens, or None."""
    query = select(ChannelItem).where(ChannelItem.channel == premiere_key(row_id(tournament.id)))
    return db.exec(query.order_by(col(ChannelItem.number).desc()).limit(1)).first()


def premiered_game(
    db: Session, match_id: int, block: int, rotation: int, at: float
) -> tuple[MatchPage, PlayedGame] | None:
    """Return a game whose result a premiere has made public by this time, or None."""
    page = match_page(db, match_id)
    if page is None or not page.match.is_final or not is_announced(page.tournament):
        return None
    premiere = premiere_of(db, page.tournament, at)
    if premiere is None:
        return None
    games = premiere.games if premiere.void_final is None else premiere.void_final.games
    is_public = any((game.block, game.rotation) == (block, rotation) for game in games)
    played = game_of(db, match_id, block, rotation) if is_public else None
    return None if played is None else (page, played)


def _seats(db: Session, final: Match | None) -> tuple[SeatRow, ...]:
    if final is None:
        return ()
    match_id = row_id(final.id)
    return seats_of(db, [match_id])[match_id]


def _games(
    db: Session, final: Match | None, seats: tuple[SeatRow, ...], limit: int
) -> list[tuple[PremiereGame, dict[int, Fraction]]]:
    """Return the games that were shown, each with the place of each entry; ties are averaged."""
    if final is None or not limit:
        return []
    columns = (col(PlayedGame.block), col(PlayedGame.rotation), col(PlayedGame.seating), col(PlayedGame.places))
    query = select(*columns).where(PlayedGame.match_id == final.id)
    rows = db.exec(query.order_by(col(PlayedGame.block), col(PlayedGame.rotation)).limit(limit)).all()
    games = []
    for number, (block, rotation, seating, places) in enumerate(rows, 1):
        entries = [seats[position].seat.entry_id for position in seating]
        watch = url_for("sharing.framed_game", match_id=final.id, block=block, rotation=rotation)
        premiere_seats = [PremiereSeat(entry, place) for entry, place in zip(entries, places, strict=True)]
        game = PremiereGame(number, block, rotation, watch, premiere_seats)
        means = Outcome(tuple(places), (), EndReason.COMPLETED).mean_places()
        games.append((game, dict(zip(entries, means, strict=True))))
    return games


def _bots(
    seats: tuple[SeatRow, ...], games: list[tuple[PremiereGame, dict[int, Fraction]]], parts: dict[int, Part]
) -> list[PremiereBot]:
    bots = []
    for seat in seats:
        entry = seat.seat.entry_id
        mean = float(sum((places[entry] for _, places in games), Fraction(0)) / len(games)) if games else None
        owner = parts[entry].owner or HOUSE
        bots.append(PremiereBot(entry, seat.bot_id, seat.bot, seat.version, owner, mean_place=mean))
    return sorted(bots, key=lambda bot: bot.mean_place or 0.0)
