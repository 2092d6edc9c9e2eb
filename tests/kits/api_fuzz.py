"""Fuzz the API: schemathesis makes calls from the OpenAPI document, and every answer must conform to the document.

`python -m tests.kits.api_fuzz` runs the long form.
"""

import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks
from tests.kits import api_kit, models, served_kit

from gangland_web.api.openapi import PATH_VALUES
from gangland_web.queries.tables import BASE
from gangland_web.services.tokens import Scope

CHECKS = [
    schemathesis.checks.not_a_server_error, checks.status_code_conformance, checks.content_type_conformance,
    checks.response_headers_conformance, checks.response_schema_conformance,
]  # fmt: skip
REFUSED = [*CHECKS, checks.negative_data_rejection]  # checks for calls that violate the document
CALLERS: dict[str, tuple[str, tuple[Scope, ...]] | None] = {
    "stranger": None, "author": ("Ann", (Scope.READ, Scope.UPLOAD, Scope.WRITE)), "organizer": ("Boss", tuple(Scope)),
    "admin": ("Root", tuple(Scope)),
}  # fmt: skip


def can_be_wrong(operation: Any) -> bool:
    raw = operation.definition.raw
    return bool(raw["parameters"] or raw.get("requestBody"))


class Fuzzer:
    def __init__(self, world: api_kit.World, caller: str, number: int) -> None:
        self.world, self.caller = world, caller
        self.random = Random(number)
        self.number = number
        self.told: Counter[tuple[str, int]] = Counter()
        self.broken: dict[str, str] = {}
        self.token = self._new_token()

    def _new_token(self) -> str | None:
        who = CALLERS[self.caller]
        if who is None:
            return None
        with self.world.site.database.write() as db:
            db.exec(models.delete(models.Token).where(models.col(models.Token.owner_id) == self.world.people[who[0]]))
        return served_kit.new_token(self.world.site, self.world.people[who[0]], *map(str, who[1]))

    def _whole(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        answer = self.world.site.app(environ, start_response)
        try:
            return [b"".join(answer)]
        finally:
            if hasattr(answer, "close"):
                answer.close()

    def run(self, cases: int, every: int = 1) -> None:
        """Send cases of every n-th call; half of them violate the document."""
        schema = schemathesis.openapi.from_wsgi(f"{BASE}/openapi.json", self._whole)
        for result in list(schema.get_all_operations())[::every]:
            operation: Any = result.ok()  # type: ignore[union-attr]  # our document is no Err
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                self._run(operation, mode, max(1, cases // 2))

    def _run(self, operation: Any, mode: GenerationMode, cases: int) -> None:
        rules = settings(
            max_examples=cases,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )

        if mode is GenerationMode.NEGATIVE and not can_be_wrong(operation):
            return

        @seed(self.number)
        @rules
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            self.send(case, mode)

        send()

    def send(self, case: Any, mode: GenerationMode) -> None:
        """Send a case, whose subject exists in half of the cases, and check the answer against the document."""
        if mode is GenerationMode.POSITIVE and self.random.random() < 0.7:
            self._aim(case)
        name = case.operation.definition.raw["operationId"]
        try:
            response = self._call(case)
        except Exception as failure:  # noqa: BLE001 (whatever it is, it is told)
            self.broken.setdefault(f"{name}: {type(failure).__name__}", f"{case.as_curl_command()}\n{failure}")
            return
        if self.token is not None and case.operation.method.upper() == "DELETE" and "token" in case.operation.path:
            self.token = self._new_token()  # the call may have revoked it
        self.told[name, response.status_code] += 1
        try:
            case.validate_response(response, checks=CHECKS if mode is GenerationMode.POSITIVE else REFUSED)
        except FailureGroup as found:
            for one in found.exceptions:
                self.broken.setdefault(f"{name}: {type(one).__name__}", str(found)[:2500])

    def _call(self, case: Any) -> Any:
        headers = {"Accept-Encoding": "identity"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        return case.call(headers=headers)

    def _aim(self, case: Any) -> None:
        names = {**PATH_VALUES, "number": "1"}
        for name in case.path_parameters or {}:
            value = names.get(name, "")
            if name == "tournament_id":
                value = "$" + self.random.choice(["TOURNAMENT", "HIDDEN", "DRAFT", "OPEN", "CODED", "PLAYING", "FREE"])
            if name == "bot_id":
                value = "$" + self.random.choice(["BOT", "ANNS_BOT", "MY_BOT"])
            if value and name != "token_id":
                case.path_parameters[name] = self.world.named[value[1:]] if value.startswith("$") else value


def fuzz(folder: Path, caller: str, cases: int, number: int = 0, every: int = 1) -> Fuzzer:
    world = api_kit.build_world(folder)
    try:
        fuzzer = Fuzzer(world, caller, number)
        fuzzer.run(cases, every)
        return fuzzer
    finally:
        world.platform.database.close()


def main() -> int:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    whole: Counter[int] = Counter()
    broken: dict[str, str] = {}
    for number, caller in enumerate(CALLERS):
        with TemporaryDirectory() as folder:
            fuzzer = fuzz(Path(folder), caller, cases, number)
        statuses: Counter[int] = Counter()
        for (_, status), count in fuzzer.told.items():
            statuses[status] += count
        broken |= fuzzer.broken
        whole += statuses
        print(f"{caller}: {sum(statuses.values())} cases, {dict(sorted(statuses.items()))}", flush=True)
    print(f"all: {sum(whole.values())} cases, {dict(sorted(whole.items()))}")
    for where, words in broken.items():
        print(f"\n{where}\n{words}")
    return 1 if broken or not whole else 0


if __name__ == "__main__":
    sys.exit(main())
