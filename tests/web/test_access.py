"""Who gets an answer where: every route of the site, for everybody who may come along."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path

import pytest
import time_machine
from flask.testing import FlaskClient
from tests.kits.models import Event, User, row_id, select
from tests.kits.pages_kit import Person, Site, activate_bot, finished_match, finished_run, open_site
from tests.kits.routes_kit import RULES
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from gangland_sandbox.limits import Limits
from gangland_web.api.declared import CALLS
from gangland_web.base.formats import now_s
from gangland_web.services import accounts, teams, tournaments
from gangland_web.web.limits import Rates


class Access(Enum):
    EVERYBODY = "everybody"
    SIGNED_IN = "whoever is signed in"
    OWNER = "the bot's owner alone"
    ORGANIZERS = "organizers and admins"
    THEIRS = "the tournament's organizer and admins"
    ADMINS = "admins"
    TOKEN = "whoever sends a token"


PEOPLE = ("stranger", "author", "owner", "other organizer", "organizer", "admin")
INSIDE = {
    Access.EVERYBODY: frozenset(PEOPLE), Access.SIGNED_IN: frozenset(PEOPLE) - {"stranger"},
    Access.OWNER: frozenset({"owner"}), Access.ORGANIZERS: frozenset({"other organizer", "organizer", "admin"}),
    Access.THEIRS: frozenset({"organizer", "admin"}), Access.ADMINS: frozenset({"admin"}), Access.TOKEN: frozenset(),
}  # fmt: skip
BY_ACCESS = {
    Access.EVERYBODY: """accounts.recover accounts.recover_code accounts.set_password accounts.setup accounts.sign_in
        accounts.sign_out accounts.sign_up api_reference authors bots documentation editor.completions_json
        editor.page editor.upload_page exports health home ladders matches metrics moved oidc.begin oidc.callback
        oidc.name pictures play sharing static status teams.bots_file teams.team tournaments tv viewer""",
    Access.SIGNED_IN: """accounts authors.change_following authors.feed authors.news authors.news_json authors.news_read
        bots.my_bots_file editor matches.challenges_file oidc teams
        tournaments.enter tournaments.enter_event tournaments.withdraw""",
    Access.OWNER: """bots.delete bots.restore bots.retire bots.set_plays_people bots.settings bots.source
        editor.run_live editor.run_result""",
    Access.ORGANIZERS: """organizing.index organizing.index_file organizing.new_draft organizing_people.aliases
        organizing_people.password_code organizing_people.people""",
    Access.THEIRS: "organizing organizing_people.log organizing_people.log_file", Access.ADMINS: "organizing_people",
    Access.TOKEN: "api",
}  # fmt: skip
"""By endpoint, or by its blueprint where all of it has one access."""
ENDPOINT_ACCESS = {endpoint: access for access, endpoints in BY_ACCESS.items() for endpoint in endpoints.split()}
SAMPLES = {
    "what": "ratings", "form": "csv", "kind": "py", "game": "gang-of-dice", "seats": 2, "day": "2026-01-01",
    "number": 1, "block": 0, "rotation": 0, "other": 1, "path": "index.html", "filename": "site.css", "digest": "x",
    "name": "x", "sign_in_id": 999, "user_id": 999, "invitation_id": 999, "token_id": 999, "version_id": 1,
    "draft_id": 999, "followed": "bots", "item_id": 1, "part": "r1", "ending": "webp",
}  # fmt: skip
ENDS = ("accounts.leave", "accounts.export_data", "accounts.sign_out", "accounts.end_other_sign_ins")
"""What would sign somebody out, or what is large; tried elsewhere."""


ASKED = [
    (method, rule)
    for rule in RULES
    for method in sorted((rule.methods or set()) & {"GET", "POST"})
    if rule.endpoint not in ENDS
]


def access_of(endpoint: str) -> Access:
    if endpoint.startswith("api.") and CALLS[endpoint.removeprefix("api.")].needs is None:
        return Access.EVERYBODY
    return ENDPOINT_ACCESS.get(endpoint) or ENDPOINT_ACCESS[endpoint.split(".")[0]]


@dataclass
class SharedSite:
    site: Site
    people: dict[str, Person]
    ids: dict[str, int]

    def ask(self, who: str, method: str, rule: Rule) -> TestResponse:
        person = self.people[who]
        given = {name: SAMPLES.get(name, self.ids.get(name, 1)) for name in rule.arguments}
        adapter = self.site.app.url_map.bind("localhost")
        what = re.search(r"<any\(([^)]*)\):what>", rule.rule)
        if what is not None:
            given["what"] = what[1].split(",")[0].strip(" '")
        path = adapter.build(rule.endpoint, given, method=method)
        if method == "GET":
            return person.get(path)
        return person.client.post(path, data={"csrf_token": person.token("/sign-in")}, buffered=True)


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedSite]:
    for site in open_site(tmp_path_factory.mktemp("house")):
        roles = {"organizer": "organizer", "other organizer": "organizer", "admin": "admin"}
        people = {who: site.person(f"the {who}", roles.get(who, "author")) for who in PEOPLE if who != "stranger"}
        people["stranger"] = site.stranger()
        bot, other = activate_bot(site, "the owner", "theirs"), activate_bot(site, None, "house")
        match = finished_match(site, [bot, other])
        run = finished_run(site, "the owner", other)
        with site.database.write() as db:
            organizer = db.exec(select(User).where(User.name == "the organizer")).one()
            rules = tournaments.Rules("Cup", "gang-of-dice", 2, 1, Limits.plain(1))
            made = tournaments.make_tournament(db, rules, organizer_id=organizer.id)
            made_event = Event(name="Two Cups", organizer_id=organizer.id, created_at=0.0)
            db.add(made_event)
            db.flush()
            made.event_id = event = row_id(made_event.id)
            tournament = row_id(made.id)
            author = db.exec(select(User).where(User.name == "the author")).one()
        team = row_id(teams.create_team(site.database, row_id(author.id), "The Authors").id)
        ids = {"team_id": team, "bot_id": bot, "match_id": match, "tournament_id": tournament, "event_id": event}
        ids["run_id"] = run
        yield SharedSite(site, people, ids)


def test_every_route_has_a_door_and_every_door_a_route() -> None:
    """A new route without a rule fails here."""
    assert [
        rule.endpoint for rule in RULES if not {rule.endpoint, rule.endpoint.split(".")[0]} & set(ENDPOINT_ACCESS)
    ] == []
    used = {e if (e := rule.endpoint) in ENDPOINT_ACCESS else e.split(".")[0] for rule in RULES}
    assert set(ENDPOINT_ACCESS) - used == set()


@pytest.mark.parametrize(("method", "rule"), ASKED, ids=[f"{method}-{rule.endpoint}" for method, rule in ASKED])
def test_whoever_may_is_answered_and_nobody_else(shared_site: SharedSite, method: str, rule: Rule) -> None:
    which = access_of(rule.endpoint)
    for who in PEOPLE:
        answer = shared_site.ask(who, method, rule)
        refused = is_refused(answer, which)
        assert_closed(answer, rule.rule)
        assert refused is (who not in INSIDE[which]), f"{who}: {answer.status_code} {answer.location}"
        assert answer.status_code < 500 or rule.endpoint == "health.readyz", who  # it has no broker to be well with


def assert_closed(answer: TestResponse, path: str) -> None:
    policy = answer.headers["Content-Security-Policy"]
    rules = set(policy.split("; "))
    framed = path.startswith("/embed/")
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'"} <= rules, path
    assert f"frame-ancestors {'*' if framed else chr(39) + 'none' + chr(39)}" in rules, path
    assert f"form-action {'none' if framed else 'self'}".replace(" ", " '") + "'" in rules, path
    assert "unsafe" not in policy, path
    assert "http" not in policy, path
    assert answer.headers["X-Content-Type-Options"] == "nosniff", path
    assert answer.headers["Referrer-Policy"] in ("same-origin", "no-referrer"), path
    assert (answer.headers.get("X-Frame-Options") == "DENY") is not framed, path
    assert "Cross-Origin-Resource-Policy" in answer.headers, path
    assert "Server" not in answer.headers, path
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert "HttpOnly" in cookie, path
        assert "SameSite=Lax" in cookie, path
        assert "Path=/" in cookie, path
        assert "Domain" not in cookie, path


def is_refused(answer: TestResponse, which: Access) -> bool:
    """Return whether access was refused; a missing public page is no refusal."""
    if answer.status_code in (401, 403):
        return True
    if answer.status_code == 303 and "/sign-in?" in (answer.location or ""):
        return True
    return answer.status_code == 404 and which in (Access.OWNER, Access.THEIRS)


@pytest.mark.parametrize("rule", [rule for method, rule in ASKED if method == "POST"], ids=lambda rule: rule.endpoint)
def test_no_form_is_taken_without_its_token(shared_site: SharedSite, rule: Rule) -> None:
    if access_of(rule.endpoint) is Access.TOKEN:
        return  # no session is read there, so nobody's browser can be made to send one
    client: FlaskClient = shared_site.people["admin"].client
    given = {name: SAMPLES.get(name, shared_site.ids.get(name, 1)) for name in rule.arguments}
    path = shared_site.site.app.url_map.bind("localhost").build(rule.endpoint, given, method="POST")
    if rule.endpoint == "matches.request_analysis":  # nobody's act, so it has no token
        assert client.post(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        return
    assert client.post(path, data={}).status_code == 400


def test_every_form_and_every_call_of_the_api_can_be_sent_so_often_and_no_oftener(tmp_path: Path) -> None:
    """An unlisted form has the default rate."""
    rates = Rates(**{field.name: "2 per hour" for field in fields(Rates)})
    for site in open_site(tmp_path, rates):
        site.app.config["WTF_CSRF_ENABLED"] = False  # a form without its token is refused before it is counted
        client, free = site.app.test_client(), []
        for rule in RULES:
            given = {name: SAMPLES.get(name, 1) for name in rule.arguments}
            for method in sorted((rule.methods or set()) & {"POST", "PUT", "PATCH", "DELETE"}):
                path = site.app.url_map.bind("localhost").build(rule.endpoint, given, method=method)
                sent = [client.open(path, method=method, data={}) for _ in range(3)]
                if sent[-1].status_code != 429:
                    free.append(f"{method} {rule.endpoint}: {sent[-1].status_code}")
        assert free == []


ALONE = {
    "organizing.new_draft": "a draft, which nobody else sees",
    "organizing.edit_draft": "a draft, which nobody else sees",
    "organizing.handout": "nothing: a sheet to print", "organizing.event_handout": "nothing: a sheet to print",
}  # fmt: skip
"""Acts of organizers that ask for no fresh sign-in, and what they touch."""
FRESH = [rule for method, rule in ASKED if method == "POST" and rule.endpoint.startswith("organizing")]
FRESH += [rule for rule in RULES if rule.endpoint == "accounts.leave"]


@pytest.mark.parametrize("rule", FRESH, ids=lambda rule: rule.endpoint)
def test_whoever_typed_no_password_for_a_while_orders_nothing(shared_site: SharedSite, rule: Rule) -> None:
    with time_machine.travel(now_s() + accounts.FRESH_S + 1, tick=False):
        answer = shared_site.ask("admin", "POST", rule)
    requested = answer.status_code == 403 and 'name="own_password"' in answer.text
    requested |= answer.status_code == 303 and (answer.location or "").startswith("/confirm-password?")
    assert requested is (rule.endpoint not in ALONE), f"{answer.status_code} {answer.location}"
