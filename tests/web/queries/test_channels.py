"""Which game a channel shows: scores from what is recorded, the best unshown first, then those of before."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from tests.kits import bots_kit, core_kit, tournaments_kit
from tests.kits.models import ChannelItem, Match, select

from gangland_ladder.rating.trueskill import Rating, rate
from gangland_ladder.tournaments.lifecycle import Deadlines
from gangland_web.base.formats import now_s
from gangland_web.queries import channels, match_lists
from gangland_web.queries.screens import (
    Player,
    Win,
    overtaking_sentence,
    ranks_of_item,
    rating_changes,
    screen,
    stake_of,
    wins_of,
)
from gangland_web.services.channels import NextItem, add_item

PLAIN = channels.GameScore(close=0.5, leads=0.4, upset=0.0, strength=0.5, drama=0.0, has_fault=False, is_long=False)


def listed(mu: tuple[float, float] = (25.0, 25.0)) -> match_lists.ListedMatch:
    seats = tuple(match_lists.ListedSeat(at, at + 1, f"bot {at}", 1.4 + at / 5, mu[at], 1.0) for at in range(2))
    return match_lists.ListedMatch(7, 7, "gang-of-dice", 2, "done", 1.0, seats)


@pytest.mark.parametrize(
    "better",
    [{"close": 0.9}, {"leads": 0.8}, {"upset": 1.0}, {"strength": 1.0}, {"drama": 0.7}],
    ids=lambda better: next(iter(better)),
)
def test_each_merit_counts_and_a_fault_or_great_length_counts_against_a_game(better: dict[str, float]) -> None:
    one = replace(PLAIN, **better)  # type: ignore[arg-type]
    assert one.total > PLAIN.total
    assert replace(one, has_fault=True).total < PLAIN.total
    assert replace(one, is_long=True).total < PLAIN.total


def test_merits_are_read_off_the_game_the_ratings_and_the_stored_analysis() -> None:
    even, one_sided = bots_kit.recorded(3, 3), bots_kit.recorded(1, 8)
    scores = [channels.game_score(replay, listed(), 0.5) for replay in (even, one_sided)]
    assert scores[0].close != scores[1].close
    winner = even.places.index(1)
    values = tuple(0.1 if seat == winner else 0.9 for seat in range(2))
    analysis: Any = SimpleNamespace(moments=[SimpleNamespace(values=values)])
    assert channels.game_score(even, listed(), 0.5, analysis).drama == pytest.approx(0.8)
    assert channels.game_score(even, listed((10.0, 30.0)), 0.5).upset == 1.0
    assert "a comeback" in channels.game_score(even, listed(), 0.5, analysis).reasons


platform = pytest.fixture(core_kit.a_platform_after(core_kit.play_a_round), params=core_kit.KINDS)


def test_every_match_is_shown_once_before_any_is_shown_again(platform: core_kit.Platform) -> None:
    database = platform.database
    with database.read() as db:
        channel = channels.ladders_channel(db, "gang-of-dice")
        done = db.exec(select(Match.id).where(Match.purpose == "ladder", Match.state == "done")).all()
        assert channels.channel_of(db, channel.key) == channel
    shown: list[NextItem] = []
    for number in range(1, len(done) + 3):
        planned = chosen(platform, channel)
        assert add_item(database, channel.key, number, planned, 100.0 * number)
        shown.append(planned)
    assert [each.is_repeat for each in shown] == [False] * len(done) + [True] * 2
    assert {each.match_id for each in shown[: len(done)]} == set(done)
    assert [each[:3] for each in shown[len(done) :]] == [each[:3] for each in shown[:2]]


@core_kit.ON_POSTGRESQL
def test_a_screen_counts_all_matches_ranks_all_who_play_and_announces_another_match_of_the_same_bots_as_that(
    platform: core_kit.Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = len(platform.matches(purpose="ladder", state="done"))
    with platform.database.read() as db:
        channel = channels.ladders_channel(db)
        there = screen(db, channel, channels.Schedule(None, None))
        ladder = screen(db, replace(channel, tournaments=(there.subject,)), channels.Schedule(None, None))
        assert (there.over, there.planned) == (done, None)
        assert ladder.over < done
        monkeypatch.setattr("gangland_web.queries.screens.ROWS", 0)
        item = on_show(chosen(platform, channel), channel)
        shown = screen(db, channel, channels.Schedule(item, None))
        now = shown.now
        assert now is not None
        assert len(shown.places) < len(now.players)
        assert ranks_of_item(db, channel, item, None) == tuple(player.rank for player in now.players)
        assert None not in ranks_of_item(db, channel, item, None)
        another: Any = SimpleNamespace(match_id=now.played.match_id + 1)
        other = replace(now, played=another)
        strangers = replace(other, players=(Player(0, "a stranger", None, None), *now.players[1:]))
        told = [replace(there, now=now, next=then).has_same_players_next for then in (None, now, other, strangers)]
    assert told == [False, False, True, False]


def chosen(platform: core_kit.Platform, channel: channels.Channel) -> NextItem:
    planned = platform.read(channels.choose_game, channel)
    assert planned is not None
    return planned


def on_show(planned: NextItem, channel: channels.Channel) -> ChannelItem:
    values = {name: getattr(planned, name) for name in ("match_id", "block", "rotation")}
    values |= {"again": planned.is_repeat, "why": planned.reason}
    return ChannelItem(id=1, channel=channel.key, number=1, starts_at=1.0, ends_at=2.0, **values)


def test_the_programme_is_what_the_clock_says_and_passes_over_what_counts_no_more(platform: core_kit.Platform) -> None:
    database = platform.database
    with database.read() as db:
        channel = channels.ladders_channel(db)
    for number in (1, 2, 3):
        planned = chosen(platform, channel)
        add_item(database, channel.key, number, planned._replace(seconds=100.0), 100.0 * number)
    with database.read() as db:
        found = [channels.schedule_at(db, channel, at) for at in (99.0, 100.0, 250.0, 399.0, 400.0)]
    numbers = [(each.now and each.now.number, each.next and each.next.number) for each in found]
    assert numbers == [(None, 1), (1, 2), (2, 3), (3, None), (None, None)]
    with database.write() as db:
        assert found[2].now is not None
        gone = db.get_one(Match, found[2].now.match_id)
        gone.state, gone.digest, gone.sent_at, gone.void_reason = "void", None, None, "a broken jail"
    with database.read() as db:
        assert channels.schedule_at(db, channel, 250.0).now is None
        then = channels.schedule_at(db, channel, 150.0)
        assert (then.now and then.now.number, then.next and then.next.number) == (1, 3)


@core_kit.ON_POSTGRESQL
def test_nothing_of_an_embargoed_tournament_is_chosen_or_left_in_the_programme(platform: core_kit.Platform) -> None:
    number = tournaments_kit.begin_tournament(platform, deadlines=Deadlines(embargo_until=now_s() + 1000))
    platform.play_all()
    with platform.database.read() as db:
        channel = channels.tournament_channel(db, number)
        match = db.exec(select(Match.id).where(Match.tournament_id == number, Match.state == "done")).first() or 0
        assert channel.public_tournaments == ()
        assert channels.choose_game(db, channel) is None
    add_item(platform.database, channel.key, 1, NextItem(match, 0, 0, 100.0, False, ""), 100.0)
    assert platform.read(channels.schedule_at, channel, 150.0).now is None


@pytest.mark.parametrize(
    ("ratings", "sentence"),
    [
        ((10.0, 25.5, 21.0, None), "two was rated 4.5 above three."),
        ((20.5, 3.0, 20.0), "one and three had almost the same rating."),
        ((8.0, 9.0), "two and one had almost the same rating."),
        ((8.0, None), None),
    ],
)
def test_the_favorite_is_measured_by_whoever_comes_nearest_and_moves_are_told_in_their_order_where_there_is_rating(
    ratings: tuple[float | None, ...], sentence: str | None
) -> None:
    names = ("one", "two", "three", "four")
    before = [None if rating is None else Rating(rating + 3.0, 1.0) for rating in ratings]
    players = [Player(number, names[number], None, rating) for number, rating in enumerate(before)]
    assert stake_of(players) == (() if sentence is None else (sentence,))
    moved = [Player(at, names[at], None, Rating(), move) for at, move in enumerate((-0.24, 1.5))]
    assert rating_changes(moved) == (("two", "+1.5"), ("one", "−0.2"))
    assert rating_changes([Player(0, "one", None, None)]) == ()


def test_what_a_win_was_worth_is_what_the_rating_gives_for_it_and_most_to_whom_it_was_least_expected_of() -> None:
    before = {"first": Rating(30.0, 2.0), "second": Rating(25.0, 2.0), "third": Rating(15.0, 2.0)}
    players = tuple(Player(at, name, None, rating) for at, (name, rating) in enumerate(before.items()))
    wins = wins_of("gang-of-dice", players, 8)
    assert [(win.bot, win.passed) for win in wins] == [("first", ()), ("second", ()), ("third", ())]
    upset = rate("gang-of-dice", list(before.values()), [Fraction(2), Fraction(3), Fraction(1)], blocks=8)[2]
    assert wins[2].points == upset.shown - before["third"].shown
    assert wins_of("gang-of-dice", (*players, Player(3, "new", None, None)), 8) == ()
    names = ("third", "second", "first")
    near = tuple(Player(at, name, None, Rating(25.0 + at / 10, 2.0)) for at, name in enumerate(names))
    passed = {win.bot: win.passed for win in wins_of("gang-of-dice", near, 8)}
    assert passed == {"third": ("first", "second"), "second": ("first",), "first": ()}


def test_a_screen_says_who_would_have_passed_whom_by_winning() -> None:
    wins = [Win("one", 0.5, ()), Win("two", 1.0, ("one",)), Win("three", 2.5, ("one", "two"))]
    assert overtaking_sentence(wins) == ("By winning the match, two would pass one, or three would pass one and two.",)
    assert overtaking_sentence(wins[:1]) == ()
    assert overtaking_sentence([]) == ()
