"""Read the screen of a channel: the current game with its players and stakes, standings, and the next game.

All visitors see the same screen, and nothing under an embargo.  The standings count the whole match of the current
game, so they do not reveal its result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sqlmodel import Session

from gangland.games import game_named
from gangland.replay import ReplayError
from gangland.words import join_and
from gangland_ladder.common.texts import counted, format_number
from gangland_ladder.rating.trueskill import Rating, rate
from gangland_ladder.tournaments.lifecycle import State
from gangland_ladder.viewer.page import table_classes
from gangland_ladder.viewer.timeline_data import Broadcast
from gangland_web.base.formats import GAME_TITLES
from gangland_web.models.matches import PlayedGame
from gangland_web.models.tournaments import ChannelItem, Tournament
from gangland_web.queries.channels import Channel, RunningPremiere, Schedule, game_of_item
from gangland_web.queries.ladders import climbs, ladder_page, ladder_state, ranks_of
from gangland_web.queries.matches import MatchPage, SeatRow
from gangland_web.queries.standings import Board, TopPlaces
from gangland_web.queries.tournament_pages import TournamentPage, tournament_page
from gangland_web.queries.tournaments import Part
from gangland_web.queries.visibility import NotVisible, finished_matches, is_count_rounded, results_visible

# The screen of a channel, and the games on it.

ROWS = 10  # the number of rows of standings that fit on a screen


@dataclass(frozen=True, slots=True)
class Slot:
    """The current or the next game; `match_winner`, `rating_changes` and the end of the broadcast reveal its result."""

    item: ChannelItem
    page: MatchPage
    played: PlayedGame
    broadcast: Broadcast
    players: tuple[Player, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots, in seat order."""
        return tuple(player.bot for player in self.players)

    @property
    def stake(self) -> tuple[str, ...]:
        """Sentences on the stakes of the game."""
        return overtaking_sentence(self.wins) or stake_of(self.players)

    @property
    def wins(self) -> tuple[Win, ...]:
        """The effect of winning the match for each player, if the standings are by rating."""
        ladder = self.page.tournament
        return wins_of(ladder.game, self.players, ladder.blocks) if ladder.kind == "ladder" else ()

    @property
    def gains(self) -> tuple[tuple[str, str], ...]:
        """The rating points of `wins`, as (bot, figure)."""
        return _figures([(win.points, win.bot) for win in self.wins])

    @property
    def games(self) -> int:
        """The number of games of the match."""
        return self.page.tournament.blocks * self.page.tournament.seats

    @property
    def match_winner(self) -> str:
        """The winner of the match, for viewers who have seen the end of the game; "" for a final table."""
        if self.page.match.is_final:
            return ""
        places = {seat.bot: seat.mean_place for seat in self.page.seats if seat.mean_place is not None}
        won = [bot for bot, place in places.items() if place == min(places.values())]
        return f"Over all {self.games} games of the match, {join_and(won)} won." if won else ""

    @property
    def rating_changes(self) -> tuple[tuple[str, str], ...]:
        """The rating changes by the match, for viewers who have seen the end of the game."""
        return rating_changes(self.players)

    @property
    def match_url(self) -> dict[str, Any]:
        """The URL parameters of the match's page."""
        return {"match_id": self.played.match_id, "block": self.played.block, "rotation": self.played.rotation}


@dataclass(frozen=True, slots=True)
class Place:
    """A row of standings."""

    rank: int | None
    bot_id: int
    bot: str
    figure: str
    ranks_gained: int | None = None  # since yesterday; None if they are not counted


@dataclass(frozen=True, slots=True)
class Screen:
    """The contents of a screen."""

    channel: Channel
    subject: Tournament  # the ladder or tournament of the standings
    now: Slot | None
    next: Slot | None
    places: tuple[Place, ...]  # the standings; for a tournament without standings yet, its bots
    figure: str  # the name of the figures in the standings
    after: str  # a phrase with the number of counted matches
    over: int  # the publicly known number of the channel's matches that are over
    planned: int | None  # the number of planned matches; None for ladders
    stake: tuple[str, ...]  # sentences about places that are still open
    entered: int  # the number of bots in a tournament; 0 for a ladder
    premiere: RunningPremiere | None  # if it is running, its score replaces the standings

    @property
    def is_embargoed(self) -> bool:
        """Whether the tournament is frozen and its results are not public yet."""
        return self.subject not in self.channel.public_tournaments and bool(self.subject.roster_digest)

    @property
    def has_same_players_next(self) -> bool:
        """Whether the bots of the current game also play the next one, in another match."""
        if self.now is None or self.next is None or self.now.played.match_id == self.next.played.match_id:
            return False
        current, following = ({player.bot_id for player in each.players} for each in (self.now, self.next))
        return current == following

    @property
    def is_count_rounded(self) -> bool:
        """Whether `over` may be lower than the real number of played matches."""
        return any(is_count_rounded(tournament, None) for tournament in self.channel.tournaments)


