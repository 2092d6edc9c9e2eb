"""Who gets an answer from which call: every call, with every kind of token, as it declares itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.kits import api_kit, served_kit

from gangland_web.api.declared import ANY_TOKEN, CALLS, Call
from gangland_web.services.tokens import Scope

NAMES = {"author": "Ann", "organizer": "Boss", "admin": "Root"}
BAD = {"none": "E301", "garbage": "E302", "cut": "E302", "expired": "E303", "revoked": "E304"}


@dataclass
class Tokens:
    world: api_kit.World
    tokens: dict[str, str | None]

    def ask(self, call: Call, which: str) -> tuple[int, str | None]:
        """Return status and code of a call for something that does not exist."""
        path = call.path
        for name, value in (("game", "gang-of-dice"), ("seats", "2"), ("day", "2020-01-01"), ("block", "0")):
            path = path.replace(f"{{{name}}}", value)
        path = re.sub(r"\{\w+\}", "999999", path)
        answer = api_kit.Program(self.world.site, self.tokens[which]).call(call.method, path)
        result = answer.get_json(silent=True) if answer.mimetype == "application/problem+json" else {}
        return answer.status_code, (result or {}).get("code")


@pytest.fixture(scope="module")
def issued(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tokens]:
    world = api_kit.build_world(tmp_path_factory.mktemp("world"))
    site, ann = world.site, world.people["Ann"]
    tokens: dict[str, str | None] = {"none": None, "garbage": "Bearer"}
    for kind in ("cut", "expired", "revoked"):
        tokens[kind] = served_kit.new_token(site, ann, "read", "upload", "write")
    tokens["cut"] = str(tokens["cut"])[:-1]
    served_kit.expire(site, str(tokens["expired"]))
    served_kit.revoke(site, ann, str(tokens["revoked"]))
    for role, name in NAMES.items():
        for scope in Scope:
            tokens[f"{role} {scope}"] = served_kit.new_token(site, world.people[name], scope.value)
    yield Tokens(world, tokens)
    world.platform.database.close()


ASKED = [call for call in CALLS.values() if call.name != "revoke_this"]  # which ends the token that it is sent


def test_no_call_is_answered_for_a_bad_token_and_all_that_change_anything_need_one(issued: Tokens) -> None:
    for call in CALLS.values():
        for which, code in BAD.items():
            status, result = issued.ask(call, which)
            if which == "none" and call.needs is None:
                assert status not in (401, 403), call.name
            else:
                assert (status, result) == (401, code), f"{call.name}, {which}"
    assert [call.name for call in CALLS.values() if call.writes and call.needs is None] == []
    tested = {f"api.{name}" for name in CALLS}
    routes = {rule.endpoint for rule in issued.world.site.app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    assert routes == tested


@pytest.mark.parametrize("scope", Scope)
def test_a_call_is_answered_for_the_scope_and_the_role_that_it_needs_and_for_no_other(
    issued: Tokens, scope: Scope
) -> None:
    for call in ASKED:
        roles = NAMES if call.needs is Scope.ORGANIZE else ("author",)
        for role in roles:
            status, code = issued.ask(call, f"{role} {scope}")
            if call.needs not in (None, ANY_TOKEN, scope):
                assert (status, code) == (403, "E305"), f"{call.name} for {role} with {scope}"
            elif call.needs is Scope.ORGANIZE and role == "author":
                assert (status, code) == (403, "E311"), call.name
            else:
                assert status not in (401, 403), f"{call.name} for {role} with {scope}"
                assert status < 500, call.name
