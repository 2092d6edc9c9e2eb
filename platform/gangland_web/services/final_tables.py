"""Final tables of tournaments, and the premieres that show them."""

import logging
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlmodel import Session, col, func, select

from gangland.replay import ReplayError
from gangland_ladder.matches.seeds import schedule_seed
from gangland_ladder.rating.final_standings import PODIUM
from gangland_ladder.tournaments.final_table import finalists, seating_order
from gangland_ladder.tournaments.lifecycle import NO_END, State
from gangland_ladder.viewer.timeline_data import broadcast_of
from gangland_web.base.formats import now_s, state_label
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchState, PlayedGame, Purpose
from gangland_web.models.tournaments import Entry, Tournament, lock_tournament, lock_versions
from gangland_web.services import matches
from gangland_web.services.channels import add_premiere_game, is_playing
from gangland_web.services.entries import EntryRefused, owned_entries, unranked_entries
from gangland_web.services.settling import standings_so_far, stored_standings, tables_to_play
from gangland_web.services.tournaments import is_played, move_tournament

# Matches after the schedule: rounds that settle the first places, then the final table.
#
# If settling was announced, the record worker settles the first places. It schedules the final table once, and finishes
# the tournament when the final table and its audits are over. No match is played after the final table.


log = logging.getLogger("gangland_web.tournaments")


class Step(NamedTuple):
    """The next step at the end of a tournament: settling matches, the final table, or (without tables) the end."""

    tables: tuple[tuple[int, ...], ...] = ()
    is_final: bool = False


def advance_tournaments(database: Database) -> int:
    """Take the next step of each tournament that settles places or has a final table; return the number of steps."""
    extra = col(Tournament.settle_round).is_not(None) | col(Tournament.final_seats).is_not(None)
    query = select(Tournament.id).where(Tournament.kind == "tournament", Tournament.state == State.PLAYING.value, extra)
    with database.read() as session:
        playing = session.exec(query.order_by(col(Tournament.id))).all()
    return sum(_advance(database, row_id(tournament_id)) for tournament_id in playing)


def _advance(database: Database, tournament_id: int) -> bool:
    with database.read() as session:  # the standings are fitted without locks, so that no other transaction waits
        tournament = session.get_one(Tournament, tournament_id)
        if not (is_played(session, tournament) and matches.is_audited(session, tournament_id)):
            return False
        basis, step = _basis(session, tournament), _next_step(session, tournament)
    if step is None:
        return False
    with database.write() as session:
        lock_versions(session)  # first, as when results are recorded: the same lock order everywhere prevents deadlocks
        tournament = session.get_one(Tournament, tournament_id)
        lock_tournament(session, tournament)
        if tournament.state != State.PLAYING.value or _basis(session, tournament) != basis:
            return False  # it has changed in the meantime
        _take_step(session, tournament, step)
    return True


def _basis(session: Session, tournament: Tournament) -> tuple[int | None, int, int]:
    count = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    done = session.exec(count.where(Match.state == MatchState.DONE.value)).one()
    return tournament.settle_round, session.exec(count).one(), done


def _next_step(session: Session, tournament: Tournament) -> Step | None:
    """Return the next step; None while a finalist is in quarantine or the organizer has to decide."""
    final, terms = matches.final_match(session, tournament), matches.final_terms_of(tournament)
    if final is not None:
        return None if matches.waits_for_organizer(session, final) else Step()
    if tables := tables_to_play(session, tournament):
        return Step(tables)
    if terms is None:
        return Step()
    ranks = {row.entry: row.rank for row in standings_so_far(session, tournament).rows}
    order = seating_order(ranks, schedule_seed(tournament.roster_digest, tournament.public_value))
    entries = finalists(order, owned_entries(session, tournament), terms.seats)
    if not entries:  # too few owners are left
        return Step()
    return None if _is_in_quarantine(session, entries) else Step((entries,), is_final=True)


