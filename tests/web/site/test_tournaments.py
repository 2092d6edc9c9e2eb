"""Pages of tournaments: what they show, when, and to whom; and entering."""

import json
import re
from hashlib import sha256

import pytest
import time_machine
from tests.kits import core_kit, pages_kit, table_files_kit
from tests.kits.models import Bot, Entrant, Event, Match, StoredStandings, Tournament, User, col, lock_versions, select
from tests.kits.tournament_pages_kit import House
from tests.kits.tournaments_kit import TO_PLAY, enter, entries_of, go, ids_of, make, seen

from gangland_ladder.tournaments.lifecycle import Deadlines, State, published_count
from gangland_web.app import create_app
from gangland_web.queries.tournaments import frozen_parts
from gangland_web.services import ratings, settling
from gangland_web.services.tournaments import move_tournament
from gangland_web.settings import Settings
from gangland_web.web.limits import Rates

NOW = 1_800_000_000
EMBARGO = Deadlines(embargo_until=NOW + 1000)


def bot_id(house: House, name: str) -> int:
    return house.platform.read(core_kit.bot_named, name).id or 0


def all_of(house: House, number: int) -> list[str]:
    """Return everything that a stranger reads about a tournament, without times."""
    stranger = house.stranger()
    bots = house.platform.rows(select(Bot.id).where(Bot.game == core_kit.GAME).order_by(col(Bot.id)))
    paths = ["/", "/tournaments", "/tournaments.json", f"/tournaments/{number}", f"/tournaments/{number}.json"]
    paths += [f"/tournaments/{number}/matches.csv", f"/tournaments/{number}/archive.tar"]
    paths += [f"/tournaments/{number}?table={table}" for table in ("matches", "entries", "cross", "standings")]
    paths += ["/ladders/gang-of-dice", "/ladders/gang-of-dice.json"]
    paths += [f"/bots/{bot}" for bot in bots]
    event = house.platform.get(Tournament, number).event_id
    paths += ["/tv", "/tv/live", f"/tournaments/{number}/tv", f"/tournaments/{number}/tv/live", "/tv/items/1"]
    paths += [] if event is None else [f"/events/{event}", f"/events/{event}/live", f"/events/{event}/tv"]
    found = [stranger.get(path) for path in paths]
    found += [stranger.get(f"/matches/{match}") for match in sorted(filter(None, ids_of(house.platform, number)))]
    return [f"{answer.status_code} {answer.headers.get('ETag')} {answer.text}" for answer in found]


def put_into_event(house: House, number: int) -> None:
    with house.platform.database.write() as session:
        session.add(Event(id=1, name="Dice Night", created_at=NOW))
        session.flush()
        session.get_one(Tournament, number).event_id = 1


def playing(house: House, **changed: object) -> int:
    number = make(house.platform, **changed)
    go(house.platform, number, *TO_PLAY)
    return number


def finish(house: House, number: int) -> None:
    house.platform.play_all()
    house.platform.recorder.schedule()
    assert seen(house.platform, number).state == "finished"


def finished(house: House) -> int:
    finish(house, number := playing(house))
    return number


def test_a_draft_is_nobodys_to_see_and_the_secret_promised_and_shown_with_its_commands(house: House) -> None:
    number, stranger = make(house.platform), house.stranger()
    cancelled = make(house.platform, name="Never told")
    go(house.platform, cancelled, State.CANCELED)
    for nothing in (f"{number}", f"{cancelled}.json", "999999", "1"):  # the last is a ladder
        assert stranger.get(f"/tournaments/{nothing}").status_code == 404
    assert stranger.get("/tournaments.json").get_json()["tournaments"] == []
    go(house.platform, number, State.ANNOUNCED)
    page, promised = stranger.page(f"/tournaments/{number}"), seen(house.platform, number).commitment
    assert promised in page
    assert "published after the last match" in page
    assert "Spring Cup" in stranger.page("/tournaments")
    go(house.platform, number, *TO_PLAY[1:])
    secret = seen(house.platform, number).secret.hex()
    finish(house, number)
    for path in (f"/tournaments/{number}", f"/tournaments/{number}.json", f"/tournaments/{number}?table=matches"):
        assert secret not in stranger.page(path)
    go(house.platform, number, State.REVEALED)
    page = stranger.page(f"/tournaments/{number}")
    assert f"printf %s {secret} | xxd -r -p | sha256sum" in page
    assert f"--commitment {promised}" in page
    assert stranger.get(f"/tournaments/{number}.json").get_json()["secret"] == secret
    assert sha256(bytes.fromhex(secret)).hexdigest() == promised


