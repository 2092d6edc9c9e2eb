"""The final table on pages, and its premiere: nothing is told before the organizer shows it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from tests.kits import final_kit, pages_kit, tournaments_kit
from tests.kits.actions_kit import an_organizer, order
from tests.kits.final_kit import FINAL, final_of, finish, order_before, premiered, robin, scheduled, the_cup
from tests.kits.models import ActionKind, Bot, Entry, Event, StoredStandings, Tournament, User, Version, col, select
from tests.kits.tournament_pages_kit import House, a_house

from gangland_ladder.tournaments.lifecycle import Deadlines, MoveRefused, State
from gangland_web.queries.organizing import next_step
from gangland_web.services import accounts, entries, settling
from gangland_web.services.final_tables import PREMIERE

NOW = final_kit.PREMIERE_AT
GAMES = FINAL.blocks * FINAL.seats
GAME_S = 600.0  # longer than screens play any game


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[House]:
    yield from a_house(tmp_path, premiered)


def test_a_premiere_shows_the_bots_then_game_after_game_then_the_podium_and_then_everything(cup: House) -> None:
    platform = cup.platform
    number = the_cup(platform)
    boss, stranger = an_organizer(platform), cup.stranger()
    where, call = f"/tournaments/{number}", f"/api/v1/tournaments/{number}/premiere"
    kept = platform.read(settling.stored_standings, number)
    assert kept is not None
    for listed in (f"{where}/schedule.json", f"/api/v1/tournaments/{number}/schedule"):
        numbers = {row["number"] for row in stranger.get(listed).get_json()["rows"]}
        assert numbers == set(range(1, final_of(platform, number).number)), "who meets there follows from results"
    early = order(platform, boss, ActionKind.MOVE, number, state=State.REVEALED)
    assert "the secret of Spring Cup can only be published after its premiere" in early.message
    seats, steps = set(order_before(platform, number)[: FINAL.seats]), 1 + GAMES + len(kept["podium"])
    with time_machine.travel(NOW, tick=False) as clock:
        for step in range(steps):
            told = stranger.get(call).get_json()
            assert (told["premiered"], told["steps"], told["is_over"]) == (step, steps, False)
            assert {bot["entry"] for bot in told["bots"]} == (seats if step else set())
            games, is_game = max(0, min(step - 1, GAMES)), 1 < step <= 1 + GAMES
            assert (told["playing"], len(told["games"])) == ((games, games - 1) if is_game else (None, games))
            if is_game:
                assert f"Game {games} of {GAMES} is on" in stranger.page(where)
                clock.shift(GAME_S)
                told = stranger.get(call).get_json()
                assert (told["playing"], len(told["games"])) == (None, games)
            means = {bot["mean_place"] is not None for bot in told["bots"]}
            assert means <= {0 < games < GAMES}, "means of all games say who won, before the podium does"
            podium = max(0, step - 1 - GAMES)
            assert [one["entry"] for one in told["podium"]] == kept["podium"][len(kept["podium"]) - podium :]
            assert (f"Next: {told['next']}" if step else "The organizer starts the premiere.") in stranger.page(where)
            for game in told["games"]:
                assert f'rel="canonical" href="http://localhost{where}"' in stranger.page(game["watch"])
            assert stranger.get(f"{where}/standings.json").status_code == 404
            done = order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=step)
            assert (done.state, done.message) == ("done", f"Spring Cup shows {told['next']}")
            twice = order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=step)
            assert twice.state == "refused"
        over = order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=steps)
        assert over.message == "the premiere of Spring Cup is over"
        assert stranger.get(f"{where}/standings.json").get_json()["podium"] == kept["podium"]
        page = stranger.page(where)
        assert not re.search(r"The organizer starts the premiere|Next: ", page)
        assert f"mean place {kept['final_table']['rows'][0]['mean_place']:.2f}" in page
        marks = re.findall(r"final table, (?:was \d|as before)</span>", page)
        assert len(marks) == FINAL.seats, "each of its bots is marked in the standings"
        assert "Before the final table: The first" in page
        rows = stranger.get(f"{where}/standings.json").get_json()
        assert rows["final_table"]["rows"] == kept["final_table"]["rows"]
        assert [row["rank_before"] for row in rows["rows"]] == [row.get("rank_before") for row in kept["rows"]]
        match = stranger.page(f"/matches/{final_of(platform, number).id}")
        assert all(words in match for words in ("3 seats, final table", "The final table is not rated"))
        assert order(platform, boss, ActionKind.MOVE, number, state=State.REVEALED).state == "done"


def test_what_becomes_void_in_mid_premiere_shows_nothing_of_the_podium_before_its_step(cup: House) -> None:
    platform = cup.platform
    number = the_cup(platform)
    boss, stranger = an_organizer(platform), cup.stranger()
    outside = order_before(platform, number)[FINAL.seats]

    def shown() -> dict[str, Any]:
        found: dict[str, Any] = stranger.get(f"/api/v1/tournaments/{number}/premiere").get_json()
        return found

    def told() -> tuple[int, str | None, int, int]:
        found = shown()
        return found["premiered"], found["next"], len(found["games"]), len(found["podium"])

    with time_machine.travel(NOW, tick=False) as clock:
        for step in range(1 + GAMES + 1):
            order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=step)
            if step == 2:  # the next step ends a game that still plays
                assert (shown()["playing"], [game["number"] for game in shown()["games"]]) == (2, [1])
        assert told() == (1 + GAMES + 1, "place 2", GAMES, 1), "a step ends the game before it"
        clock.shift(GAME_S)
        out = order(platform, boss, ActionKind.DISQUALIFY, number, entry=outside, reason="Copied")
        assert out.state == "done"
        scheduled(platform)
        assert told() == (1 + GAMES, "place 3", GAMES, 0)
        void = order(platform, boss, ActionKind.VOID, number, match=final_of(platform, number).id, reason="A bug")
        assert void.state == "done"
        scheduled(platform)
        assert told() == (0, "place 3", 0, 0)
        order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=0)
        assert told() == (1, "place 2", 0, 1)
        for step in (1, 2):
            order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=step)
        assert stranger.get(f"/tournaments/{number}/standings.json").status_code == 200


def test_what_was_shown_of_a_final_table_stays_shown_when_one_of_its_bots_is_disqualified(cup: House) -> None:
    platform = cup.platform
    number = the_cup(platform)
    boss, stranger, path = an_organizer(platform), cup.stranger(), f"/tournaments/{number}"
    finalist = order_before(platform, number)[0]

    def shown() -> dict[str, Any]:
        found: dict[str, Any] = stranger.get(f"/api/v1{path}/premiere").get_json()
        return found

    with time_machine.travel(NOW, tick=False) as clock:
        for step in range(4):  # the bots and three games, the third of which still plays
            clock.shift(GAME_S)
            order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=step)
        before = shown()
        assert (before["playing"], len(before["games"]), before["void_final"]) == (3, 2, None)
        out = order(platform, boss, ActionKind.DISQUALIFY, number, entry=finalist, reason="Copied")
        assert out.state == "done"
        scheduled(platform)
        clock.shift(GAME_S)
        told = shown()
        assert (told["premiered"], told["bots"], told["games"], told["podium"]) == (0, [], [], [])
        void = told["void_final"]
        assert void["games"] == before["games"], "the game that was still on is never shown"
        assert {bot["entry"] for bot in void["bots"]} == {bot["entry"] for bot in before["bots"]}
        assert {bot["mean_place"] for bot in void["bots"]} == {None}
        page = stranger.page(path)
        assert "The final table is void. These results no longer count." in page
        for game in before["games"]:
            assert game["watch"] in page
            assert stranger.get(game["watch"]).status_code == 200
        match = final_of(platform, number).id
        hidden = [(block, rotation) for block in range(FINAL.blocks) for rotation in range(FINAL.seats)][2:]
        watch = f"/embed/matches/{match}/games/"
        assert before["games"][0]["watch"] == f"{watch}0/0"
        assert {stranger.get(f"{watch}{block}/{rotation}").status_code for block, rotation in hidden} == {404}
        order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=0)
        told = shown()
        assert (len(told["podium"]), told["void_final"]) == (1, void)
        assert "The final table is void. These results no longer count." in stranger.page(f"{path}/tv")


def test_a_premiere_has_the_same_steps_for_every_result_and_shows_all_who_share_a_place_in_one(cup: House) -> None:
    platform = cup.platform
    number = the_cup(platform)
    boss, stranger, path = an_organizer(platform), cup.stranger(), f"/tournaments/{number}"
    order(platform, boss, ActionKind.VOID, number, match=final_of(platform, number).id, reason="A bug")
    scheduled(platform)
    kept = platform.get(StoredStandings, number).body
    bots = select(Entry.id, Bot.name).join(Version, col(Version.id) == Entry.version_id)
    bots = bots.join(Bot, col(Bot.id) == Version.bot_id).where(Entry.tournament_id == number)
    names = dict(platform.rows(bots))
    ahead = [row["entry"] for row in kept["rows"][:4]]

    def came_in(*ranks: int) -> None:
        rows = [row | {"rank": rank} for row, rank in zip(kept["rows"], ranks, strict=False)]
        podium = [entry for entry, rank in zip(ahead, ranks, strict=True) if rank <= 3]
        platform.change(StoredStandings, number, body={**kept, "podium": podium, "rows": rows})

    def answers() -> list[tuple[str, str | None]]:
        paths = (f"/api/v1{path}/premiere", f"/api/v1{path}", path, f"{path}/live", f"{path}/tv", f"{path}/tv/live")
        found = [stranger.get(each) for each in paths]
        return [(re.sub(r"nonce-[\w-]+", "", each.text), each.headers.get("ETag")) for each in found]

    def words() -> str:
        return re.sub("<[^>]+>", "", stranger.page(path))

    third = {(1, 2, 3, 4): [2], (1, 1, 3, 4): [2], (1, 2, 2, 4): [], (1, 1, 1, 1): [], (1, 1, 3, 3): [2, 3]}
    with time_machine.travel(NOW, tick=False):
        for step in range(2):
            told: dict[str, Any] = {}
            for ranks, shown in third.items():
                came_in(*ranks)
                found = answers()
                assert told.setdefault(str(shown if step else ""), found) == found, (step, ranks)
                if step:
                    who = ", ".join(names[ahead[at]] for at in shown) or "no bot"
                    assert f"Place 3: {who}. Next: place 2." in words()
            order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=step)
        came_in(1, 1, 3, 3)
        assert "Place 2: no bot. Next: first place." in words()
        assert "<strong>no bot</strong>" in stranger.page(f"{path}/tv")
        order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=2)
        assert stranger.get(f"{path}/standings.json").status_code == 200
        first, second = (names[entry] for entry in ahead[:2])
        screen = stranger.page(f"{path}/tv")
        assert f"{first} and {second} won Spring Cup." in screen
        ranked = re.findall(r'<li data-bot="\d+"><span class="rank">\d', screen)
        assert len(ranked) == len(kept["rows"]), "the standings are shown next to the podium"


def test_a_premiere_has_no_other_end_of_the_embargo_and_needs_a_final_table(house: House) -> None:
    with pytest.raises(ValueError, match="the premiere sets both"):
        robin(house.platform, has_premiere=True, deadlines=Deadlines(embargo_until=NOW))
    with pytest.raises(ValueError, match="a premiere needs a final table"):
        robin(house.platform, has_premiere=True, final_table=None)
    number = robin(house.platform, has_premiere=True)
    stranger = house.stranger()
    screen, page = stranger.page(f"/tournaments/{number}/tv"), stranger.page(f"/tournaments/{number}")
    for words in (
        "At least 0 of 7 matches played", "house0", "The top 3 play once more", "The premiere of the final table.",
    ):  # fmt: skip
        assert words in screen
    assert "At least 0 of 7 matches are played." in page
    boss = an_organizer(house.platform)
    timed = order(house.platform, boss, ActionKind.DEADLINE, number, name="reveals_at", at=NOW + 1e9)
    assert timed.message == "publish the secret after the premiere"
    early = order(house.platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=0)
    assert early.message == "the premiere begins after the last match (under way)"
    with pytest.raises((entries.EntryRefused, MoveRefused)):
        tournaments_kit.go(house.platform, number, State.REVEALED)
    platform = house.platform
    number = robin(platform, name="Autumn Cup")
    page = house.stranger().page(f"/tournaments/{number}")
    assert "The bots at the final table play once more for the places that they hold" in page
    assert "It is being played" in page
    final = final_of(platform, number)
    assert f'href="/matches/{final.id}"' in page


def test_a_screen_plays_each_game_of_a_premiere_from_the_organizers_word_and_then_the_podium(cup: House) -> None:
    platform = cup.platform
    with time_machine.travel(NOW, tick=False) as clock:
        number = the_cup(platform)
        boss, stranger, path = an_organizer(platform), cup.stranger(), f"/tournaments/{number}/tv"

        def step(after: int) -> str:
            done = order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=after)
            assert done.state == "done", done.message
            return stranger.page(path)

        assert "data-premiere" not in stranger.page(path)
        assert "At the final table" in step(0)
        page = step(1)
        assert 'data-now="1" data-premiere' in page
        assert f"after 0 of {GAMES} games" in page, "the score is that of the games before"
        assert "The lowest mean place of all games comes first." in page
        item = stranger.get("/tv/items/1").get_json()
        assert (item["elapsed_s"], item["end"], item["now"], item["next"]) == (0.0, None, 1, None)
        assert f"Game 1 of {GAMES} of the final table." in item["about"]
        assert stranger.get("/tv/items/1?own=1").status_code == 403
        assert "seconds" not in item, "how long the game is stays open"
        clock.shift(GAME_S)
        assert stranger.get("/tv/items/1").get_json()["end"] is not None
        assert f"after 1 of {GAMES} games" in stranger.page(path)
        for after in range(2, 1 + GAMES):
            page = step(after)
            assert f'data-now="{after}" data-premiere' in page
        item = stranger.get("/tv/items/1").get_json()
        assert (item["now"], item["following"]) == (GAMES, None)
        kept = platform.read(settling.stored_standings, number)
        assert kept is not None
        for shown in range(1, len(kept["podium"]) + 1):
            page = step(GAMES + shown)
            assert 'data-now="" data-premiere' in page
            assert page.count("<strong><bdi") == shown
            assert "Results are hidden for now" not in page
        assert " won Spring Cup." in page
        clock.shift(601)
        assert "data-premiere" not in stranger.page(path)


def test_the_console_of_an_event_has_what_its_sentences_name(cup: House) -> None:
    platform = cup.platform
    number = the_cup(platform)
    boss, organizer = an_organizer(platform), cup.stranger()
    with platform.database.write() as session:
        user = session.get_one(User, boss.id)
        user.password_hash = accounts.hash_password(pages_kit.PASSWORD)
        event = Event(name="Class 8b", organizer_id=boss.id, created_at=0.0)
        session.add(event)
        session.flush()
        its = session.get_one(Tournament, number)
        its.event_id, its.organizer_id, name = event.id, boss.id, user.name
        path = f"/organize/events/{event.id}"
    organizer.sign_in(name)
    page = organizer.page(path)
    assert "Show the premiere step by step" in page
    assert '<button class="button">Show the premiere</button>' in page
    assert 'value="revealed"' not in page
    given = {"state": PREMIERE, "after": "0", "event": str(event.id)}
    assert organizer.post(f"/organize/{number}/move", given, form_at=path).location == path
    refused = organizer.post(f"/organize/{number}/move", given | {"reason": "x" * 501}, form_at=path)
    assert (refused.status_code, "All games" in refused.text) == (422, True)
    playing = Tournament(  # type: ignore[call-arg]
        id=0, state=State.PLAYING.value, matches_over=1, matches_planned=9, has_premiere=False
    )
    with platform.database.read() as session:
        stuck = {each: next_step(session, playing, stuck=2, in_event=each) for each in (True, False)}
    assert stuck[True].endswith("2 are delayed: see Matches on its tab.")
    assert stuck[False].endswith("2 are delayed: see Matches below.")


def test_the_screen_of_an_event_goes_on_with_the_next_premiere_while_a_podium_still_stands(cup: House) -> None:
    platform = cup.platform
    with time_machine.travel(NOW, tick=False) as clock:
        first, second = the_cup(platform), finish(platform, name="Second Cup", has_premiere=True)
        boss, stranger = an_organizer(platform), cup.stranger()
        with platform.database.write() as session:
            event = Event(name="Class 8b", organizer_id=boss.id, created_at=0.0)
            session.add(event)
            session.flush()
            path = f"/events/{event.id}/tv"
            for number in (first, second):
                session.get_one(Tournament, number).event_id = event.id

        def step(number: int, after: int) -> str:
            clock.shift(1)
            done = order(platform, boss, ActionKind.MOVE, number, state=PREMIERE, after=after)
            assert done.state == "done", done.message
            return stranger.page(path)

        assert "Spring Cup" in step(first, 0)
        assert f"after 0 of {GAMES} games" in step(first, 1)
        assert "At the final table" in step(second, 0), "the last step is shown, also while another's game still plays"
        for number, name, after in ((first, "Spring Cup", 2), (second, "Second Cup", 1)):
            pages = [step(number, each) for each in range(after, 1 + GAMES + 3)]
            assert f" won {name}." in pages[-1]