def _is_in_quarantine(session: Session, entries: tuple[int, ...]) -> bool:
    """Return whether one of these entries' versions is in quarantine."""
    # Even if it is only in quarantine on a ladder, it may have to leave all tournaments.
    versions = select(Entry.version_id).where(col(Entry.id).in_(entries))
    quarantined = select(Entry.id).where(col(Entry.quarantined).is_(True), col(Entry.active).is_(True))
    return session.exec(quarantined.where(col(Entry.version_id).in_(versions)).limit(1)).first() is not None


def _take_step(session: Session, tournament: Tournament, step: Step) -> None:
    if not step.tables:
        move_tournament(session, tournament, State.FINISHED, automatic=True)
    else:
        matches.plan_tables(session, tournament, step.tables, purpose=Purpose.TOURNAMENT, is_final=step.is_final)
        if not step.is_final:
            tournament.settle_round = (tournament.settle_round or 0) + 1
        plan = "the final table" if step.is_final else f"{len(step.tables)} matches to settle its first places"
        log.info("%s: %s", tournament.name, plan)
    session.add(tournament)
    session.flush()


# The premiere: the organizer shows bots, games, and the podium from the last place up, one step at a time.
#
# All results of the tournament are under embargo until the last step, which ends the embargo.


PREMIERE: Final = "premiere"  # value of the action that shows the next step, used instead of a state
_BLANK_NAMES: Final = ("", "", "", "")  # the duration of a game on screen does not depend on the names of its bots


