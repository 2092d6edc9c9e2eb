"""What the API tells is what the pages show, to the same people; lists go on where they broke off."""

import json
from typing import Any

import pytest
from tests.kits.api_kit import Program, World, a_world, refused

world = pytest.fixture(a_world, scope="module")


@pytest.fixture(scope="module")
def stranger(world: World) -> Program:
    return Program(world.site, None)


@pytest.fixture(scope="module")
def ann(world: World) -> Program:
    return world.program("Ann", "read")


SAME = {
    "/bots/{BOT}/places?seats=3": "/bots/{BOT}/places.json?seats=3",
    "/bots/{BOT}/matches": "/bots/{BOT}/matches.json",
    "/ladders/gang-of-dice/3": "/ladders/gang-of-dice.json?seats=3", "/matches": "/matches.json",
    "/tournaments/{HIDDEN}/schedule": "/tournaments/{HIDDEN}/schedule.json",
}  # fmt: skip
"""What `tests/web/test_one_surface.py` does not compare."""


def test_tables_are_those_of_pages_and_a_game_is_told_decision_by_decision(world: World, stranger: Program) -> None:
    browser = world.site.stranger()
    for call, page in SAME.items():
        result = stranger.read(call.format(**world.named))["rows"]
        assert result == browser.get(page.format(**world.named)).get_json()["rows"], call
        assert result, call
    result = stranger.read(f"/matches/{world.named['MATCH']}/games/0/0")
    replay = json.loads(stranger.get(result["replay"].removeprefix("/api/v1")).text)
    assert (result["game"], result["rounds"], len(result["names"])) == (replay["game"], replay["rounds"], 2)
    assert len(result["decisions"]) == len({decision["at"] for decision in result["decisions"]}) > 2
    assert {decision["log"] for decision in result["decisions"]} == {""}


