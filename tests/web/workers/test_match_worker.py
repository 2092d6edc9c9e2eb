"""The match worker: what it must not have, what it drops, what it says, and what it imports in time."""

import re
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from shutil import which

import msgspec
import pytest
from tests.kits.broker_kit import LOCAL_MATCHES, LOCAL_RECORDS, LOCAL_TRIALS
from tests.kits.worker_kit import GOOD, a_process, hashed, match_job_of, messages_in, play, send_run, wait_for
from tests.sandbox import trial, zip_kit

from gangland_ladder.matches.match_jobs import CheckReport, Problem, Result, decode_result
from gangland_sandbox.errors import SandboxError
from gangland_web.broker import link, names
from gangland_web.broker.server import BrokerPlan
from gangland_web.ops.children import NICE
from gangland_web.workers import celery_app, match, players

BROKEN = b"""from gangland import gang_of_dice


class Broken(gang_of_dice.Bot):
    def choose_dice(self, view):
        raise LookupError("no such card")
"""


def test_a_job_whose_lease_has_run_out_is_dropped_unsaid_and_a_match_without_its_very_code_is_void() -> None:
    assert play(match_job_of(GOOD, GOOD), GOOD, until=1.0).words == []
    output = play(match_job_of(GOOD, BROKEN), GOOD)
    assert output.words == ["alive", "result", "ends"]
    assert output.results[0].void is not None
    with pytest.raises(players.CodeMissing):
        players.CodeStore({hashed(GOOD): b"something else"}.get).get(hashed(GOOD))


def test_code_is_fetched_once_while_it_fits_into_what_is_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MAX_CACHED_BYTES", 2500)
    shelf = {hashed(source): source for source in (bytes([number]) * 1000 for number in range(3))}
    fetched: list[str] = []

    def fetch(digest: str) -> bytes:
        fetched.append(digest)
        return shelf[digest]

    store = players.CodeStore(fetch)
    one, two, three = shelf
    for digest in (one, one, two, one, three, one, two):
        assert store.get(digest) == shelf[digest]
    assert fetched == [one, two, three, two]


def test_a_zip_on_trial_is_checked_and_plays() -> None:
    files = {"bot.py": GOOD.replace(b"return 1", b"return helpers.ONE"), "helpers.py": b"ONE = 1\n"}
    files["bot.py"] = b"import helpers\n" + files["bot.py"]
    archive = zip_kit.zipped(files)

    def words_and_faults() -> tuple[list[str], str | None, list[int]]:
        output = play(match_job_of(archive, GOOD, check=0), archive, GOOD)
        (result,) = output.results
        return output.words, result.void, [len(game.faults) for game in result.games]

    words, void, faults = trial.apart(words_and_faults)
    assert words == ["alive", "imported", "legal", "timed", "result"]
    assert (void, faults) == (None, [0, 0])


@pytest.mark.parametrize(("within_s", "stages"), [(60.0, ["imported", "legal", "timed"]), (0.0, ["imported"])])
def test_a_check_alone_breaks_off_in_time(monkeypatch: pytest.MonkeyPatch, within_s: float, stages: list[str]) -> None:
    monkeypatch.setattr(players, "SHORT_CHECK_S", within_s)
    job = msgspec.structs.replace(match_job_of(GOOD, check=0), check_only=True)

    def reported() -> tuple[list[str], list[str], int, str | None]:
        (result,) = play(job, GOOD).results
        found = result.check or CheckReport("", [], [], 0.0, 0.0, 0)
        return found.stages, [one.code for one in found.problems], len(result.games), result.void

    assert list(trial.apart(reported)) == [stages, [], 0, None]


def test_a_jail_that_fails_and_a_bug_of_ours_cost_no_bot_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    for failure in (SandboxError("no user namespaces"), ZeroDivisionError("our bug")):

        def fail(*args: object, failure: Exception = failure, **named: object) -> Result:
            raise failure

        monkeypatch.setattr(players, "play_match", fail)
        result = play(match_job_of(GOOD, GOOD), GOOD).results[0]
        assert result.games == []
        assert str(failure) in (result.void or "")


