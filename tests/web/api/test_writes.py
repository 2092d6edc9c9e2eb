"""What programs do by the API is what people do on the pages: by the same services, to their own things alone."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from tests.kits import models, pages_kit, served_kit
from tests.kits.api_kit import Program, World, build_world, refused

from gangland_web.base.formats import now_s
from gangland_web.services import leaving, teams, tokens
from gangland_web.web.middleware import FORM_BYTES

DRAFT = {"name": "Spring Cup", "game": "gang-of-dice", "seats": 2, "blocks": 4, "house_ranked": True}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    built = build_world(tmp_path)
    yield built
    built.platform.database.close()


def count(world: World, table: Any) -> int:
    return len(world.site.rows(models.select(table)))


def test_an_author_does_with_a_token_what_the_pages_let_them_do(world: World) -> None:
    ann, bob = world.program("Ann", "read", "upload", "write"), world.program("Bob", "write", "upload")
    bot, tournament = int(world.named["ANNS_BOT"]), world.named["OPEN"]
    requested = ann.post("/challenges", {"bot": bot, "opponents": ["HOUSE1"]})
    match = requested.get_json()["match"]
    assert (requested.status_code, requested.headers["Location"]) == (201, f"/api/v1/matches/{match}")
    assert ann.read("/me/challenges")["challenges"][0] == requested.get_json()
    refused(bob.post("/challenges", {"bot": bot, "opponents": ["house1"]}), 422, "E312")
    refused(ann.post("/challenges", {"bot": bot, "opponents": ["nobody"]}), 422, "E312")

    assert ann.post(f"/tournaments/{tournament}/entries", {"bot": bot}).get_json()["entered"] is True
    assert "anns" in [row["bot"] for row in ann.read(f"/tournaments/{tournament}/entries")["rows"]]
    refused(bob.post(f"/tournaments/{tournament}/entries", {"bot": bot}), 404, "E310")
    refused(bob.call("DELETE", f"/tournaments/{tournament}/entries/{bot}"), 404, "E310")
    assert ann.call("DELETE", f"/tournaments/{tournament}/entries/{bot}").get_json()["entered"] is False
    coded = world.named["CODED"]
    refused(ann.post(f"/tournaments/{coded}/entries", {"bot": bot, "join_code": "guess"}), 422, "E312")
    assert ann.post(f"/tournaments/{coded}/entries", {"bot": bot, "join_code": "open sesame"}).status_code == 200
    refused(ann.post(f"/tournaments/{world.named['PLAYING']}/entries", {"bot": bot}), 422, "E312")
    refused(ann.post(f"/tournaments/{world.named['DRAFT']}/entries", {"bot": bot}), 404, "E310")

    form = {"file": (BytesIO(pages_kit.SOURCE + b"# braver\n"), "anns.py"), "note": "braver"}
    sent = ann.call("POST", f"/bots/{bot}/versions", data=form)
    assert (sent.status_code, sent.get_json()["version"], sent.get_json()["bot"]) == (201, 2, "anns")
    refused(bob.call("POST", f"/bots/{bot}/versions", data={"file": (BytesIO(pages_kit.SOURCE), "x.py")}), 404, "E310")
    refused(bob.call("DELETE", f"/bots/{bot}/versions/2"), 404, "E310")
    refused(ann.call("DELETE", f"/bots/{bot}/versions/1"), 422, "E312")
    assert ann.call("DELETE", f"/bots/{bot}/versions/2").get_json() == {"bot": bot, "number": 2}
    refused(ann.call("DELETE", f"/bots/{bot}/versions/2"), 404, "E310")
    assert ann.post(f"/bots/{bot}/retire").get_json()["was_in_play"] is True
    refused(bob.post(f"/bots/{bot}/retire"), 404, "E310")
    assert ann.post(f"/bots/{bot}/versions/1/restore").get_json()["version"] == 2
    refused(bob.post(f"/bots/{bot}/versions/1/restore"), 404, "E310")


def test_a_token_ends_others_and_itself_and_is_useless_when_its_owner_is_gone(world: World) -> None:
    ann, other = world.program("Ann", "write"), world.program("Ann", "read")
    number = other.read("/me/tokens")["tokens"][0]["id"]
    refused(world.program("Bob", "write").call("DELETE", f"/me/tokens/{number}"), 404, "E310")
    assert ann.call("DELETE", f"/me/tokens/{number}").get_json()["good"] is False
    refused(other.get("/token"), 401, "E304")
    assert ann.call("DELETE", "/token").status_code == 200
    refused(ann.get("/token"), 401, "E304")
    gone = served_kit.author(world.site, "Gone")
    leaving.delete_account(world.site.database, gone)
    refused(Program(world.site, served_kit.new_token(world.site, gone, "read")).get("/me"), 401, "E304")


def ordered(world: World, boss: Program, tournament: str, **what: Any) -> dict[str, Any]:
    answer = boss.post(f"/organize/tournaments/{tournament}/orders", what)
    assert answer.status_code == 202, answer.text
    assert answer.get_json()["state"] == "waiting"
    world.platform.recorder.schedule()
    result: dict[str, Any] = boss.read(answer.headers["Location"].removeprefix("/api/v1"))
    return result


def test_an_organizer_takes_a_tournament_from_a_draft_to_results_that_are_put_right(world: World) -> None:
    boss = world.program("Boss", "read", "organize")
    assert boss.post("/organize/estimate", {**DRAFT, "expected": 6}).get_json()["matches"] == 45
    tournament = boss.post("/organize/tournaments", DRAFT).headers["Location"].rpartition("/")[2]
    changed = {**DRAFT, "blocks": 1, "options": {"deck": "box18"}, "starts_at": "2999-01-01T00:00:00Z"}
    result = boss.call("PUT", f"/organize/tournaments/{tournament}", json=changed).get_json()["draft"]
    assert (result["blocks"], result["options"]) == (1, {"deck": "box18"})
    assert result["starts_at"] == "2999-01-01T00:00:00Z"
    copied = boss.post(f"/organize/tournaments/{tournament}/copy", {"name": "Copy"}).get_json()["draft"]
    assert (copied["options"], copied["starts_at"]) == ({"deck": "box18"}, None)
    other = copied["id"]
    assert boss.call("DELETE", f"/organize/tournaments/{other}").get_json()["draft"]["state"] == ("cancelled")
    blank = {**DRAFT, "join_code": " " * 4}
    refused(boss.call("PUT", f"/organize/tournaments/{tournament}", json=blank), 422, "E312")
    plain = boss.call("PUT", f"/organize/tournaments/{tournament}", json={**DRAFT, "blocks": 1}).get_json()["draft"]
    assert (plain["options"], plain["starts_at"]) == ({}, None)
    for state in ("announced", "open", "frozen", "playing"):
        assert ordered(world, boss, tournament, kind="move", state=state)["state"] == "done"
    refused(boss.call("PUT", f"/organize/tournaments/{tournament}", json=DRAFT), 422, "E312")
    world.platform.play_all()
    world.platform.recorder.schedule()
    entry = boss.read(f"/tournaments/{tournament}/standings")["rows"][0]["entry"]
    assert ordered(world, boss, tournament, kind="void", match=1, reason="Power cut")["state"] == "done"
    out = ordered(world, boss, tournament, kind="disqualify", entry=entry, reason="It copied")
    assert (out["state"], out["entry"]) == ("done", entry)
    late = ordered(world, boss, tournament, kind="rerun", match=2, reason="Again")
    assert (late["state"], "no match can be played again" in late["message"]) == ("refused", True)
    lines = boss.read(f"/organize/tournaments/{tournament}/log?limit=100")["lines"]
    assert {line["actor"] for line in lines} == {"Boss", None}
    token = boss.token.split("_")[1] if boss.token else ""
    assert {line["address"] for line in lines if line["actor"]} == {f"127.0.0.1, token {token}"}


def test_what_an_organizer_sends_is_held_to_the_consoles_rules_and_an_order_sent_again_given_once(world: World) -> None:
    boss, tournament = world.program("Boss", "organize"), world.named["PLAYING"]
    orders = f"/organize/tournaments/{tournament}/orders"
    for body in (
        {"kind": "bribe"}, {"kind": "move", "state": "over"}, {"kind": "void", "match": 1, "reason": " "},
        {"kind": "void", "match": 1}, {"kind": "deadline", "name": "tea", "at": "2099-01-01T00:00:00Z"},
        {"kind": "move", "state": "paused", "by": "me"},
    ):  # fmt: skip
        refused(boss.post(orders, body), 422, "E309")
    for match, reason in ((999, "x"), (1, "\u200b \u2800")):  # everybody reads the reason
        refused(boss.post(orders, {"kind": "void", "match": match, "reason": reason}), 422, "E312")
    refused(boss.post(orders, {"kind": "disqualify", "entry": 1, "reason": "x"}), 422, "E312")
    off: list[dict[str, Any]] = [{"blocks": 0}, {"game": "poker"}, {"opens_at": "soon"}]
    off += [{"options": {"deck": [1]}}, {"options": {"moon": "full"}}]
    for changed in off:
        refused(boss.post("/organize/tournaments", {**DRAFT, **changed}), 422, "E309")
    backwards = {"opens_at": "2099-02-01T00:00:00Z", "freezes_at": "2099-01-01T00:00:00Z"}
    for changed in ({"options": {"deck": "none"}}, backwards, {"join_code": " " * 4}):
        refused(boss.post("/organize/tournaments", {**DRAFT, **changed}), 422, "E312")
    path = orders
    pause = {"kind": "move", "state": "paused"}
    before = count(world, models.OrganizerAction)
    first, again = boss.post(path, pause, key="k"), boss.post(path, pause, key="k")
    assert (first.get_json(), again.headers["Idempotent-Replayed"]) == (again.get_json(), "true")
    assert again.headers["Location"] == first.headers["Location"]
    refused(boss.post(path, {"kind": "move", "state": "cancelled"}, key="k"), 422, "E306")
    refused(boss.post(f"/organize/tournaments/{world.named['OPEN']}/orders", pause, key="k"), 422, "E306")
    assert count(world, models.OrganizerAction) == before + 1
    wrong = {"kind": "void", "match": 999, "reason": "x"}
    assert boss.post(path, wrong, key="w").get_json() == boss.post(path, wrong, key="w").get_json()


def test_only_who_may_at_the_time_of_the_call_organizes(world: World) -> None:
    tournament = world.named["DRAFT"]
    paths = [f"/organize/tournaments/{tournament}/{what}" for what in ("orders", "log", "stuck")]
    boss, other, root = (world.program(name, "organize") for name in ("Boss", "Other", "Root"))
    before = count(world, models.AuditEntry)
    for path in paths:
        assert (boss.get(path).status_code, root.get(path).status_code) == (200, 200)
        refused(other.get(path), 404, "E310")
        lacking = refused(world.program("Boss", "read", "write").get(path), 403, "E305")
        assert "lacks the scope 'organize';" in lacking["detail"]
        refused(world.program("Ann", "organize").get(path), 403, "E311")
    move = {"kind": "move", "state": "announced"}
    refused(other.post(paths[0], move), 404, "E310")
    refused(other.call("DELETE", f"/organize/tournaments/{tournament}"), 404, "E310")
    assert int(tournament) not in [each["id"] for each in other.read("/organize/tournaments")["tournaments"]]
    reader, stranger = world.program("Boss", "read"), Program(world.site, None)
    hidden = f"/tournaments/{world.named['HIDDEN']}"
    assert int(tournament) in [each["id"] for each in reader.read("/tournaments")["tournaments"]]
    assert reader.read(f"{hidden}/standings")["rows"]
    with world.site.database.write() as db:
        db.exec(models.select(models.User).where(models.User.name == "Boss")).one().role = "author"
    refused(reader.get(f"/tournaments/{tournament}"), 404, "E310")
    for path in ("/tournaments", "/events", f"{hidden}/results.ndjson", f"{hidden}/standings"):
        assert reader.get(path).data == stranger.get(path).data
    for path in paths:
        refused(boss.get(path), 403, "E311")
    refused(boss.post(paths[0], move), 403, "E311")
    assert count(world, models.AuditEntry) == before


def test_a_body_is_read_whole_or_not_at_all_and_a_number_has_one_spelling(world: World) -> None:
    boss = world.program("Boss", "organize")
    body = json.dumps(DRAFT).encode()
    for sent, status in ((body.ljust(FORM_BYTES), 200), (body.ljust(FORM_BYTES) + b"x", 413)):
        in_pieces = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}
        given = {"input_stream": BytesIO(sent), "content_type": "application/json", "environ_overrides": in_pieces}
        assert boss.call("POST", "/organize/estimate", **given).status_code == status
    for twice in (body[:-1] + b', "seats": 3}', body[:-1] + b', "options": {"deck": "a", "deck": "a"}}'):
        answer = boss.call("POST", "/organize/estimate", data=twice, content_type="application/json")
        assert "more than once" in refused(answer, 422, "E309")["detail"]
    stranger = Program(world.site, None)
    assert stranger.get("/bots/1").status_code == 200
    for spelling in ("1.0", "1e0", "01", "%2B1", "-1"):
        refused(stranger.get(f"/bots/{spelling}"), 404, "E310")
        refused(stranger.get(f"/tournaments?limit={spelling}"), 400, "E309")


def test_a_token_that_organizes_takes_a_password_just_typed_and_an_invitations_code_is_told_once(world: World) -> None:
    site = world.site
    fresh = site.person("Fresh")
    requested = {"name": "console", "scope": ["organize", "read"], "days": "7"}
    assert "Only organizers" in fresh.post("/account/tokens", requested).text
    assert 'value="organize"' not in fresh.page("/account/tokens")
    with site.database.write() as db:
        db.exec(models.select(models.User).where(models.User.name == "Fresh")).one().role = "organizer"
    assert 'value="organize"' in fresh.page("/account/tokens")
    assert "at most 7 days" in fresh.post("/account/tokens", {**requested, "days": "8"}).text
    assert "gangland_" in fresh.post("/account/tokens", requested).text
    with time_machine.travel(now_s() + 3600):
        answer = fresh.post("/account/tokens", requested)
        assert (answer.status_code, "Confirm your password" in answer.text) == (403, True)
        assert fresh.post("/account/tokens", {**requested, "scope": ["read"]}).status_code == 200
    with pytest.raises(ValueError, match="at most 7 days"):
        tokens.create_token(site.database, 1, "long", frozenset({tokens.Scope.ORGANIZE}), 8)
    boss = world.program("Boss", "read", "write")
    first, again = (boss.post("/me/team/invitations", {"places": 2}, key="once") for _ in range(2))
    code, number = first.get_json()["invite_code"], first.get_json()["invitation"]["id"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json() == first.get_json() | {"invite_code": None}
    assert [code in kept.answer for kept in world.site.rows(models.select(models.StoredAnswer))] == [False]
    assert len(boss.read("/me/team")["invitations"]) == 2
    refused(world.program("Bob", "write").call("DELETE", f"/me/team/invitations/{number}"), 422, "E312")
    assert boss.call("DELETE", f"/me/team/invitations/{number}").get_json() == {"id": number, "revoked": True}
    refused(boss.call("DELETE", f"/me/team/invitations/{number}"), 404, "E310")
    refused(world.program("Ann", "write").post("/me/team/join", {"invite_code": code}), 422, "E312")


def test_a_team_is_founded_joined_and_left_by_tokens_and_not_taken_over(world: World) -> None:
    ann, boss, bob = (world.program(name, "read", "write") for name in ("Ann", "Boss", "Bob"))
    refused(ann.get("/me/team"), 404, "E310")
    refused(ann.post("/teams", {"name": "the  aces"}), 422, "E312")
    made = ann.post("/teams", {"name": "The Queens"})
    assert (made.status_code, made.get_json()["captain"]) == (201, True)
    assert ann.read(made.headers["Location"].removeprefix("/api/v1"))["name"] == "The Queens"
    refused(ann.post("/me/team/join", {"invite_code": world.named["INVITE_CODE"]}), 422, "E312")
    for path in ("/me/team/delete", "/me/team/captain"):  # the pages ask for a password just typed
        refused(ann.post(path), 404, "E310")
    world.site.write(teams.delete_team, world.people["Ann"])

    refused(ann.post("/me/team/join", {"invite_code": "aaaa-bbbb-cccc"}), 422, "E312")
    code = boss.post("/me/team/invitations", {"places": 1, "days": 1}).get_json()["invite_code"]
    both = refused(ann.post("/me/team/join", {"invite_code": code}), 422, "E312")
    assert "Both have one: anns and dons." in both["detail"]
    joined = ann.post("/me/team/join", {"invite_code": code, "retire": True}).get_json()
    assert [member["name"] for member in joined["members"]] == ["Boss", "Bob", "Root", "Ann"]
    assert (joined["captain"], joined["invitations"]) == (False, [])
    assert ann.read("/me")["team"] == joined["id"]

    member = world.people["Bob"]
    refused(boss.call("DELETE", f"/me/team/members/{member}"), 404, "E310")
    refused(ann.post("/me/team/invitations", {}), 422, "E312")
    refused(boss.post("/me/team/leave"), 422, "E312")
    assert bob.post("/me/team/leave").get_json()["name"] == "The Aces"
    refused(bob.get("/me/team"), 404, "E310")


def test_an_event_of_both_games_is_made_moved_entered_and_filled_by_calls(world: World) -> None:
    boss, ann, eve = (world.program(name, "read", "write", "organize") for name in ("Boss", "Ann", "Other"))
    refused(boss.post("/organize/events", {"name": "School", "seats": 2, "options": {"dice": "3"}}), 422, "E309")
    rules = {"name": "School", "seats": 2, "blocks": 1, "house_bots": False, "join_code": "dice night"}
    made = boss.post("/organize/events", rules | {"options": {"deck": "box18", "round_limit": 50}})
    console = made.headers["Location"].removeprefix("/api/v1")
    number = made.get_json()["event"]["id"]
    tournaments = {tournament["game"]: tournament["id"] for tournament in boss.read(console)["event"]["tournaments"]}
    assert set(tournaments) == {"gang-of-dice", "gangster-dice"}
    assert boss.read(f"/tournaments/{tournaments['gang-of-dice']}")["options"] == {"deck": "box18"}
    assert boss.read("/events?limit=1")["events"][0]["id"] == number
    refused(ann.get(f"/events/{number}"), 404, "E310")
    assert number not in [each["id"] for each in ann.read("/events")["events"]]
    refused(eve.get(console), 404, "E310")
    refused(eve.post(f"{console}/moves", {"state": "announced"}), 404, "E310")
    refused(boss.post(f"{console}/moves", {"state": "playing"}), 422, "E312")
    for state in ("announced", "open"):
        ordered = boss.post(f"{console}/moves", {"state": state})
        assert (ordered.status_code, len(ordered.get_json()["orders"])) == (202, 2)
        world.platform.recorder.schedule()
    assert {tournament["state"] for tournament in ann.read(f"/events/{number}")["tournaments"]} == {"open"}

    bot, house = int(world.named["ANNS_BOT"]), int(world.named["BOT"])
    path, tournament = f"/events/{number}/entries", tournaments["gang-of-dice"]
    refused(ann.post(path, {"bots": [bot], "join_code": "guess"}), 422, "E312")
    refused(ann.post(path, {"bots": [bot, house], "join_code": "dice night"}), 404, "E310")
    refused(boss.post(path, {"bots": [int(world.named["OLD_BOT"])], "join_code": "guess"}), 422, "E312")
    entered = ann.post(path, {"bots": [bot], "join_code": "dice night"}).get_json()
    assert entered == {"event": number, "entries": [{"tournament": tournament, "bot": bot, "entered": True}]}
    assert [row["bot"] for row in boss.read(f"{console}/people")["rows"] if row["entered"]] == ["anns"]

    entries = f"/organize/tournaments/{tournament}/entries"
    offered = [each["id"] for each in boss.read(f"/organize/tournaments/{tournament}/enterable")["bots"]]
    assert (house in offered, bot in offered) == (True, False)
    refused(boss.post(entries, {"bot": int(world.named["MY_BOT"])}), 422, "E312")  # nobody whose account they made
    refused(eve.post(entries, {"bot": house}), 404, "E310")
    assert boss.post(entries, {"bot": house}).get_json()["entered"] is True
    assert boss.call("DELETE", f"{entries}/{bot}").get_json()["entered"] is False
    refused(boss.call("DELETE", f"{entries}/{bot}"), 422, "E312")
    rows = boss.read(f"/tournaments/{tournament}/entries")["rows"]
    assert [row["bot"] for row in rows] == ["house0"]
    acts = [line["act"] for line in boss.read(f"/organize/tournaments/{tournament}/log?limit=100")["lines"]]
    assert ("entered a bot" in acts, "withdrew a bot" in acts) == (True, True)


def test_a_final_table_is_announced_and_premiered_and_a_public_value_entered_by_calls(world: World) -> None:
    boss = world.program("Boss", "read", "organize")
    final = {"final_seats": 2, "final_blocks": 1}
    refused(boss.post("/organize/tournaments", {**DRAFT, "has_premiere": True}), 422, "E312")
    made = boss.post("/organize/tournaments", {**DRAFT, **final, "has_premiere": True}).get_json()["draft"]
    announced = made["final_table"]
    assert announced.pop("effect").startswith("The bots at the final table")
    assert announced.pop("weight").startswith("Its 2 games alone decide the order")
    assert announced == {"seats": 2, "blocks": 1, "has_premiere": True, "premiered": 0}
    premiere = world.named["PREMIERE"]
    told = boss.read(f"/tournaments/{premiere}/premiere")
    assert (told["premiered"], told["bots"], told["next"]) == (0, [], "the bots of the final table")
    assert ordered(world, boss, premiere, kind="premiere", after=0)["state"] == "done"
    assert ordered(world, boss, premiere, kind="premiere", after=0)["state"] == "refused"
    told = boss.read(f"/tournaments/{premiere}/premiere")
    assert (told["premiered"], len(told["bots"]), told["next"]) == (1, 2, "game 1 of 2")
    at = int(now_s()) + 300
    when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    announced = {"source": "drand, round 7", "address": "https://example.org/7", "published_at": when}
    refused(boss.post("/organize/tournaments", {**DRAFT, "randomness": {**announced, "form": "hex 8"}}), 422, "E312")
    made = boss.post("/organize/tournaments", {**DRAFT, "randomness": announced, "browser_only": True})
    result = made.get_json()["draft"]["randomness"]
    assert result == {**announced, "form": "hex 64", "value": None, "entered_at": None}
    tournament = made.headers["Location"].rpartition("/")[2]
    copied = boss.post(f"/organize/tournaments/{tournament}/copy", {"name": "Copy"}).get_json()["draft"]
    assert (copied["randomness"], copied["browser_only"]) == (None, True)
    for state in ("announced", "open", "frozen"):
        assert ordered(world, boss, tournament, kind="move", state=state)["state"] == "done"
    early = ordered(world, boss, tournament, kind="randomness", value="AB" * 32)
    assert (early["state"], "Enter it then" in early["message"]) == ("refused", True)
    with time_machine.travel(at, tick=False):
        assert ordered(world, boss, tournament, kind="randomness", value="AB" * 32)["state"] == "done"
    shown = boss.read(f"/tournaments/{tournament}")["randomness"]
    assert (shown["value"], shown["entered_at"]) == ("ab" * 32, when)
