"""What is done to the stack, one step after the other, and what each came to."""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.compose import engine, people
from tests.compose.stack import Container, Stack, StepFailed, wait_for

SETTINGS = {"GANGLAND_BLOCKS": "3", "GANGLAND_ROUNDS": "2", "WORKERS": "2"}
"""Short matches and few rounds: a new version of a bot brings some sixty matches, and then all is played."""
SCALED = 3
VICTIMS = ("matches", "redis", "records", "beat", "web", "postgres")
OURS = ("web", "records", "beat", "matches", "checks")
AT_WORK = 20  # the least queued ladder matches before a kill
UP_S, VERDICT_S, BACK_S, MOVES_S, SETTLED_S = 420.0, 420.0, 300.0, 300.0, 900.0
USER = "10001"
FIRST_PROCESS = "print(open('/proc/1/status').read())"


@dataclass
class Row:
    step: str
    seconds: float
    told: str = ""


@dataclass
class Course:
    """Runs the steps on one stack; `problems` are failed checks, in words."""

    stack: Stack
    facts: Mapping[str, Any]
    rows: list[Row] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    version: int = 0

    def __post_init__(self) -> None:
        self.admin, self.author = people.Person(self.stack.port, "Ann"), people.Person(self.stack.port, "Ben")

    def run(self, *build: str) -> None:
        """Run all steps except the removal of the stack."""
        with self._step("build") as row:
            self.stack.build(*build)
            size = int(json.loads(engine.run("image", "inspect", "gangland:compose-test"))[0]["Size"])
            row.told = f"an image of {size / 1e6:.0f} MB"
        with self._step("up") as row:
            self.stack.up(**SETTINGS)
            wait_for("all services to be well", self._all_well, UP_S)
            row.told = f"{len(self.stack.containers())} containers well"
        with self._step("held") as row:
            row.told = self._look_how_they_are_held()
        with self._step("doctor") as row:
            row.told = self._ask_doctor()
        with self._step("first admin, upload") as row:
            self._sign_up()
            row.told = self._upload_and_follow()
        for service in VICTIMS:
            self._kill(service, self.stack.containers(service)[:1])
        self._kill("all at once", None)
        with self._step(f"{SCALED} workers") as row:
            row.told = self._scale()
        with self._step("settled") as row:
            row.told = self._settle()

    def _look_how_they_are_held(self) -> str:
        shipped = json.loads(Path(self.stack.folder / "docker" / "worker-seccomp.json").read_text("utf-8"))
        for one in self.stack.containers(*OURS):
            status = _status(engine.run("exec", one.id, "python", "-c", FIRST_PROCESS))
            wanted = {"Uid": USER, "CapEff": "0" * 16, "CapBnd": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"}
            wrong = [f"{name} is {status.get(name)}" for name, value in wanted.items() if status.get(name) != value]
            if not one.facts["HostConfig"]["ReadonlyRootfs"]:
                wrong.append("its root can be written to")
            if one.facts["HostConfig"]["Privileged"]:
                wrong.append("it is privileged")
            if one.service in ("matches", "checks") and not _has_profile(one, shipped):
                wrong.append("its seccomp profile is not docker/worker-seccomp.json")
            self.problems += [f"{one.service}: {what}" for what in wrong]
        armour = {one.facts["AppArmorProfile"] or "none" for one in self.stack.containers("matches")}
        return (
            f"user {USER}, no capability, seccomp docker/worker-seccomp.json in the match workers;"
            f" AppArmor {'active' if engine.has_apparmor(self.facts) else 'not active'} ({', '.join(sorted(armour))})"
        )

    def _ask_doctor(self) -> str:
        told = json.loads(self.stack.execute("matches", "gangland", "doctor", "--json", "--site", "http://web:8000"))
        failing = [probe["name"] for probe in told["probes"] if not probe["ok"]]
        if failing or not told["ok"]:
            self.problems.append(f"the doctor finds: {', '.join(failing) or told['site']}")
        count, slots = len(told["probes"]), told["site"]["slots"]
        return f"{count - len(failing)} of {count} probes passed, {slots} match slots"

    def _sign_up(self) -> None:
        self.admin.sign_up()
        if not self.admin.become_admin(self.stack.setup_code()):
            raise StepFailed("the one-time code made nobody the admin")
        self.author.sign_up()
        self.author.take_token()

    def _upload_and_follow(self) -> str:
        began = time.monotonic()
        number = self._upload()
        wait_for("the verdict", lambda: self._is_accepted(number), VERDICT_S)
        accepted = time.monotonic() - began
        wait_for("a rating at every table", lambda: self._is_rated() or None, VERDICT_S)
        rated = time.monotonic() - began
        return f"accepted after a trial in {accepted:.0f} s, rated at 2, 3 and 4 seats in {rated:.0f} s"

    def _is_rated(self) -> bool:
        return all(self.author.is_rated(self.version, seats) for seats in (2, 3, 4))

    def _upload(self) -> int:
        self.version += 1
        return self.author.upload(self.version)

    def _is_accepted(self, number: int) -> bool | None:
        told = self.author.ask(f"/versions/{number}")
        if told["state"] in ("rejected", "withdrawn", "retired"):
            raise StepFailed(f"the bot was not accepted: {told}")
        return told["state"] == "active" or None

    def _kill(self, name: str, victims: list[Container] | None) -> None:
        self._keep_busy()
        with self._step(f"kill {name}") as row:
            before = self._audit()
            victims = self.stack.containers() if victims is None else self.stack.containers(name)[:1]
            self.stack.kill(victims)
            began = time.monotonic()
            wait_for(f"{name} to be well again", lambda: self._is_back(victims), BACK_S)
            wait_for("the site to be ready", self._all_well, BACK_S)
            back = time.monotonic() - began
            after = wait_for("another result", lambda: self._audit_beyond(before["done"]), MOVES_S)
            row.told = f"well after {back:.0f} s; {before['done']} matches recorded before, {after['done']} soon after"
            self._compare(name, before, after)

    def _keep_busy(self) -> None:
        if self._to_play() < AT_WORK:
            number = self._upload()
            wait_for("the verdict", lambda: self._is_accepted(number), VERDICT_S)
        wait_for("matches to be played", lambda: self._to_play(only_sent=True) or None, VERDICT_S)

    def _to_play(self, *, only_sent: bool = False) -> int:
        queue = next(one for one in self.author.ask("/status")["queues"] if one["purpose"] == "ladder")
        return int(queue["playing"] + (0 if only_sent else queue["waiting"]))

    def _compare(self, name: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        changed = [key for key, digest in before["digests"].items() if after["digests"].get(key) != digest]
        if changed:
            self.problems.append(f"kill {name}: {len(changed)} recorded matches are gone or different")

    def _scale(self) -> str:
        self.stack.up(WORKERS=str(SCALED))
        wait_for("all services to be well", self._all_well, UP_S)
        wait_for(f"{SCALED} slots", lambda: self.author.ask("/status")["slots"] == SCALED or None, UP_S)
        return f"{len(self.stack.containers('matches'))} containers, {SCALED} match slots"

    def _settle(self) -> str:
        wait_for("all matches to be played", self._all_played, SETTLED_S)
        found = self._audit()
        reasons = ", ".join(f"{count} {reason}" for reason, count in found["void_reasons"].items())
        wrong = {"open": "not recorded", "void": f"void: {reasons}", "missing": "missing numbers", "doubled": "doubled"}
        self.problems += [f"{found[key]} matches are {what}" for key, what in wrong.items() if found[key]]
        rated = json.loads(self.stack.execute("records", "python", "-m", "gangland_web.ops.rebuild_ratings", "--json"))
        if rated["differed"]:
            self.problems.append("the ratings are not those that the recorded matches give")
        ratings = "differ" if rated["differed"] else "are as computed anew"
        return (
            f"{found['done']} of {found['matches']} matches recorded once, {found['trials']} of them trials,"
            f" {found['begun_again']} begun more than once; the ratings {ratings}"
        )

    def _all_played(self) -> bool | None:
        """Check twice in a row, because the record worker may be about to plan more."""
        for _ in range(2):
            if any(queue["waiting"] + queue["playing"] for queue in self.author.ask("/status")["queues"]):
                return None
            time.sleep(5)
        return True

    def _audit(self) -> dict[str, Any]:
        script = Path(__file__).with_name("audit.py").read_text("utf-8")
        found: dict[str, Any] = json.loads(self.stack.execute("records", "python", "-", stdin=script))
        return found

    def _audit_beyond(self, done: int) -> dict[str, Any] | None:
        found = self._audit()
        return found if found["done"] > done else None

    def _all_well(self) -> bool | None:
        found = self.stack.containers()
        if not found or not all(one.is_well for one in found):
            return None
        self.author.ask("/status")
        return True

    def _is_back(self, victims: list[Container]) -> bool | None:
        """Return whether each killed container runs again, is healthy, and is another run of the same container."""
        now = {one.id: one for one in self.stack.containers()}
        return all(now[one.id].is_well and now[one.id].started_at != one.started_at for one in victims) or None

    @contextmanager
    def _step(self, name: str) -> Iterator[Row]:
        sys.stderr.write(f"{time.strftime('%H:%M:%S')} {name}\n")
        row, began = Row(name, 0.0), time.monotonic()
        self.rows.append(row)
        try:
            yield row
        finally:
            row.seconds = time.monotonic() - began


def lines(rows: list[Row], problems: list[str]) -> list[str]:
    table = [["step", "s", "what came"], ["---"] * 3, *([row.step, f"{row.seconds:.0f}", row.told] for row in rows)]
    return [
        *(f"| {' | '.join(row)} |" for row in table), "",
        *(problems or ["Everything came back, and every match counts once."]),
    ]  # fmt: skip


def _status(text: str) -> dict[str, str]:
    named = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name: (value.split() or [""])[0] for name, value in named}


def _has_profile(one: Container, shipped: Mapping[str, Any]) -> bool:
    """Return whether the engine was given the shipped profile, which it keeps as text."""
    given = [each.split("=", 1)[1] for each in one.facts["HostConfig"]["SecurityOpt"] if each.startswith("seccomp=")]
    return [json.loads(text) for text in given] == [shipped]