@dataclass(frozen=True, slots=True)
class PremiereSchedule:
    """The steps of a premiere: the bots of the final table, each of its games, and the podium from the last place."""

    final: Match | None  # None if it was not played or is void
    games: int
    podium: tuple[tuple[int, tuple[int, ...]], ...]  # ranks and their entries, first rank first
    places: int  # each is a step, even if empty, so that the number of steps does not reveal a tie

    @property
    def steps(self) -> int:
        """The number of steps."""
        return (self.final is not None) + self.games + self.places

    def step(self, number: int) -> str:
        """Return a step's name, such as "game 3 of 9"; numbers begin at 0."""
        has_final = self.final is not None
        if has_final and number == 0:
            return "the bots of the final table"
        game = number - has_final
        if game < self.games:
            return f"game {game + 1} of {self.games}"
        remaining = self.steps - number
        if remaining < 1:
            return "all results"  # the final table became void during the premiere
        return "first place" if remaining == 1 else f"place {remaining}"

    def shown_games(self, premiered: int) -> int:
        """Return the number of games that the first `premiered` steps have shown."""
        return max(0, min(premiered - (self.final is not None), self.games))

    def current_game(self, premiered: int) -> int:
        """Return the number of the game, from 1, that the last of `premiered` steps shows; 0 if it shows no game."""
        games = self.shown_games(premiered)
        return games if games > self.shown_games(premiered - 1) else 0

    def shown_place(self, premiered: int) -> int | None:
        """Return the best place that the first `premiered` steps have shown; None before the podium."""
        hidden = max(0, self.steps - premiered)
        return hidden + 1 if hidden < self.places else None

    def shown_podium(self, premiered: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the part of the podium that the first `premiered` steps have shown, the best rank first."""
        place = self.shown_place(premiered)
        return tuple(entry for entry in self.podium if place is not None and entry[0] >= place)


def premiere_is_over(tournament: Tournament) -> bool:
    """Return whether the last step of a premiere was shown, which ended the embargo."""
    return tournament.embargo_until is None or tournament.embargo_until < NO_END


def premiere_schedule(session: Session, tournament: Tournament, standings: dict[str, Any]) -> PremiereSchedule:
    """Return the premiere's steps for a finished tournament with these final standings."""
    ranks = {row["entry"]: row["rank"] for row in standings["rows"]}
    podium = tuple((rank, tuple(entries)) for rank, entries in groupby(standings["podium"], key=ranks.__getitem__))
    entered = session.exec(select(func.count()).where(Entry.tournament_id == tournament.id)).one()
    ranked = entered - len(unranked_entries(session, tournament))
    return PremiereSchedule(*_final_of(session, tournament), podium, min(PODIUM, ranked))


def show_step(session: Session, tournament: Tournament, after: int) -> str:
    """Show the next step of a premiere and return the step's name; the caller has locked the tournament.

    `after`: the number of steps that the organizer has seen, so that a repeated action shows only one step.  Raises
    EntryRefused: there is no premiere, it has not begun or is over, or `after` is not the number of steps shown now.
    """
    if not tournament.has_premiere:
        raise EntryRefused(f"{tournament.name} was announced without a premiere")
    if tournament.state != State.FINISHED.value:
        raise EntryRefused(f"the premiere begins after the last match ({state_label(tournament.state)})")
    if premiere_is_over(tournament):
        raise EntryRefused(f"the premiere of {tournament.name} is over")
    standings = stored_standings(session, row_id(tournament.id))
    if standings is None:
        raise EntryRefused(f"the standings of {tournament.name} are being calculated. Try again in a few seconds")
    schedule = premiere_schedule(session, tournament, standings)
    if after != tournament.premiered:
        raise EntryRefused(f"step {after + 1} has already been shown")
    tournament.premiered += 1
    tournament.premiered_at = now_s()
    _start_on_screens(session, tournament, schedule)
    if tournament.premiered >= schedule.steps:
        tournament.embargo_until = now_s()
    session.add(tournament)
    session.flush()
    log.info("%s: step %d of %d of its premiere", tournament.name, tournament.premiered, schedule.steps)
    return schedule.step(after)


def rewind_premiere(session: Session, match: Match, *, was_played: bool) -> None:
    """Rewind a premiere after a match became void: to before the podium, or to the start if there is no final table.

    The caller has locked the tournament.
    """
    # Otherwise a repeated step would show a different bot, or one more place. Games of the final table that screens
    # have shown to the end stay visible.
    tournament = session.get_one(Tournament, match.tournament_id)
    if tournament.has_premiere and not premiere_is_over(tournament):
        if match.is_final and was_played:
            size = matches.size_of(tournament, match)
            steps = min(tournament.premiered, 1 + size.blocks * size.seats)
            live = steps > 1 and steps == tournament.premiered and is_playing(session, row_id(tournament.id), now_s())
            tournament.premiered_void = steps - live
        _, games = _final_of(session, tournament)
        tournament.premiered = min(tournament.premiered, 1 + games if games else 0)
        session.add(tournament)


def _final_of(session: Session, tournament: Tournament) -> tuple[Match | None, int]:
    """Return the final table that was played and its number of games; None and 0 if it is void or does not exist."""
    final = matches.final_match(session, tournament)
    if final is None or final.state != MatchState.DONE.value:
        return None, 0
    size = matches.size_of(tournament, final)
    return final, size.blocks * size.seats


def _start_on_screens(session: Session, tournament: Tournament, schedule: PremiereSchedule) -> None:
    """If the current step shows a game, start it on all screens."""
    number = schedule.current_game(tournament.premiered)
    if schedule.final is None or not number:
        return
    query = select(PlayedGame).where(PlayedGame.match_id == schedule.final.id)
    ordered = query.order_by(col(PlayedGame.block), col(PlayedGame.rotation))
    game = session.exec(ordered.offset(number - 1).limit(1)).first()
    if game is not None:
        add_premiere_game(session, row_id(tournament.id), game, now_s(), _screen_time_s(game))


def _screen_time_s(game: PlayedGame) -> float:
    """Return the number of seconds until screens show a game's result; 1 if the game cannot be drawn."""
    try:
        return broadcast_of(game.replay, _BLANK_NAMES[: len(game.seating)]).end_s
    except ReplayError:
        return 1.0
