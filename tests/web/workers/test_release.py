"""A worker of another release plays nothing that counts; one that ends gives its match back; no attempt is lost."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.kits import worker_kit
from tests.kits.broker_kit import LOCAL_MATCHES, LOCAL_RECORDS, LOCAL_TRIALS
from tests.kits.core_kit import ON_POSTGRESQL, Platform, Sent, play_job
from tests.kits.models import Fact, Verdict, store_fact
from tests.kits.worker_kit import GOOD, SLOW, WELL, Said, a_worker, hashed, match_job_of, message_of, send_run, wait_for
from tests.sandbox import staging, trial

from gangland import __version__, games
from gangland_ladder.common.release import PACKAGES, release_mismatch, this_python, this_release
from gangland_ladder.matches.match_jobs import Result
from gangland_web.broker import gate, link, names
from gangland_web.broker.server import BrokerPlan
from gangland_web.queries.status import _label_and_fix
from gangland_web.services.jobs import Receipt, Report, record_message
from gangland_web.workers import match, players, records

OTHER = "0.0.9+0123456789ab"
SOON = """
import sys
from gangland_web.workers import match as worker
worker.GRACE_S = 0.2
sys.exit(worker.main())
"""
"""The worker, only less patient."""
AT_ONCE = SOON.replace("GRACE_S = 0.2", "RELEASE_WAIT_S = 0.0")


def begun(platform: Platform) -> Sent:
    platform.recorder.schedule()
    match_job = platform.take()
    platform.begin(match_job)
    assert platform.job(match_job).attempt == 1
    return match_job


def plays_on(platform: Platform, match_job: Sent) -> None:
    job = platform.job(match_job)
    assert (job.state, job.attempt, job.begun_at, job.token) == ("waiting", 0, None, None)
    assert platform.match(match_job.id).state == "scheduled"
    platform.play_all()
    assert (platform.match(match_job.id).state, platform.match(match_job.id).attempt) == ("done", 1)


def told(match_job: Sent, result: object, release: str = OTHER) -> str:
    return gate.encode_message(msgspec.structs.replace(match_job.message.answer(result), release=release))


def taken(platform: Platform, match_job: Sent, result: object, release: str = OTHER) -> Receipt:
    return record_message(platform.database, Report.RESULT, names.LOCAL, told(match_job, result, release))


def with_mood(result: Result) -> object:
    return msgspec.to_builtins(result) | {"mood": "good"}


def test_a_result_of_another_release_costs_no_attempt(platform: Platform, caplog: pytest.LogCaptureFixture) -> None:
    match_job, other = begun(platform), platform.take()
    platform.begin(other)
    platform.post.sent.clear()
    platform.recorder.record_message(Report.RESULT, names.LOCAL, told(other, play_job(other)))
    assert f"ladder {other.id}: result of a different release its worker has {OTHER}" in caplog.text
    assert platform.recorder.counts.take().amounts == {"gangland_results_total|other_release": 1}
    assert platform.post.sent == []  # the same worker could take it again
    platform.recorder.dispatch()
    assert other.id in [sent.id for _, sent in platform.post.sent]
    recorded = taken(platform, match_job, play_job(match_job))
    assert recorded.verdict is Verdict.OTHER_RELEASE
    assert OTHER in recorded.reason
    assert this_release() in recorded.reason
    assert taken(platform, match_job, play_job(match_job)).verdict is Verdict.STALE
    plays_on(platform, match_job)


def test_a_newer_worker_s_result_in_another_form_is_told_from_one_that_is_wrong(platform: Platform) -> None:
    match_job, wrong = begun(platform), platform.take()
    platform.begin(wrong)
    assert taken(platform, match_job, with_mood(play_job(match_job))).verdict is Verdict.OTHER_RELEASE
    assert taken(platform, wrong, with_mood(play_job(wrong)), this_release()).verdict is Verdict.REFUSED
    assert (platform.job(match_job).attempt, platform.job(wrong).attempt) == (0, 1)
    plays_on(platform, match_job)


def test_a_release_is_the_version_and_a_digest_of_all_code_that_a_worker_plays_with() -> None:
    version, _, rest = this_release().partition("+")
    digest, _, python = rest.partition(".py")
    assert (version, python) == (__version__, f"{sys.version_info[0]}.{sys.version_info[1]}")
    assert len(bytes.fromhex(digest)) == 6
    document = "import sys, gangland_web.workers.match; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", document], capture_output=True, text=True, check=True)
    ours = {name.split(".")[0] for name in done.stdout.split() if name.startswith("gangland")}
    assert ours == {*PACKAGES, "gangland_web"}


@ON_POSTGRESQL
def test_a_recorder_of_another_release_begins_with_nothing_given_out(platform: Platform, broker: BrokerPlan) -> None:
    client = link.connect(broker.redis_url)
    records.requeue_old_jobs(platform.database, client)
    match_job = begun(platform)
    client.lpush(LOCAL_MATCHES, "a job")
    assert records.requeue_old_jobs(platform.database, client) == 0
    assert client.llen(LOCAL_MATCHES) == 1
    platform.write(store_fact, Fact.RELEASE, {"release": OTHER})
    assert records.requeue_old_jobs(platform.database, client) >= 1
    assert (client.llen(LOCAL_MATCHES), client.llen(LOCAL_TRIALS)) == (0, 0)
    platform.post.sent.clear()
    plays_on(platform, match_job)


def player(message: Said, *, has_to_end: bool = False) -> players.Player:
    codes = players.CodeStore({hashed(source): source for source in (GOOD, SLOW)}.get)
    return players.Player(message, codes, lambda: None, lambda: None, None, lambda: has_to_end)


def on_python(version: str) -> str:
    return this_release().removesuffix(this_python()) + version


@pytest.mark.parametrize("change", [{"release": OTHER}, {"release": OTHER, "mood": "good"}, {"release": ""}])
def test_a_job_of_another_release_is_refused_by_name_before_it_is_begun(change: dict[str, Any]) -> None:
    message = Said()
    text = json.dumps(json.loads(gate.encode_message(message_of(match_job_of(GOOD, GOOD)))) | change)
    with pytest.raises(players.ReleaseMismatch, match="and the site is") as refused:
        player(message).play(gate.decode_message(text))
    assert this_release() in str(refused.value)
    assert (change["release"] or "on an unknown release") in str(refused.value)
    assert message.words == ["returned"]


def test_a_site_on_another_python_is_told_from_one_of_another_release() -> None:
    output, message = Said(), message_of(match_job_of(GOOD, GOOD), release=on_python("3.99"))
    with pytest.raises(players.ReleaseMismatch, match=r"on Python 3\.99 at the site.* this worker on Python 3\.99"):
        player(output).play(message)
    assert output.words == ["returned"]


@pytest.mark.parametrize("site", [on_python("3.99"), OTHER])
def test_a_worker_of_another_release_says_so_as_it_starts(site: str, broker: BrokerPlan, tmp_path: Path) -> None:
    client, log = link.connect(broker.redis_url), tmp_path / "log"
    client.set(names.RELEASE_KEY, site)
    with a_worker(broker, staging.started_on(WELL, "-c", AT_ONCE), log) as process:
        assert process.wait() == 3
    assert f"this worker refuses to play: {release_mismatch(site)}" in log.read_text()
    assert link.count_stopped(client, link.CAUSES) == {"release": 1}
    assert link.count_slots(client) == 0


def test_a_match_that_takes_longer_than_its_worker_may_is_given_back() -> None:
    games.game_named("gang-of-dice")  # the game's rules are imported while they can be read

    def work() -> list[str]:
        message = Said()
        player(message, has_to_end=True).play(message_of(match_job_of(SLOW, GOOD)))
        return message.words

    words: list[str] = trial.apart(work)
    assert (words[0], words[-1], words.count("result")) == ("alive", "returned", 0)


def test_a_worker_of_another_release_hands_the_job_back_and_says_why(broker: BrokerPlan, tmp_path: Path) -> None:
    client, log = link.connect(broker.redis_url), tmp_path / "log"
    send_run(broker, match_job_of(GOOD, GOOD), release=OTHER)
    with a_worker(broker, staging.started_on(WELL, "-m", "gangland_web.workers.match"), log) as process:
        assert process.wait() == 3
    assert (client.llen(LOCAL_MATCHES), link.count_slots(client)) == (0, 0)
    ((task, _),) = worker_kit.messages_in(broker, LOCAL_RECORDS)  # not into the queue, where it could outlast its lease
    assert task == "gangland.returned"
    assert link.count_stopped(client, link.CAUSES) == {"release": 1}
    assert "plays no further match" in log.read_text()
    assert OTHER in log.read_text()
    probe, fix = _label_and_fix("release")
    assert probe == "release"
    assert this_release() in fix


def test_a_restarted_worker_of_another_release_is_reported_until_a_job(broker: BrokerPlan, tmp_path: Path) -> None:
    client, log, place = link.connect(broker.redis_url), tmp_path / "log", f"{os.uname().nodename}:1"
    match.Fitness(client, "local", place).report_other_release("the site is of another")
    link.announce_stopped(client, "local", place, "sockets")
    with a_worker(broker, staging.started_on(WELL, "-m", "gangland_web.workers.match"), log) as process:
        wait_for(lambda: b"ready to play" in log.read_bytes(), process, log)
        assert link.count_stopped(client, link.CAUSES) == {"release": 1}  # its jail holds, that is all it knows
        client.set("code:" + hashed(GOOD), GOOD)
        send_run(broker, match_job_of(GOOD, GOOD))
        wait_for(lambda: link.count_stopped(client, link.CAUSES) == {}, process, log)
    assert "gangland.result" in [task for task, _ in worker_kit.messages_in(broker, LOCAL_RECORDS)]


def test_a_worker_that_ends_gives_back_what_it_cannot_finish(broker: BrokerPlan, tmp_path: Path) -> None:
    client, log = link.connect(broker.redis_url), tmp_path / "log"
    client.set("code:" + hashed(SLOW), SLOW)
    send_run(broker, match_job_of(SLOW, SLOW))
    with a_worker(broker, staging.started_on(WELL, "-c", SOON), log) as process:
        wait_for(lambda: client.llen(LOCAL_RECORDS) > 0, process, log)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    sent = [task for task, _ in worker_kit.messages_in(broker, LOCAL_RECORDS)]
    assert sent[-1] == "gangland.returned"
    assert sent[0] == "gangland.alive"
    assert "gangland.result" not in sent
    assert "returned match" in log.read_text()