def test_an_author_enters_and_leaves_with_their_own_bot_until_entries_are_frozen(house: House) -> None:
    ann, bob = house.author("Ann", "anns"), house.author("Bob", "bobs")
    number, mine = make(house.platform, join_code="velvet"), bot_id(house, "anns")
    go(house.platform, number, State.ANNOUNCED)
    where, stranger = f"/tournaments/{number}", house.stranger()
    assert "Enter bot" not in ann.page(where)
    assert f'href="{where}"' not in ann.page(f"/bots/{mine}/games")
    go(house.platform, number, State.OPEN)
    assert ">anns</option>" in ann.page(where)
    wrong = ann.post(f"{where}/enter", {"bot": mine, "join_code": "silk"}, form_at=where)
    assert (wrong.status_code, "not the join code of" in wrong.text) == (422, True)
    coded = {"bot": mine, "join_code": "velvet"}
    assert ann.post(f"{where}/enter", coded, form_at=where).status_code == 303
    page = ann.page(where)
    assert "anns has been entered." in page
    assert f'href="{where}"' in ann.page(f"/bots/{mine}/games")
    assert "Withdraw" in page
    assert ann.post(f"{where}/leave", {"bot": mine}, form_at=where).status_code == 303
    assert ann.post(f"{where}/enter", coded, form_at=where).status_code == 303
    for way in ("enter", "leave"):
        for bot in (mine, bot_id(house, "house0"), 0, "x", "9" * 30):
            answer = bob.post(f"{where}/{way}", coded | {"bot": bot}, form_at=where)
            assert (answer.status_code, "Choose one of your own bots." in answer.text) == (422, True)
    assert house.platform.rows(select(Entrant.bot_id).where(Entrant.tournament_id == number)) == [mine]
    assert f"/sign-in?next={where}" in stranger.page(where).replace("%2F", "/")
    back = stranger.post(f"/sign-in?next={where}", {"name": "Ann", "password": pages_kit.PASSWORD})
    assert back.headers["Location"].endswith(where)
    token = ann.token(where)
    go(house.platform, number, State.FROZEN)
    for way in ("enter", "leave"):
        answer = ann.client.post(f"{where}/{way}", data={"csrf_token": token, **coded})
        assert answer.status_code == 422
        assert "(entries closed)" in answer.text
    assert "anns" in ann.page(where)
    assert {part["bot"] for part in ann.get(f"{where}/entries.json").get_json()["rows"]} >= {"anns", "house0"}


