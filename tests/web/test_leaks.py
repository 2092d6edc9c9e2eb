"""What is hidden leaves no trace at any address of the site, for anyone from whom it is hidden.

Where something is hidden, the answer equals that of an address where nothing is, byte for byte.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
import time_machine
from sqlalchemy import func
from sqlmodel import col, select
from tests.kits import analyses_kit, api_kit, pages_kit, tournament_pages_kit
from tests.kits.actions_kit import an_organizer, order
from tests.kits.core_kit import Platform, Stage, bot_named, failed_check, open_platform, play_job
from tests.kits.final_kit import FINAL, PREMIERE_AT, final_of, order_before, robin, scheduled, the_cup
from tests.kits.routes_kit import RULES, addresses
from tests.kits.served_kit import new_token
from tests.kits.tournaments_kit import TO_PLAY, entries_of, go, ids_of, make, seen
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from gangland.replay import load
from gangland_ladder.analysis import account, analyzer
from gangland_ladder.tournaments.lifecycle import Deadlines, State
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot, Version
from gangland_web.models.matches import Match, PlayedGame
from gangland_web.models.organizing import ActionKind, Actor
from gangland_web.models.tournaments import Entry, Event, LadderDay, Tournament
from gangland_web.services import challenges, final_tables, rules
from gangland_web.site.tournaments import TABLES

MISSING = 987_654  # a number of nothing, longer than any number of the world
LOOKS = {"tournament_id": "Other", "match_id": "Bob", "bot_id": "Bob", "version_id": "Bob"}
"""Who looks at what: the one who might be shown more than somebody who is not signed in."""
ENDLESS = frozenset({"health.readyz", "static", "viewer.file", "accounts.export_data"})
WORD = {"draft": "Nightjar", "never": "Corncrake", "refused": "Bittern", "source": "Dotterel"}
"""Words that stand in what is hidden, and nowhere else."""


@dataclass
class Hidden:
    """The world's hidden rows; `marks` are texts that must not appear, with what each belongs to."""

    world: api_kit.World
    tournaments: dict[str, int]
    matches: dict[str, int]
    refused: tuple[int, int]
    numbers: dict[str, list[Any]] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)

    @cached_property
    def people(self) -> dict[str, pages_kit.Person]:
        found = {"nobody": self.world.site.stranger()}
        for name in ("Bob", "Boss", "Other"):
            found[name] = self.world.site.stranger()
            assert found[name].sign_in(name).status_code == 303
        return found

    @cached_property
    def tokens(self) -> dict[str, dict[str, str]]:
        made = {name: new_token(self.world.site, self.world.people[name]) for name in ("Bob", "Boss", "Other")}
        return {"nobody": {}, **{name: {"Authorization": f"Bearer {token}"} for name, token in made.items()}}

    def ask(self, who: str, path: str, method: str = "GET", **headers: str) -> TestResponse:
        if path.startswith("/api/"):
            client = self.world.site.app.test_client(use_cookies=False)
            return client.open(path, method=method, headers={**self.tokens[who], **headers}, buffered=True)
        return self.people[who].client.open(path, method=method, headers=headers, buffered=True)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hidden]:
    world = api_kit.build_world(tmp_path_factory.mktemp("leaks"))
    try:
        yield _hidden(world)
    finally:
        world.platform.database.close()


def _hidden(world: api_kit.World) -> Hidden:
    platform, boss = world.platform, world.people["Boss"]
    world.set_passwords()
    draft, never = (make(platform, name=f"The {WORD[name]} Cup", blocks=1) for name in ("draft", "never"))
    with platform.database.write() as db:
        for number in (draft, never):
            db.get_one(Tournament, number).organizer_id = boss
        db.flush()
        rehearsal = rules.rehearse(db, Actor(boss, "here"), db.get_one(Tournament, draft)).id or 0
    go(platform, never, State.CANCELED)
    platform.recorder.schedule()
    refused = _refused(world)
    with platform.database.write() as db:
        ann, often = world.people["Ann"], challenges.Allowance(hourly=100, at_once=100)
        played = challenges.create_challenge(db, ann, bot_named(db, "anns").id or 0, ["house0"], often)
    platform.play_all()
    matches = {
        "trial": min(match.id or 0 for match in platform.matches(purpose="trial")), "challenge": played,
        "sealed": int(world.named["HIDDEN_MATCH"]), "rehearsed": min(filter(None, ids_of(platform, rehearsal))),
    }  # fmt: skip
    found = Hidden(world, {"draft": draft, "never": never, "rehearsal": rehearsal}, matches, refused)
    found.numbers = {
        "tournament_id": [draft, rehearsal, int(world.named["HIDDEN"])],
        "match_id": [*matches.values(), int(world.named["MATCH"])], "bot_id": [refused[0]],
        "version_id": [int(world.named["VERSION"])], "number": [refused[1]],
    }  # fmt: skip
    found.marks = _marks(world, found)
    return found


