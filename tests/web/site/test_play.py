"""A game of a person on the site, without script: pages and forms, with the worker's part carried by hand."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from sqlmodel import select
from tests.kits.pages_kit import Person, activate_bot
from tests.kits.play_site_kit import BOTS, PlaySite, a_hall, add_bot, begin, decide

from gangland.replay import Replay, load
from gangland_ladder.playing.table_state import LiveTable, Row
from gangland_ladder.viewer import presentation, timeline
from gangland_ladder.viewer.table_view import TableView
from gangland_web.models.jobs import PlayRow
from gangland_web.models.matches import PlayedGame
from gangland_web.queries import matches
from gangland_web.services import play as play_service
from gangland_web.services.play import setup_of

MAX_BYTES = 200 * 1024  # of a table's page with everything it loads


play_site = pytest.fixture(a_hall)


def over_the_wire(person: Person, page: str) -> int:
    named = {*re.findall(r'<(?:link|script|use)\b[^>]*(?:href|src)="([^"#]+)', page)}
    assert all(each.startswith("/") for each in named), f"from elsewhere: {named}"
    files = [person.get(each, headers={"Accept-Encoding": "gzip"}) for each in named]
    assert {each.status_code for each in files} == {200}
    return len(page.encode()) + sum(len(each.data) for each in files)


def game_at(address: str) -> str:
    return f"{address.replace('/play/', '/matches/')}/games/0/0"


def game_of(play_site: PlaySite) -> Replay:
    return load(play_site.site.row(select(PlayedGame.replay)))


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("gang-of-dice", 2),
        ("gangster-dice", 4),
        pytest.param("gang-of-dice", 4, marks=pytest.mark.long("the same at a larger table")),
        pytest.param("gangster-dice", 2, marks=pytest.mark.long("the same at a smaller table")),
    ],
)
def test_a_person_plays_a_game_to_its_end_by_forms_and_learns_no_secret(
    play_site: PlaySite, game: str, seats: int
) -> None:
    bot = add_bot(play_site.site, game)
    person = play_site.site.stranger()
    address = begin(person, game, *[bot] * (seats - 1))
    setup = setup_of(play_site.table())
    secrets = [setup.seed, setup.rng_key, *(seat.code for seat in setup.seats if seat.code is not None)]
    answered, heaviest = 0, ""
    last: dict[str, str] = {}
    while play_site.table().state != "over":
        answer = person.get(address)
        last = dict(re.findall(r'name="(csrf_token|number)" value="([^"]*)"', answer.text))
        heaviest = max(heaviest, answer.text, key=len)
        assert answer.status_code == 200
        everything = f"{answer.headers}{answer.text}"
        assert not [each for each in secrets if each in everything]
        decided = decide(person, address, answer.text)
        assert decided is not None, answer.text
        assert decided.status_code == 303, decided.text
        answered += 1
    assert answered > 1
    assert over_the_wire(person, heaviest) <= MAX_BYTES
    for again in (person.get(address), person.client.post(address, data={**last, "choice": "0"})):
        assert again.location == game_at(address)
    assert "Play again" in person.page(game_at(address))
    assert not play_site.site.rows(select(PlayRow)), "written once: the game has its decisions"


def test_a_long_game_takes_no_more_work_for_each_page_than_a_short_one(
    play_site: PlaySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row is played once in this process, and a finished page is rendered once."""
    taken = Counter[str]()

    class Counted(LiveTable):
        def apply(self, row: Row) -> None:
            taken["rows"] += 1
            super().apply(row)

    def counted_timeline(*given: Any, **more: Any) -> timeline.Timeline:
        taken["timelines"] += 1
        return timeline.timeline_of(*given, **more)

    monkeypatch.setattr(play_service, "LiveTable", Counted)
    monkeypatch.setattr(matches, "timeline_of", counted_timeline)
    person, other = play_site.site.stranger(), play_site.site.stranger()
    address = begin(person, "gang-of-dice", add_bot(play_site.site, "gang-of-dice"))
    while play_site.table().state != "over":
        page = person.page(address)
        assert person.get(address).status_code == person.get(f"{address}?part=x").status_code == 200
        assert decide(person, address, page) is not None
    rows = len(game_of(play_site).decisions)
    assert rows > 1  # the dice decide how long a game is
    assert taken["rows"] <= rows
    table, address = address, game_at(address)
    assert person.post(f"{table}/share", {"shared": "1"}, form_at=address).status_code == 303
    taken.clear()
    third = play_site.site.stranger()
    third.page("/gang-of-dice")  # so that it has a cookie of its own
    for one in (person, other, third, person):
        assert one.get(address).status_code == one.get(f"{address}?seen=1").status_code == 200
    assert taken["timelines"] == 2  # the person's own, in which they are "You", and everybody's