def test_the_page_tells_how_far_it_is_who_meets_whom_and_why_it_was_cancelled(house: House) -> None:
    number = playing(house)
    stranger = house.stranger()
    assert "0 of 6 matches are played" in stranger.page(f"/tournaments/{number}")
    house.platform.recorder.dispatch()
    mine = ids_of(house.platform, number)
    match_job = next(match_job for _, match_job in house.platform.post.sent if match_job.id in mine)
    house.platform.finish(match_job)
    page = stranger.page(f"/tournaments/{number}")
    assert "1 of 6 matches are played" in page
    assert f'data-live="/tournaments/{number}/live" data-every="2"' in page
    part = stranger.get(f"/tournaments/{number}/live")
    assert "".join(part.text.split()) in "".join(page.split())
    assert "Standings so far" in part.text
    assert "data-every" in stranger.page(f"/tournaments/{number}/live")
    again = stranger.get(f"/tournaments/{number}/live", headers={"If-None-Match": part.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    matches = f"/tournaments/{number}?table=matches"
    listed = stranger.page(matches)
    assert all(f'href="/matches/{match}"' in listed for match in mine)
    one = entries_of(house.platform, number)[0].id
    assert stranger.page(f"{matches}&entry={one}").count('href="/matches/') == 3
    assert stranger.page(f"{matches}&after=4").count('href="/matches/') == 2
    assert stranger.get(f"{matches}&after=x").status_code == 400
    assert stranger.get(f"/tournaments/{number}?table=poker").status_code == 400
    moved = stranger.get(f"/tournaments/{number}/matches?entry={one}")
    assert (moved.status_code, moved.location) == (301, f"/tournaments/{number}?entry={one}&table=matches")
    house.platform.write_row(move_tournament, Tournament, number, State.CANCELED, note="<b>the roof fell in</b>")
    page = house.stranger().page(f"/tournaments/{number}")
    assert "&lt;b&gt;the roof fell in" in page
    assert "Standings" not in page
    assert seen(house.platform, number).secret.hex() in page


def test_finished_standings_are_fitted_by_the_recorder_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    number = finished(house)
    kept = house.platform.read(settling.stored_standings, number)
    assert kept is not None
    assert json.loads(json.dumps(house.platform.read(settling.fit_standings, number))) == kept
    assert house.platform.read_row(settling.final_standings, Tournament, number) == kept
    live = house.stranger().get(f"/tournaments/{number}/live").text
    assert "6 of 6 matches are played" in live
    assert 'data-every="2"' in live, "the secret is still to come"
    own = f"/tournaments/{number}"
    of_tables = {own: 2, f"{own}?table=standings": 2, f"{own}?table=entries": 1, f"{own}?table=cross": 1}
    of_tables |= {f"{own}?table=matches": 1, "/tournaments": 1}
    for path, least in of_tables.items():
        assert table_files_kit.check_tables(house.stranger(), path) == least, path
    kept["rows"][0]["next_below"] = None
    house.platform.change(StoredStandings, number, body=kept)
    page = house.stranger().page(f"/tournaments/{number}")
    for row in kept["rows"]:
        assert f'<td class="num">{row["range"]}</td>' in page
    for top in kept["top"]:
        several = f"The first {top['k']} places"
        places, verb, goes = ("First place", "is", "goes") if top["k"] == 1 else (several, "are", "go")
        known, uncertain = f"{places} {goes} to" in page, f"{places} {verb} too close to call" in page
        assert (known, uncertain) == (top["settled"], not top["settled"])
    parts = house.platform.read_row(frozen_parts, Tournament, number)
    names = {part.entry.id: part.bot for part in parts if part.entry}
    assert page.count('<span class="soft">no bot</span>') == sum(row["next_below"] is None for row in kept["rows"][:-1])
    assert f"<strong><bdi>{names[kept['podium'][0]]}</bdi></strong>" in page
    assert ("Too early to name the best" in page) == (not kept["enough"])
    result = house.stranger().get(f"/tournaments/{number}/standings.json").get_json()
    assert (result["podium"], result["top"]) == (kept["podium"], kept["top"])
    assert [row["strength"] for row in result["rows"]] == [row["strength"] for row in kept["rows"]]
    assert len(house.stranger().get(f"/tournaments/{number}/cross.json").get_json()["rows"]) == 12
    pages = "".join(house.stranger().page(path) for path in of_tables)
    files = set(re.findall(rf'href="(/tournaments/{number}/\w+\.\w+)"', pages))
    assert len(files) == 19
    for file in files:
        assert house.stranger().get(file).status_code == 200
    with house.platform.database.write() as session:
        session.delete(session.get_one(StoredStandings, number))

    def forbidden(*_: object) -> None:
        raise AssertionError("a page fitted standings")

    monkeypatch.setattr("gangland_web.services.settling.fit_standings", forbidden)
    assert "The final standings are being calculated" in house.stranger().page(f"/tournaments/{number}")
    result = house.stranger().get(f"/tournaments/{number}.json").get_json()
    assert result["results_shown"] is True
    monkeypatch.undo()
    with house.platform.database.write() as session:
        lock_versions(session)
        match = session.exec(select(Match).where(Match.tournament_id == number, Match.number == 1)).one()
        match.state, match.void_reason, match.digest, match.sent_at = "void", "taken out", None, None
        session.add(match)
        session.flush()
        ratings.update_ratings_from(session, session.get_one(Tournament, number), 1)
    assert house.platform.read(settling.stored_standings, number) is None
    assert settling.store_standings(house.platform.database) == 1
    assert settling.store_standings(house.platform.database) == 0
    kept = house.platform.read(settling.stored_standings, number)
    assert kept is not None
    assert kept["blocks"] == 10


def test_under_an_embargo_nothing_tells_what_came_of_it(house: House) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        number = playing(house, deadlines=EMBARGO)
        put_into_event(house, number)
        house.platform.recorder.sweep()
        mine = ids_of(house.platform, number)
        one = next(match_job for _, match_job in house.platform.post.sent if match_job.id in mine)
        house.platform.finish(one, core_kit.void(one))
        house.platform.play_all()
        house.platform.recorder.schedule()
        assert seen(house.platform, number).state == "finished"
        result = all_of(house, number)
        secret_words = ["faults", "Wins", "Standings", "mean place", "platform fault", '"standings"', "void"]
        for text in [*result[3:5], *result[7:11]]:
            assert [word for word in secret_words if word in text] == []
            assert not re.search(r"/matches/\d", text)
        assert json.loads(result[4].split(" ", 2)[2])["results_shown"] is False
        assert all(text.startswith("404") for text in result[-len(mine) :])
        stranger, of_event = house.stranger(), ("/events/1", "/events/1/live")
        held = {path: stranger.get(path).headers["ETag"] for path in of_event}
        clock.move_to(NOW + 1000)
        after = all_of(house, number)
        assert "Standings" in after[3]
        for path, mark in held.items():
            page = stranger.get(path, headers={"If-None-Match": mark}).text
            assert f"{len(mine)} of {len(mine)} matches played" in page
            assert "Standings" in page
        assert json.loads(after[4].split(" ", 2)[2])["results_shown"] is True
        assert all(text.startswith("200") for text in after[-len(mine) :])


def test_under_an_embargo_matches_are_counted_in_steps(house: House) -> None:
    """A match with a failing bot is over soon, so exact counts would reveal it."""
    with time_machine.travel(NOW, tick=False) as clock:
        number = playing(house, deadlines=EMBARGO)
        put_into_event(house, number)
        with house.platform.database.write() as session:
            for match in session.exec(select(Match).where(Match.tournament_id == number)):
                match.created_at = NOW + match.number / 1000
        house.platform.recorder.sweep()
        clock.shift(7)
        stranger, below = house.stranger(), f"/tournaments/{number}"
        counts = [
            f"{below}/live", f"{below}/progress.csv", "/tournaments.csv", f"/api/v1{below}", "/api/v1/tournaments",
            *("/status.json", "/status.csv", "/status/live", "/api/v1/status"),
        ]  # fmt: skip

        def answers() -> list[str]:
            return [*all_of(house, number), *(stranger.get(path).text for path in counts)]

        mine, before = ids_of(house.platform, number), answers()
        for _, match_job in list(house.platform.post.sent):
            if match_job.id in mine:
                house.platform.finish(match_job, core_kit.play_job(match_job))
                assert seen(house.platform, number).matches_over > 0
                assert answers() == before
                house.platform.recorder.sweep()
                break
        assert answers() == before
        assert f" of {len(mine)}" in before[3]
        finish(house, number)
        assert json.loads(stranger.get(f"{below}.json").text)["matches_over"] == len(mine)


@pytest.mark.parametrize(
    ("over", "planned", "result"), [(0, 6, 0), (5, 6, 0), (6, 6, 6), (39, 1000, 0), (299, 1000, 200)]
)
def test_how_many_matches_an_embargo_lets_be_told(over: int, planned: int, result: int) -> None:
    assert published_count(over, planned) == result


def test_what_an_organizer_sees_is_never_given_to_others(house: House) -> None:
    settings = Settings(house.folder, None, None, None, secret_key="for tests only")
    rates = Rates(*["10000 per hour"] * 7)
    house.app = create_app(settings, database=house.platform.database, rates=rates, live_s=3600)
    with time_machine.travel(NOW, tick=False):
        boss, ann = house.stranger(), house.author("Ann", "anns")
        boss.sign_up("Boss")
        draft, number = make(house.platform, name="Autumn Cup"), make(house.platform, deadlines=EMBARGO)
        with house.platform.database.write() as session:
            user = session.exec(select(User).where(User.name == "Boss")).one()
            user.role = "organizer"
            for each in (draft, number):
                session.get_one(Tournament, each).organizer_id = user.id
        live = f"/tournaments/{draft}/live"
        assert "draft" in boss.page(f"/tournaments/{draft}")
        assert "draft" in boss.page(live)
        assert [who.get(live).status_code for who in (ann, house.stranger())] == [404, 404]
        go(house.platform, draft, State.ANNOUNCED)
        assert [who.get(live).status_code for who in (ann, house.stranger())] == [200, 200]
        for path in ("/live", "/status/live", live):
            first = house.stranger().get(path)
            house.platform.change(Tournament, draft, name=f"Cup as of {path}")
            held = {"If-None-Match": first.headers["ETag"]}
            assert house.stranger().get(path, headers=held).status_code == 304
        where = f"/tournaments/{number}"
        live = f"{where}/live"
        go(house.platform, number, State.ANNOUNCED, State.OPEN)
        enter(house.platform, number, "anns")
        go(house.platform, number, State.FROZEN, State.PLAYING)
        house.platform.play_all()
        assert f'data-live="{live}?own=1"' in boss.page(where)
        assert "Standings so far" in boss.page(live)
        assert "Standings so far" in boss.page(f"{live}?own=1")
        for other in (ann, house.stranger(), ann):
            assert "Standings so far" not in other.page(live)
            assert "Standings so far" not in other.page(f"{live}?own=1")
        for shared in (f"/cards{where}.png", f"/feeds{where}.atom"):  # caches keep these
            assert boss.get(shared).data == ann.get(shared).data
        page = ann.page(where)
        assert [f'<a href="/organize/{number}">Console</a>' in shown for shown in (page, boss.page(where))] == [
            False,
            True,
        ]
        assert f'data-live="{live}"' in page
        assert f'data-mine="{bot_id(house, "anns")}"' in page
        assert "data-mine" not in ann.page(live)
        finish(house, number)
        match = min(filter(None, ids_of(house.platform, number)))
        assert "Standings" in boss.page(where)
        assert "Every game" in boss.page(f"/matches/{match}")
        assert "Standings" not in ann.page(where)
        assert ann.get(f"/matches/{match}").status_code == 404
        answer = boss.get(f"{where}.json")
        assert "private" in answer.headers["Cache-Control"]
        assert answer.headers["ETag"] != ann.get(f"{where}.json").headers["ETag"]