def _refused(world: api_kit.World) -> tuple[int, int]:
    platform = world.platform
    version = platform.upload("Ann", "anns", source=pages_kit.SOURCE + f"# {WORD['source']}\n".encode())
    platform.recorder.sweep()
    while platform.post.sent:
        match_job = platform.take()
        is_trial = platform.match(match_job.id).trial_version_id == version
        platform.finish(match_job, failed_check(match_job, f"{WORD['refused']} returned 99") if is_trial else None)
    row = platform.version(version)
    assert row.state == "rejected"
    return row.bot_id, row.number


def _marks(world: api_kit.World, found: Hidden) -> dict[str, str]:
    marks = {word: f"a word of what is {name}" for name, word in WORD.items()}
    with world.platform.database.read() as db:
        for row in db.exec(select(Tournament)).all():
            if row.state != State.REVEALED:
                marks[row.secret.hex()] = f"the secret of {row.kind} {row.id}"
        for ladder_day in db.exec(
            select(LadderDay).where(col(LadderDay.day) == select(func.max(LadderDay.day)).scalar_subquery())
        ).all():
            marks[ladder_day.secret.hex()] = "the secret of a day"
        for match in db.exec(select(Match).where(col(Match.id).in_(found.matches.values()))).all():
            if match.digest:
                marks[match.digest] = f"the digest of match {match.id}"
            for game in _games(db, match.id or 0):
                marks[game["seed"]] = f"the dice of match {match.id}"
                marks[game["digest"]] = f"a replay of match {match.id}"
        for user in db.exec(select(User)).all():
            marks[user.password_hash] = "a password's hash"
        hashes = db.exec(select(Tournament.join_code_hash).where(col(Tournament.join_code_hash).is_not(None))).all()
        marks |= dict.fromkeys(map(str, hashes), "a join code's hash")
        chosen = (
            select(Entry.id).join(Version, col(Version.id) == Entry.version_id).join(Bot, col(Bot.id) == Version.bot_id)
        )
        anns = db.exec(chosen.where(Bot.owner_id == world.people["Ann"])).all()
        marks |= {f"entry {entry} was here": "a log of Ann's" for entry in anns}
    return marks | {"open sesame": "a join code"}


def _games(db: Any, match_id: int) -> Iterator[dict[str, str]]:
    for text in db.exec(select(PlayedGame.replay).where(PlayedGame.match_id == match_id)).all():
        yield {name: re.findall(rf'"{name}":"([0-9a-f]{{64}})"', text)[0] for name in ("seed", "digest")}


def paths(found: Hidden, rule: Rule, chosen: dict[str, list[Any]] | None = None) -> Iterator[str]:
    """Yield every guessable address of a route, or those of the given values."""
    app = found.world.site.app
    return addresses(app, rule, {**found.numbers, "day": [found.world.named["DAY"]], **(chosen or {})})


GETS = [rule for rule in RULES if "GET" in (rule.methods or set()) and rule.endpoint not in ENDLESS]


def looking(rule: Rule) -> str:
    return next((who for name, who in LOOKS.items() if name in rule.arguments), "nobody")