def screen(db: Session, channel: Channel, planned: Schedule, premiere: RunningPremiere | None = None) -> Screen:
    """Return the screen of a channel; `premiere` is the running premiere."""
    current, following = _game(db, planned.now), _game(db, planned.next)
    if current is not None:
        subject = current[1].tournament
    elif premiere is not None:
        subject = premiere.tournament
    else:  # the tournament that is being played, else the first
        subject = next((each for each in channel.tournaments if each.state == State.PLAYING), channel.tournaments[0])
    if premiere is not None and not premiere.public_part.is_over:
        standings = _premiere_standings(db, premiere)
    else:
        standings = _ladder_standings(db, subject) if subject.kind == "ladder" else _tournament_standings(db, subject)
        if premiere is not None:
            standings = replace(standings, stake=_premiere_standings(db, premiere).stake)
    ranks = _ranks(db, standings.places, subject, current)
    slots = [each and _slot(each, ranks) for each in (current, following)]
    return Screen(
        channel=channel,
        subject=subject,
        now=slots[0],
        next=slots[1],
        places=standings.places[:ROWS],
        figure=standings.figure,
        after=standings.after,
        over=sum(finished_matches(tournament, None) for tournament in channel.tournaments),
        planned=None if subject.kind == "ladder" else sum(each.matches_planned for each in channel.tournaments),
        stake=standings.stake,
        entered=standings.entered,
        premiere=premiere,
    )


_Game = tuple[ChannelItem, MatchPage, PlayedGame, Broadcast]


def ranks_of_item(
    db: Session, channel: Channel, item: ChannelItem, premiere: RunningPremiere | None
) -> tuple[int | None, ...]:
    """Return the ranks of the players in an item's game, in seat order, as its screen shows them."""
    now = screen(db, channel, Schedule(item, None), premiere).now
    return () if now is None else tuple(player.rank for player in now.players)


def slot_of_item(db: Session, item: ChannelItem) -> Slot:
    """Return the game of an item without ranks.  Raises NotVisible and ReplayError like `game_of_item`."""
    return _slot((item, *game_of_item(db, item)), {})


def current_slot(db: Session, planned: Schedule) -> Slot | None:
    """Return the game that a channel is showing, without ranks, or None."""
    current = _game(db, planned.now)
    return None if current is None else _slot(current, {})


def title_of(subject: Tournament) -> str:
    """Return the title of standings."""
    if subject.kind == "ladder":
        return f"{GAME_TITLES[subject.game]}, {subject.seats} seats"
    return subject.name


def _game(db: Session, item: ChannelItem | None) -> _Game | None:
    try:
        return None if item is None else (item, *game_of_item(db, item))
    except (NotVisible, ReplayError):
        return None


def _slot(game: _Game, ranks: Mapping[int, int | None]) -> Slot:
    item, page, played, broadcast = game
    seats = [page.seats[position] for position in played.seating]
    players = tuple(_player(seat, ranks.get(seat.bot_id)) for seat in seats)
    return Slot(item, page, played, broadcast, players)


def _player(row: SeatRow, rank: int | None) -> Player:
    seat = row.seat
    before, after = _rating(seat.mu_before, seat.sigma_before), _rating(seat.mu_after, seat.sigma_after)
    change = None if before is None or after is None else after.shown - before.shown
    return Player(row.bot_id, row.bot, rank, before, change)


def _rating(mu: float | None, sigma: float | None) -> Rating | None:
    return None if mu is None or sigma is None else Rating(mu, sigma)


def _ranks(db: Session, places: Sequence[Place], subject: Tournament, current: _Game | None) -> dict[int, int | None]:
    """Return the ranks, by bot id, of the listed bots and, on a ladder, of the players in the current game."""
    ranks = {place.bot_id: place.rank for place in places}
    if subject.kind != "ladder" or current is None or (state := ladder_state(db, subject.game, subject.seats)) is None:
        return ranks
    unlisted = {seat.seat.entry_id: seat.bot_id for seat in current[1].seats if seat.bot_id not in ranks}
    return ranks | {unlisted[entry]: rank for entry, rank in ranks_of(db, state, list(unlisted)).items()}


# The stakes of a match, by the ratings of its players.

_LEVEL_MARGIN = 2.0  # ratings that differ by less are called almost the same