@pytest.mark.parametrize(
    "call",
    [
        "/tournaments/{TOURNAMENT}/results.ndjson",
        "/tournaments/{TOURNAMENT}/games.ndjson",
        "/ladders/gang-of-dice/2/days/{DAY}/results.ndjson",
    ],
)
def test_every_stream_goes_on_where_it_was_broken_off(world: World, stranger: Program, call: str) -> None:
    path = call.format(**world.named)
    whole = [json.loads(line) for line in stranger.get(path).text.splitlines()]
    middle = whole[len(whole) // 2]["number"]
    rest = [json.loads(line) for line in stranger.get(f"{path}?after={middle}").text.splitlines()]
    assert rest == [line for line in whole if line["number"] > middle]
    assert stranger.get(f"{path}?after={whole[-1]['number']}").text == ""


def pages(program: Program, path: str, member: str) -> list[Any]:
    found: list[Any] = []
    while path:
        result = program.read(path)
        assert result[member]
        found += result[member]
        path = (result["next"] or "").removeprefix("/api/v1")
    return found


@pytest.mark.parametrize(
    ("path", "member", "key"),
    [
        ("/bots?game=gang-of-dice", "bots", "id"), ("/tournaments?", "tournaments", "id"),
        ("/ladders/gang-of-dice/2?", "rows", "bot_id"), ("/ladders/gang-of-dice/2/days?", "rows", "day"),
        ("/tournaments/{TOURNAMENT}/schedule?", "rows", "number"),
        ("/ladders/gang-of-dice/2/matches?", "rows", "match"),
    ],
)  # fmt: skip
def test_a_list_is_the_same_in_small_pages(world: World, stranger: Program, path: str, member: str, key: str) -> None:
    path = path.format(**world.named)
    whole, small = (pages(stranger, f"{path}&limit={limit}".replace("?&", "?"), member) for limit in (100, 2))
    assert [row[key] for row in small] == [row[key] for row in whole]
    assert len(whole) > 2


def test_a_bot_is_found_by_any_spelling_and_a_team_has_its_members(world: World, stranger: Program) -> None:
    (found,) = stranger.read("/bots?game=gang-of-dice&name=AnnS")["bots"]
    assert (found["name"], found["owner"], str(found["id"])) == ("anns", "Ann", world.named["ANNS_BOT"])
    assert stranger.read("/bots?name=nobody")["bots"] == []
    whole = stranger.read(f"/bots/{found['id']}")
    assert ({name: whole[name] for name in found}, whole["active_version"]) == (found, 1)
    result = stranger.read(f"/teams/{world.named['TEAM']}")
    assert (result["name"], result["bots"]) == ("The Aces", [])
    assert [(member["name"], member["captain"]) for member in result["members"]] == [
        ("Boss", True), ("Bob", False), ("Root", False),
    ]  # fmt: skip
    assert str(world.program("Bob", "read").read("/me")["team"]) == world.named["TEAM"]
    refused(stranger.get("/teams/999"), 404, "E310")


HIDDEN = ("/standings", "/results.ndjson", "/games.ndjson", "/archive.tar", "/cross")


def test_what_is_under_embargo_is_shown_to_its_organizer_with_a_token_that_may_read_alone(world: World) -> None:
    tournament, match = world.named["HIDDEN"], world.named["HIDDEN_MATCH"]
    paths = [f"/tournaments/{tournament}{what}" for what in HIDDEN]
    paths += [f"/matches/{match}", f"/matches/{match}/games", f"/matches/{match}/replays.ndjson"]
    paths += [f"/matches/{match}/games/0/0", f"/matches/{match}/games/0/0/replay"]
    closed = [Program(world.site, None), world.program("Ann", "read"), world.program("Other", "read")]
    closed.append(world.program("Boss", "upload"))
    for path in paths:
        for one in closed:
            refused(one.get(path), 404, "E310")
        for name in ("Boss", "Root"):
            assert world.program(name, "read").get(path).status_code == 200, (name, path)
    draft = world.program("Boss", "read").read(f"/tournaments/{world.named['DRAFT']}")
    assert (draft["state"], draft["commitment"]) == ("draft", None)
    for one in closed:
        result = one.read(f"/tournaments/{tournament}")
        assert (result["results_shown"], result["secret"], result["archive"]) == (False, None, None)
        assert {row["mean_place"] for row in one.read(f"/tournaments/{tournament}/schedule")["rows"]} == {None}
        assert {row["wins"] for row in one.read(f"/tournaments/{tournament}/entries")["rows"]} == {None}


def test_logs_sources_and_trials_are_their_owners_and_the_same_again_is_free(world: World, ann: Program) -> None:
    bot = world.named["ANNS_BOT"]
    trial = ann.read(f"/bots/{bot}/versions/1")["trials"][0]["match"]
    for one in (world.program("Bob", "read"), world.program("Root", "read")):
        assert one.read(f"/bots/{bot}/versions/1")["trials"] == []
        refused(one.get(f"/bots/{bot}/versions/1/source"), 404, "E310")
        refused(one.get(f"/matches/{trial}"), 404, "E310")
    assert b"# anns" in ann.get(f"/bots/{bot}/versions/1/source").data
    assert ann.read(f"/matches/{trial}")["purpose"] == "trial"
    found = [seat["match"] for seat in ann.read(f"/bots/{bot}/matches")["rows"] if seat["bot"] == "anns"]
    (log,) = ann.read(f"/matches/{found[0]}/games/0/0/logs")["logs"]
    assert (log["bot"], "was here" in log["parts"][0]["text"]) == ("anns", True)
    bobs = world.program("Bob", "read").read(f"/matches/{found[0]}/games/0/0/logs")["logs"]
    assert "anns" not in [log["bot"] for log in bobs]
    named = {**world.named, "BLOCK": "0", "ROTATION": "0"}
    for path in ("/ladders", "/games", "/me/bots", "/tournaments/{TOURNAMENT}", "/matches/{MATCH}/games/0/0/replay"):
        first = ann.get(path.format(**named))
        again = ann.get(path.format(**named), headers={"If-None-Match": first.headers["ETag"]})
        assert (first.status_code, again.status_code, again.data) == (200, 304, b"")
        assert ann.get(path.format(**named), headers={"If-Match": '"other"'}).status_code == 200  # for writers alone
        assert "RateLimit-Remaining" in again.headers