def test_nothing_that_is_hidden_stands_in_any_answer_but_in_an_organizers(hidden: Hidden) -> None:
    leaks, observed = [], 0
    wanted = re.compile("|".join(map(re.escape, hidden.marks)).encode())
    for rule in GETS:
        for path in paths(hidden, rule):
            who = looking(rule)
            answer = hidden.ask(who, path)
            observed += answer.status_code == 200
            result = str(answer.headers).encode() + answer.data
            leaks += [f"{who} {path}: {hidden.marks[mark.decode()]}" for mark in set(wanted.findall(result))]
            assert answer.status_code < 500 or path == "/readyz", path
    assert leaks == []
    assert observed > 100
    result = [
        hidden.ask("Boss", f"/tournaments/{hidden.tournaments['draft']}").text,
        hidden.ask("Boss", f"/matches/{hidden.matches['sealed']}/games/0/0/replay.json").text,
        hidden.ask("Boss", f"/matches/{hidden.matches['rehearsed']}/replays.ndjson").text,
    ]
    assert [bool(wanted.search(text.encode())) for text in result] == [True] * 3


ABOUT = {"tournament_id": "tournaments", "match_id": "matches"}
HIDING = [rule for rule in GETS if set(ABOUT) & set(rule.arguments)]


@pytest.mark.parametrize("name", list(ABOUT))
def test_where_something_hidden_stands_the_answer_is_that_of_nothing(hidden: Hidden, name: str) -> None:
    differing: list[str] = []
    for rule in (rule for rule in HIDING if name in rule.arguments):
        for kind, number in getattr(hidden, ABOUT[name]).items():
            for path in list(paths(hidden, rule, {name: [number]}))[:2]:
                empty = re.sub(rf"(?<=[/.]){number}(?=[/.]|$)", str(MISSING), path, count=1)
                differing += _unlike(hidden, looking(rule), kind, path, empty)
    assert differing == []


def _unlike(hidden: Hidden, who: str, kind: str, path: str, empty: str) -> Iterator[str]:
    ways: list[tuple[str, dict[str, str]]] = [("GET", {})]
    if kind in ("draft", "sealed"):
        mark = hidden.ask("Boss", path).headers.get("ETag", "*")
        ways += [("GET", {"If_None_Match": mark}), ("GET", {"Range": "bytes=0-9", "Accept": "application/json"})]
        ways += [("HEAD", {}), ("POST", {})]
    for method, headers in ways:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        here, there = (_result(hidden.ask(who, each, method, **named), each) for each in (path, empty))
        if here != there:
            yield f"{who} {method} {path} ({kind}) {headers}: {here[:2]} and {there[:2]}"


UNLIKE = ("Date", "Content-Length", "Set-Cookie", "X-Request-Id")
"""Never twice the same: when it was, the length of an address that is repeated, the time in a cookie, the id."""


def _result(answer: TestResponse, path: str) -> tuple[int, dict[str, str], str]:
    """Return an answer without times and without the requested address."""
    headers = {name: value for name, value in answer.headers if name not in UNLIKE}
    headers |= {name: "" for name in headers if name.startswith(("X-RateLimit", "RateLimit"))}
    text = re.sub(r"[\w-]+\.[\w-]{6}\.[\w-]{27}", "TOKEN", answer.data.decode(errors="replace"))
    return answer.status_code, headers, text.replace(path, "PATH").replace(quote(path, safe=""), "PATH")


def test_a_private_match_is_in_no_answer_but_at_its_key(tmp_path: Path) -> None:
    """Neither as a match nor in a count: all public answers stay the same, byte for byte."""
    world = api_kit.build_world(tmp_path)
    world.set_passwords()
    found = Hidden(world, {}, {}, (1, 1))
    named = {name: [int(world.named[key])] for name, key in (("tournament_id", "TOURNAMENT"), ("bot_id", "MY_BOT"))}
    found.numbers = {**named, "match_id": [int(world.named["MATCH"])], "version_id": [int(world.named["VERSION"])]}

    def answers() -> dict[str, Any]:
        with time_machine.travel(time.time(), tick=False):
            asked = [path for rule in GETS if rule.endpoint != "metrics.figures" for path in paths(found, rule)]
            return {path: _result(found.ask("nobody", path), path) for path in asked}

    with time_machine.travel(time.time(), tick=False):
        before = answers()
        pages_kit.finished_run(world.site, "Ann", int(world.named["OTHER_BOT"]))
        table = pages_kit.finished_table(world.site, "Ann")
        private = world.platform.rows(select(Match).where(col(Match.key).is_not(None)).order_by(col(Match.id)))
        assert [match.purpose for match in private] == ["draft", "table"]
        for match in private:
            with world.platform.database.read() as db:
                replay = db.exec(select(PlayedGame.replay).where(PlayedGame.match_id == match.id)).first() or ""
            analyses_kit.write_figures(
                world.platform.database, match.id or 0, 0, account.figures_of(analyzer.analyze(load(replay)))
            )
        after = answers()
    assert [path for path, answer in after.items() if answer != before[path]] == []
    assert sum(answer[0] == 200 for answer in after.values()) > 150
    ann = world.site.stranger()
    ann.sign_in("Ann")
    for page in (f"/matches/{private[0].key}/games/0/0", table):
        assert ann.get(page).status_code == 200
        assert [found.ask(who, page).status_code for who in ("nobody", "Bob", "Boss")] == [404] * 3
    world.platform.database.close()
    assert [ann.get(f"/matches/{match.id}").status_code for match in private] == [404, 404]