@dataclass(frozen=True, slots=True)
class Player:
    """A player in the current game."""

    bot_id: int
    bot: str
    rank: int | None  # in the standings
    rating_before: Rating | None  # before the match
    rating_change: float | None = None  # by the whole match


def stake_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Return sentences on the stakes of a match, by the ratings before it."""
    ratings = [(player.rating_before.shown, player.bot) for player in players if player.rating_before is not None]
    rated = sorted(ratings, reverse=True)
    if len(rated) < 2:
        return ()
    equals = [bot for rating, bot in rated if rated[0][0] - rating < _LEVEL_MARGIN]
    if len(equals) > 1:
        return (f"{join_and(equals)} had almost the same rating.",)
    gap = format_number(rated[0][0] - rated[1][0], ".1f")
    return (f"{rated[0][1]} was rated {gap} above {rated[1][1]}.",)


@dataclass(frozen=True, slots=True)
class Win:
    """The effect of winning a match for a bot, if the others finish in the order of their ratings."""

    bot: str
    points: float  # rating points gained
    passed: tuple[str, ...]  # the other bots that it passes


@lru_cache(maxsize=64)
def wins_of(game: str, players: tuple[Player, ...], blocks: int) -> tuple[Win, ...]:
    """Return the effect of winning for each player, smallest gain first; empty unless all players were rated before."""
    ratings = [each.rating_before for each in players if each.rating_before is not None]
    if len(ratings) < len(players):
        return ()
    wins = []
    for winner, player in enumerate(players):
        order = sorted(range(len(ratings)), key=lambda seat: (seat != winner, -ratings[seat].shown))
        places = [Fraction(1 + order.index(seat)) for seat in range(len(ratings))]
        after = [rating.shown for rating in rate(game, ratings, places, blocks=blocks)]
        before = ratings[winner].shown
        passed = [seat for seat in order[1:] if ratings[seat].shown > before and after[seat] < after[winner]]
        wins.append(Win(player.bot, after[winner] - before, tuple(players[seat].bot for seat in passed)))
    return tuple(sorted(wins, key=lambda win: win.points))


def overtaking_sentence(wins: Sequence[Win]) -> tuple[str, ...]:
    """Return a sentence on which bots pass which others by winning; empty if there are none."""
    passing = [f"{win.bot} would pass {join_and(win.passed)}" for win in wins if win.passed]
    if not passing:
        return ()
    return (f"By winning the match, {', or '.join(passing)}.",)


def rating_changes(players: Sequence[Player]) -> tuple[tuple[str, str], ...]:
    """Return the rating changes by a match as (bot, figure), highest first."""
    changes = [(player.rating_change, player.bot) for player in players if player.rating_change is not None]
    return _figures(sorted(changes, reverse=True))


def _figures(changes: Sequence[tuple[float, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((bot, format_number(change, "+.1f")) for change, bot in changes)


# Standings of a ladder, a tournament or a premiere, as a screen shows them.

_MAX_NAMED = 3  # at most this many bots are named in a sentence


@dataclass(frozen=True, slots=True)
class _Standings:
    places: tuple[Place, ...]
    figure: str
    after: str
    stake: tuple[str, ...]
    entered: int = 0


def _ladder_standings(db: Session, ladder: Tournament) -> _Standings:
    state = ladder_state(db, ladder.game, ladder.seats)
    rows = () if state is None else tuple(row for row in ladder_page(db, state, size=ROWS + 1).rows if row.games)
    gains = {} if state is None else climbs(db, state, rows)
    places = tuple(
        Place(row.rank, row.bot_id, row.bot, format_number(row.rating, ".1f"), gains.get(row.entry, 0)) for row in rows
    )
    over = 0 if state is None else state.over
    return _Standings(places, "rating", f"after {counted(over, 'match')}", ())


def _tournament_standings(db: Session, tournament: Tournament) -> _Standings:
    page = tournament_page(db, tournament, None)
    if page.board is not None:
        rows = page.board.rows
        places = tuple(
            Place(row.figures["rank"], row.part.bot_id, row.part.bot, _three_decimals(row.figures["block_score"]))
            for row in rows
        )
        return _Standings(places, "block score", "final", _settled_sentences(page.board), len(rows))
    if not page.interim:
        bots = tuple(Place(None, part.bot_id, part.bot, "") for part in page.parts)
        return _Standings(bots, "", "", _final_table_lines(tournament), len(bots))
    places = tuple(Place(row.rank, row.part.bot_id, row.part.bot, _three_decimals(row.score)) for row in page.interim)
    after = f"after {counted(finished_matches(tournament, None), 'match')}"
    return _Standings(places, "score", after, _lead_sentence(page), len(page.parts))


def _final_table_lines(tournament: Tournament) -> tuple[str, ...]:
    if tournament.final_seats is None or results_visible(tournament, None):
        return ()
    return (f"The top {tournament.final_seats} play once more for places 1 to {tournament.final_seats}.",)


def _premiere_standings(db: Session, running: RunningPremiere) -> _Standings:
    premiere = running.public_part
    places = tuple(
        Place(None, bot.bot_id, bot.bot, "" if bot.mean_place is None else format_number(bot.mean_place, ".2f"))
        for bot in premiere.bots
    )
    figure, after = "mean place", f"after {len(premiere.games)} of {counted(premiere.games_planned, 'game')}"
    if not premiere.games_planned:  # without a final table there is only the podium
        places = tuple(
            Place(None, part.bot_id, part.bot, "") for part in tournament_page(db, running.tournament, None).parts
        )
        figure = after = ""
    left = premiere.games_planned - len(premiere.games)
    stake = f"{counted(left, 'game')} left. Then the podium follows, from the last place up."
    lines: tuple[str, ...] = ("The lowest mean place of all games comes first.", stake)
    void = () if premiere.void_final is None else ("The final table is void. These results no longer count.",)
    if not left:
        won = [place.bot for place in premiere.podium if place.rank == 1]
        lines = (*void, "The podium, from the last place up.")
        lines = (f"{join_and(won)} won {running.tournament.name}.",) if won else lines
    return _Standings(places, figure, after, lines, len(places))


def _three_decimals(figure: float | None) -> str:
    return "" if figure is None else format_number(figure, ".3f")


def _lead_sentence(page: TournamentPage) -> tuple[str, ...]:
    rows, tournament = [row for row in page.interim if row.rank is not None], page.tournament
    left = tournament.matches_planned - tournament.matches_over
    if len(rows) < 2 or not left:
        return ()
    first, second = rows[:2]
    gap = (first.score or 0.0) - (second.score or 0.0)
    ahead = (
        f"{first.part.bot} leads {second.part.bot} by {format_number(gap, '.3f')}"
        if gap
        else (f"{first.part.bot} and {second.part.bot} lead with equal scores")
    )
    return (f"{ahead}; {counted(left, 'match')} left.",)


def _settled_sentences(board: Board) -> tuple[str, ...]:
    if board.final is not None:
        return (f"The final table decided the order of its {len(board.final.lines)} bots.",)
    return tuple(_settled_text(top) for top in board.tops)


def _settled_text(top: TopPlaces) -> str:
    places, verb, goes = ("The first place", "is", "goes") if top.k == 1 else (f"The first {top.k} places", "are", "go")
    if top.settled:
        return f"{places} {goes} to {_bot_list(top.inside)}."
    needed = "" if top.games_needed is None else f"; about {counted(top.games_needed, 'more game')} might decide"
    return f"{places} {verb} too close to call: {_bot_list(top.open)}{needed}."


def _bot_list(parts: Sequence[Part]) -> str:
    names, more = [part.bot for part in parts[:_MAX_NAMED]], len(parts) - _MAX_NAMED
    return join_and([*names, *([counted(more, "other")] if more > 0 else [])])


# The introduction of a game.


def introduction(slot: Slot, premiere: RunningPremiere | None) -> str:
    """Return the game's goal, and the number of the game in its match."""
    played = slot.played
    number = played.block * slot.page.tournament.seats + played.rotation + 1
    name = f"Recorded match {played.match_id}, game {number} of {slot.games}."
    if premiere is not None and premiere.game:
        name = f"Game {premiere.game} of {premiere.public_part.games_planned} of the final table."
    return f"{game_named(slot.broadcast.timeline.game).goal} {name}".lstrip()


def course_of(slot: Slot) -> tuple[str, ...]:
    """Return an outline of a round, for viewers who are new to the game."""
    course = game_named(slot.broadcast.timeline.game).course
    return (course,) if course else ()


def game_members(slot: Slot, premiere: RunningPremiere | None) -> dict[str, Any]:
    """Return the members about a game in the JSON for the screen's script."""
    broadcast, game = slot.broadcast, game_named(slot.broadcast.timeline.game)
    return {
        "game": broadcast.timeline.game,
        "names": broadcast.data["names"],
        "words": broadcast.data["words"],
        "classes": table_classes(broadcast.timeline),
        "again": slot.item.again,
        "about": introduction(slot, premiere),
        "bots": [player.bot_id for player in slot.players],
        "subject": slot.page.tournament.id,
        "stake": slot.stake,
        "gains": slot.gains,
        "rules": course_of(slot),
        "last_round": game.last_round,
    }