@pytest.mark.parametrize("count", [16, pytest.param(200, marks=pytest.mark.long("two hundred forged answers"))])
def test_forged_late_and_foreign_answers_change_no_row_and_a_page_says_only_what_its_view_says(
    play_site: PlaySite, count: int
) -> None:
    bot = add_bot(play_site.site, "gangster-dice")
    person, other, rng = play_site.site.stranger(), play_site.site.stranger(), Random(7)
    address = begin(person, "gangster-dice", bot)
    token, foreign = person.token(address), other.token("/gangster-dice")
    for _ in range(2):
        assert decide(person, address, person.page(address)) is not None
    live_table = play_site.live_table()
    (seat,) = live_table.setup.humans
    number = live_table.open_question(seat).number
    assert number > 1
    rows = len(live_table.rows)
    now = {"number": str(number)}
    forged: list[dict[str, object]] = [
        {"number": "x", "choice": "0"},
        {**now, "choice": "-1"},
        {**now, "part": "die:99"},
    ]
    forged += [{**now, "choice": "9999"}, {**now}]
    forged += [
        {"number": str(each), "choice": "0"} for each in (*range(number), *range(number + 1, number + count // 5))
    ]
    parts = ["face:1", "number:1", "favor:9", "token:7", "die:0", "rolled:0:9", "\0", "x" * 1000, "favor:1"]
    while len(forged) < count:
        forged.append({**now, "part": [*rng.choices(parts, k=rng.randint(1, 4)), "token:9"]})
    for data in forged:
        refused = person.client.post(address, data={"csrf_token": token, **data})
        status, told = (422, "Not possible: ") if data["number"] == str(number) else (409, "The game has moved on.")
        assert (refused.status_code, told in refused.text) == (status, True), data
        assert other.client.post(address, data={"csrf_token": foreign, **data}).status_code == 404
    assert other.get(address).status_code == 404
    after = play_site.live_table()
    assert len(after.rows) == rows
    assert after.open_question(seat).number == number
    game = "gangster-dice"
    live_table = play_site.live_table()
    (seat,) = live_table.setup.humans
    page = person.page(address)
    drawn = re.search(r"<div data-felt>(.*?</div></div>)</div>\s*<(?:template|/section)", page, re.DOTALL)
    question = live_table.question(seat)
    assert drawn is not None
    assert question is not None
    sprite = re.search(r'href="([^"#]+)#', drawn[1])
    assert sprite is not None
    open_parts = frozenset(part.id for part in question.parts)
    table = TableView(live_table.scene(seat), seat, live_table.names(seat), sprite[1], question.kind, open_parts)
    assert drawn[1] == presentation.presentation_of(game).table_html(table)
    assert "favors, hidden" in drawn[1]
    assert f"Seat {seat + 1}, You" in drawn[1]
    assert "Person" not in page


def test_a_game_that_is_over_says_what_you_came_to_and_is_private_until_it_is_shared_under_a_name(
    play_site: PlaySite,
) -> None:
    person, other = play_site.site.person("ann"), play_site.site.stranger()
    address = begin(person, "gang-of-dice", add_bot(play_site.site, "gang-of-dice"))
    play_site.play_out(person, address)
    assert other.get(address).status_code == 404
    replay, (seat,) = game_of(play_site), setup_of(play_site.table()).humans
    table, address = address, game_at(address)
    assert other.get(table).status_code == 404
    words = {1: r"You (won|tied for first with dicer)\.", 2: r"You finished 2nd of 2; dicer won\."}
    places = timeline.timeline_of(replay, ["a", "b"]).places
    page = person.page(address)
    assert re.search(f"<strong>{words[places[seat]]}</strong>", page)
    assert "<bdi>You</bdi> roll " in page
    assert not re.search(r"Person|\bYou rolls\b|\bYou wins\b", page)
    assert '"start":"end"' in page, "it opens at its result"
    for name, there in (("", "Person"), ("Ace <b>", "Ace &lt;b&gt;")):
        assert person.post(f"{table}/share", {"shared": "1", "name": name}, form_at=address).status_code == 303
        assert other.get(table).location == address
        shared = other.page(address)
        assert f"<bdi>{there}</bdi> rolls " in shared
        assert not re.search(r"You roll|<strong>You|\"start\":\"end\"|id=\"address\"|Play again|\bann\b", shared)
    assert re.search(f'<input id="address" readonly[^>]* value="[^"]*{address}"', person.page(address))
    for name in ("x" * 41, "a\u202eb"):
        assert person.post(f"{table}/share", {"shared": "1", "name": name}, form_at=address).status_code == 422
    person.post(f"{table}/share", {"shared": "0"}, form_at=address)
    assert "Ace" not in person.page(address)
    private = other.get(address)
    assert private.status_code == 404
    assert "it is private" in private.text
    assert "bots' owners" not in private.text
    before = setup_of(play_site.table())
    assert person.post(f"{table}/rematch", {}, form_at=address).status_code == 303
    after = setup_of(play_site.table())
    assert after.seats == (before.seats[-1], *before.seats[:-1]), "it is played again with seats turned"
    assert after.seed != before.seed


def test_how_many_dice_is_one_field_of_a_number_that_the_rules_check(play_site: PlaySite) -> None:
    person = play_site.site.stranger()
    address = begin(person, "gang-of-dice", add_bot(play_site.site, "gang-of-dice"))
    page = person.page(address)
    assert re.search(r'<input id="amount" name="amount" type="number"[^>]* min="1" max="48" required', page)
    assert "Roll dice</button>" in page
    assert "data-more" not in page
    for amount in ("0", "49", "-1", "x", ""):
        refused = person.post(address, {"number": "1", "amount": amount})
        assert refused.status_code == 422
        assert "choose 1 to 48" in refused.text
    assert person.post(address, {"number": "1", "amount": "5"}).status_code == 303
    live_table = play_site.live_table()
    assert next(row.decision for row in live_table.rows if row.seat in live_table.setup.humans) == 5


def test_a_page_on_which_no_game_can_start_says_so_before_it_is_tried(
    play_site: PlaySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, told = play_site.site.stranger(), "No game can start now, because no match worker is running."
    assert told not in person.page("/gang-of-dice")
    monkeypatch.setattr("gangland_web.site.play.match_slots", lambda: 0)
    page = person.page("/gang-of-dice")
    assert told in page
    assert '<a href="/gang-of-dice/learn">learn the game</a>' in page


def test_whoever_leaves_a_table_is_back_at_the_game_and_an_owner_keeps_a_bot_from_playing_persons(
    play_site: PlaySite,
) -> None:
    person = play_site.site.stranger()
    for game in BOTS:
        address = begin(person, game, add_bot(play_site.site, game, f"bot of {game}"))
        left = str(person.post(f"{address}/leave", {}, form_at=address).location)
        assert left == f"/{game}?left=1"
        assert "You left your table." in person.page(left)
        begin(person, game, add_bot(play_site.site, game, f"other of {game}"))
        assert "You left your table." not in person.page(left)
    owner = play_site.site.person("ann")
    bot = activate_bot(play_site.site, "ann", "shy")
    assert "shy" in play_site.site.stranger().page("/gang-of-dice")
    owner.post(f"/bots/{bot}/persons", {"plays": "0"}, form_at=f"/bots/{bot}/settings")
    add_bot(play_site.site, "gang-of-dice")
    assert "shy" not in play_site.site.stranger().page("/gang-of-dice")
    form = "/gang-of-dice"
    answer = play_site.site.stranger().post("/play", {"game": "gang-of-dice", "opponent": str(bot)}, form_at=form)
    assert answer.status_code == 422
    assert "is not available as an opponent now" in answer.text


def test_options_are_played_with_shown_and_kept_in_a_rematch_and_a_hundred_rounds_are_the_most(
    play_site: PlaySite,
) -> None:
    game = "gangster-dice"
    bot = add_bot(play_site.site, game)
    person = play_site.site.stranger()
    form = {"game": game, "opponent": str(bot), "option_characters": "chosen", "option_cast": "don"}
    refused = person.post("/play", form, form_at=f"/{game}")
    assert refused.status_code == 422
    assert 'role="alert" id="problem">' in refused.text
    assert '<option value="chosen" selected>' in refused.text
    options = {"option_characters": "chosen", "option_cast": "don,bobby", "option_round_limit": "3"}
    address = begin(person, game, bot, **options)
    words = "With round limit: 3; characters: chosen; cast: don, bobby."
    assert setup_of(play_site.table()).options == {"round_limit": 3, "characters": "chosen", "cast": ["don", "bobby"]}
    page = person.page(address)
    assert words in page
    assert "Don Ciaperinelli (house rule): His bid on a token that he controlled" in page
    play_site.play_out(person, address)
    assert words in person.page(game_at(address))
    assert game_of(play_site).rounds <= 3
    again = person.post(f"{address}/rematch", {}, form_at=game_at(address)).location
    assert again != address
    assert words in person.page(str(again))
    fields = {"game": game, "opponent": str(bot)}
    refused = person.post("/play", {**fields, "option_round_limit": "101"}, form_at=f"/{game}")
    assert "The round limit must be at most 100, not 101." in refused.text
    begin(person, game, bot, option_round_limit="99")
    assert play_site.table().setup["options"] == {"round_limit": 99}


def test_of_many_steps_a_page_has_the_latest_that_fit(play_site: PlaySite, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = add_bot(play_site.site, "gang-of-dice")
    person = play_site.site.stranger()
    address = begin(person, "gang-of-dice", bot, bot, bot)
    steps: list[str] = []
    while len(steps) < 3 and play_site.table().state == "person":
        decide(person, address, person.page(address))
        steps = re.findall(r"<template data-step=.*?</template>", person.page(address), re.DOTALL)
    tables = [each.partition(">")[2].removesuffix("</template>") for each in steps]
    monkeypatch.setattr("gangland_web.queries.play.STEPS_CHARS", len(tables[-1]) + len(tables[-2]))
    assert re.findall(r"<template data-step=.*?</template>", person.page(address), re.DOTALL) == steps[-2:]