NOW = PREMIERE_AT
EMBARGO_S = 1000.0
GAMES = FINAL.blocks * FINAL.seats
GAME_S = 600.0  # longer than a screen shows any game
SECRET = b"x" * 32


@dataclass(frozen=True)
class Shown:
    """How much of the results is shown; `from_game` is the first game with another result in one of the two."""

    steps: int | None
    from_game: int = 0
    after_s: float = 0.0


@cache
def hidden_results(has_premiere: bool, from_game: int | None) -> Stage:
    """Return a stage with hidden results; from a game on, a bot fails in one variant."""

    def play(platform: Platform) -> None:
        with time_machine.travel(NOW, tick=False):
            number = _started(platform, has_premiere)
            worst = _failing(platform, number, has_premiere)
            fails = platform.seat_of(next(one.version_id for one in entries_of(platform, number) if one.id == worst))
            own = {final_of(platform, number).id} if has_premiere else ids_of(platform, number)
            platform.recorder.sweep()
            while platform.post.sent:
                job = platform.take()
                result = play_job(job)
                if from_game is not None and job.id in own:
                    broken = play_job(job, failing=fails)
                    result = msgspec.structs.replace(result, games=result.games[:from_game] + broken.games[from_game:])
                platform.finish(job, result)
            scheduled(platform)
            assert seen(platform, number).state == "finished"

    return play


def _started(platform: Platform, has_premiere: bool) -> int:
    if has_premiere:
        number = robin(platform, has_premiere=True, secret=SECRET)
    else:
        number = make(platform, deadlines=Deadlines(embargo_until=NOW + EMBARGO_S))
    with platform.database.write() as db:
        db.add(Event(id=1, name="Dice Night", created_at=NOW))
        db.flush()
        row = db.get_one(Tournament, number)
        row.event_id = 1
        if not has_premiere:
            row.secret, row.commitment = SECRET, sha256(SECRET).hexdigest()
    if not has_premiere:
        go(platform, number, *TO_PLAY)
    return number


def _failing(platform: Platform, number: int, has_premiere: bool) -> int:
    return order_before(platform, number)[0] if has_premiere else entries_of(platform, number)[-1].id or 0


def everything(house: tournament_pages_kit.House, number: int, bots: list[int]) -> dict[str, str]:
    with house.platform.database.read() as db:
        final = db.exec(select(Match.id).where(Match.tournament_id == number, Match.is_final)).first()
    matches = sorted(filter(None, ids_of(house.platform, number)))
    own: dict[str, list[Any]] = {"tournament_id": [number], "bot_id": bots, "event_id": [1]}
    own["match_id"] = [matches[0], matches[-1]]
    own |= {"item_id": list(range(1, GAMES + 1)), "form": ["csv", "json"], "part": ["r1.s1.d1", "end"]}
    own["at"] = ["r1.s1.d1"]
    games = own | {"match_id": [final or matches[0]], "block": [0, 1], "rotation": list(range(FINAL.seats))}
    walked = [rule for rule in GETS if rule.endpoint != "metrics.figures" and not rule.rule.startswith(WORDS)]
    found = [
        path for rule in walked for path in addresses(house.app, rule, games if "block" in rule.arguments else own)
    ]
    game = f"/matches/{games['match_id'][0]}/games"
    found += [f"/oembed?url=http://localhost{game}/{block}/0" for block in range(2)]
    shown = [f"table={table}" for table in TABLES]
    shown += [f"table=matches&entry={entries_of(house.platform, number)[0].id}"]
    found += ["/search?q=house", *(f"/tournaments/{number}{live}?{query}" for live in ("", "/live") for query in shown)]
    found += [f"/tv/items/{item}?own=1" for item in own["item_id"]]
    stranger = house.stranger()
    answers = {path: stranger.get(path) for path in found}
    assert {answer.status_code for answer in answers.values()}.isdisjoint({429, 500})
    return {path: _told(answer, path) for path, answer in answers.items()}