def test_a_bot_that_fails_its_check_plays_nothing_and_each_lease_has_its_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    report = CheckReport("Bot", [], [Problem("E201", "no bot class", 1)], 0.0, 0.0, 0)
    salts: list[bytes] = []

    def keep(*_args: object, salt: bytes, **_named: object) -> CheckReport:
        salts.append(salt)
        return report

    monkeypatch.setattr(players, "check_bot", keep)
    job = match_job_of(GOOD, GOOD, check=0)
    for token in ("one", "other"):
        result = play(job, GOOD, token=token).results[0]
        assert (result.check, result.games) == (report, [])
    assert len({*salts, bytes.fromhex(job.rng_key)}) == 3


def running_worker(
    broker: BrokerPlan, log: Path, *flags: str, **settings: str
) -> AbstractContextManager[subprocess.Popen[bytes]]:
    command = [which("nice") or "nice", "-n", str(NICE), sys.executable, *flags, "-m", "gangland_web.workers.match"]
    return a_process(command, log, WORKER_REDIS_URL=broker.worker_redis_url, **settings)


def test_a_worker_takes_plays_answers_and_imports_nothing_without_root(broker: BrokerPlan, tmp_path: Path) -> None:
    platform, log = link.connect(broker.redis_url), tmp_path / "log"
    for source in (GOOD, BROKEN):
        platform.set(names.code_key(hashed(source)), source)
    with running_worker(broker, log, "-X", "importtime") as process:
        wait_for(lambda: link.count_slots(platform), process, log)
        celery_app.send(celery_app.make_celery(broker.redis_url), names.TASK_RUN, ["no job"], LOCAL_MATCHES)
        for job in (
            match_job_of(GOOD, BROKEN),
            match_job_of(GOOD, GOOD, check=0),
            match_job_of(GOOD, b"nowhere to be had"),
        ):
            send_run(broker, job)
        assert process.wait() == 3  # after a match that it made void a worker has itself started and probed afresh
    assert link.count_slots(platform) == 0
    messages = messages_in(broker, LOCAL_RECORDS)
    results = [decode_result(bytes(message.body)) for task, message in messages if task == names.TASK_RESULT]
    assert len(results) == 3
    assert messages[0][0] == names.TASK_ALIVE
    assert {fault.kind for game in results[0].games for fault in game.faults} == {"crashed"}
    assert "no such card" in results[0].games[0].faults[0].message
    assert results[1].check is not None
    assert results[1].check.stages == ["imported", "legal", "timed"]
    assert results[2].void is not None
    late = re.findall(r"^import time:.*\| +(\S+)$", log.read_text().split("ready to play")[1], re.MULTILINE)
    assert late == []


def test_a_worker_takes_trials_before_matches(broker: BrokerPlan, tmp_path: Path) -> None:
    for number, queue in ((1, LOCAL_MATCHES), (2, LOCAL_MATCHES), (3, LOCAL_TRIALS)):
        send_run(broker, msgspec.structs.replace(match_job_of(b"nowhere to be had", GOOD), id=number), queue)
    with running_worker(broker, tmp_path / "log") as process:
        process.wait()
    task, message = messages_in(broker, LOCAL_RECORDS)[0]
    assert (task, message.job) == (names.TASK_ALIVE, 3)


def test_a_worker_with_credentials_that_are_not_its_own_ends_with_a_reason(broker: BrokerPlan, tmp_path: Path) -> None:
    for name in ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "DATABASE_URL_FILE", "SECRET_KEY_FILE"):
        with pytest.raises(match.ForbiddenSetting, match=name):
            match.check_environment({name: "anything"})
    log = tmp_path / "log"
    with running_worker(broker, log, DATABASE_URL="sqlite:///x") as process:
        assert process.wait() == 2
    assert "DATABASE_URL" in log.read_text()