WORDS = tuple(
    """/docs /download /on-your-machine /write /schemas /gang-of-dice/learn /gang-of-dice/rules /play /account
    /sign- /set /api/v1/openapi /cards/site /replays /organize /team/ /upload /viewer""".split()
)
"""Addresses that do not depend on any match."""


def _told(answer: TestResponse, path: str) -> str:
    text = re.sub(r"\w{8}-static|nonce-[\w-]+", "", answer.get_data(as_text=False).decode("latin-1"))
    text = re.sub(r"[\w-]+\.[\w-]{6}\.[\w-]{27}", "TOKEN", text)
    return f"{answer.status_code} {answer.headers.get('ETag')} {text}"


def ended(folder: Path, shown: Shown, *, fails: bool) -> dict[str, str]:
    """Return a stranger's answers about one of two tournaments, as far as it is shown."""
    stage = hidden_results(shown.steps is not None, shown.from_game if fails else None)
    house = tournament_pages_kit.House(open_platform("sqlite", folder, stage=stage), folder)
    number = the_cup(house.platform)
    versions = {one.id or 0: one.version_id for one in entries_of(house.platform, number)}
    ranked = list(versions) if shown.steps is None else order_before(house.platform, number)
    bots = [house.platform.version(versions[entry]).bot_id for entry in (ranked[0], ranked[-1])]
    with time_machine.travel(NOW, tick=False) as clock:
        boss = an_organizer(house.platform)
        for step in range(shown.steps or 0):
            clock.shift(GAME_S)
            done = order(house.platform, boss, ActionKind.MOVE, number, state=final_tables.PREMIERE, after=step)
            assert done.state == "done", done.message
        clock.shift(shown.after_s)
        if shown.steps == 0 and not fails:  # that a bot is disqualified now stays hidden, too
            outside = ranked[FINAL.seats]
            out = order(house.platform, boss, ActionKind.DISQUALIFY, number, entry=outside, reason="Copied")
            assert out.state == "done"
            scheduled(house.platform)
        found = everything(house, number, bots)
    house.platform.database.close()
    return found


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(Shown(None), id="embargo"),
        pytest.param(Shown(0), id="nothing of a premiere"),
        pytest.param(Shown(3, 1), id="one game while the second is played"),
        pytest.param(Shown(3, 2, GAME_S), id="two games", marks=pytest.mark.long("the state after the one above")),
    ],
)
def test_two_results_look_the_same_as_far_as_they_are_shown(tmp_path: Path, shown: Shown) -> None:
    both = []
    for fails in (False, True):
        (tmp_path / str(fails)).mkdir()
        both.append(ended(tmp_path / str(fails), shown, fails=fails))
    on = {f"/tv/items/{shown.from_game + 1}"} if shown.steps and not shown.after_s else set()
    screens = {path for path in both[0] if on and re.fullmatch(r"/(tournaments|events)/\d+/tv(/live)?", path)}
    assert {path for path in both[0] if both[0][path] != both[1][path]} == on | screens, "how the game begins is shown"
    assert all('"end":null' in each[path] for each in both for path in on)
    assert all(f"after {shown.from_game} of" in each[path] for each in both for path in screens)
    hidden = [path for path in both[0] if re.match(r"(/api/v1)?/matches/\d", path)]
    assert {both[0][path][:3] for path in hidden} <= {"404", "401"}
    if shown.steps is not None:
        schedule = next(text for path, text in both[0].items() if path.endswith("/schedule.json"))
        assert str(FINAL.seats) not in re.findall(r'"seats":(\d)', schedule), "who meets there is shown step by step"
        embedded = [both[0][path][:3] for path in both[0] if path.startswith("/embed/")]
        assert embedded == ["200"] * shown.from_game + ["404"] * (2 * FINAL.seats - shown.from_game)
