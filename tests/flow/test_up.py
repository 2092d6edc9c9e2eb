"""`gangland up` as a person runs it: its processes, from an upload to the leaderboard, hints, mistakes, a backup.

All tests but the last share one site.  None of them needs another one to have run before.
"""

import os
import re
import signal
import stat
import subprocess
import sys
import urllib.error
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.flow import flow_kit
from tests.flow.flow_kit import HOSTILE, Browser, Up, children_of, command_of, left_of, running_up, state_of, submit
from tests.flow.mistakes_kit import Author, Uploader, by_file, mistakes, on_every_way
from tests.flow.processes_kit import KINDS, MATCH_WORKER, environment_of, kinds_of_users, parts_of, wait_until_blank
from tests.kits import command_kit, mail_kit, processes_kit
from tests.kits.models import Bot, Match, PlayHint, Tournament, User, Version, col, select

from gangland_web.ops.admin import main as admin
from gangland_web.services import ladder_days, schedules
from gangland_web.settings import sqlite_url

pytestmark = [pytest.mark.flow, pytest.mark.slow]

GAMES = GAME, HINTED = "gang-of-dice", "gangster-dice"
SEATS = 4, 2, 3  # the first of each game's ladders has matches from the start
Done = set[tuple[int | None, str | None]]  # ids and digests of finished matches
MARK = "s3cret-of-the-smtp-server"
INBOX = mail_kit.Inbox()

NEWCOMER = """from gangland import gang_of_dice


class Newcomer(gang_of_dice.Bot):
    def choose_dice(self, view):
        want = 2 if view.card.yellow else 4
        return min(want, view.pool)
"""

HOSTILE_BOTS = {
    "illegal_dice": "E203", "segfault": "E204", "import_crash": "E201", "cpu_loop": "E205",
    "garbage_frames": "E210", "socket_uncaught": "E204", "sleep": "E230",
}  # fmt: skip
"""Bots that misbehave, and the finding that their authors are told."""
FIRST = 2  # the quick suite checks these: one by the referee's word, one by the kernel's


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    options = {"authenticator": mail_kit.only("house", MARK), "auth_require_tls": False}
    with mail_kit.smtp_server(INBOX, **options) as port:
        url, data = f"smtp+plain://house:{MARK}@127.0.0.1:{port}", tmp_path_factory.mktemp("up") / "data"
        mail = partial(running_up, SMTP_URL=url, SMTP_FROM=mail_kit.SENDER, SITE_URL=mail_kit.SITE)
        with mail(data, workers=1, nice=3, rounds=0, GANGLAND_ANALYSIS_SAMPLE="0") as running:
            for game in GAMES:
                _plan_few_matches(running, game, SEATS[0])
            yield running


def _plan_few_matches(up: Up, game: str, seats: int) -> None:
    """Plan a round in which each bot that has not played yet plays about once, since the site plans some dozen."""
    with up.database.write() as session:
        chosen = select(Tournament).where(Tournament.kind == "ladder", Tournament.game == game)
        ladder = session.exec(chosen.where(Tournament.seats == seats)).one()
        standing = schedules.last_rounds_of(session, ladder)
        fresh = [entry for entry, last_round in standing if last_round is None]
        ids = [*fresh, *(entry for entry, last_round in standing if last_round is not None)] * 2
        tables = [tuple(sorted(ids[start : start + seats])) for start in range(0, len(fresh), seats)]
        number = 1 + max(last_round or 0 for _, last_round in standing)
        schedules._write(session, ladder, ladder_days.ensure_day(session, ladder), number, tables, placement=False)


@pytest.fixture(scope="module")
def anna(up: Up) -> tuple[Browser, str]:
    browser = Browser(up.port)
    browser.post("/sign-up", {"name": "Anna", "password": "correct horse battery"})
    path, _ = browser.post("/upload", {"game": GAME, "name": "newcomer", "source": NEWCOMER})
    assert path.startswith("/bots/")
    up.wait_until(lambda: "active" in browser.get(path), "the trial")
    return browser, path


def test_it_tells_its_address_and_on_the_first_start_a_code_for_the_admin(up: Up) -> None:
    result = {event["event"]: event for event in up.events}
    assert result["ready"]["address"] == f"http://127.0.0.1:{up.port}/"
    assert len(result["setup_code"]["code"]) >= 12


def _try_up(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gangland_web.ops.supervisor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_second_start_on_the_same_data_folder_is_refused_with_a_reason(up: Up) -> None:
    refused = _try_up("--data", str(up.data), "--port", "1")
    assert refused.returncode == 2
    assert "already running" in refused.stderr
    assert str(up.process.pid) in refused.stderr


def test_nobody_else_can_look_into_the_data_folder(up: Up) -> None:
    """If root serves, others may pass through the folder, since each process has its own user."""
    passing = 0o001 if os.geteuid() == 0 else 0
    assert stat.S_IMODE(up.data.stat().st_mode) & 0o007 == passing
    for path in (*up.data.iterdir(), *up.data.glob("handed/*/*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o007 == (passing if path.name == "handed" else 0), path
    assert stat.S_IMODE((up.data / "secret-key").stat().st_mode) & 0o377 == 0


def test_nothing_but_the_supervisor_is_root_and_every_kind_of_process_has_a_user_of_its_own(up: Up) -> None:
    observed: dict[str, set[int]] = {}

    def all_kinds_found() -> bool:
        for kind, users in kinds_of_users(up).items():
            observed.setdefault(kind, set()).update(users)
        return len(observed) == len(KINDS)

    up.wait_until(lambda: "ready to play" in up.log, "a worker")
    up.wait_until(all_kinds_found, "every kind of process")
    if os.geteuid() != 0:
        assert set().union(*observed.values()) == {os.geteuid()}
        return
    players = {kind: observed.pop(kind) for kind in ("zygote", MATCH_WORKER)}
    # A worker that starts is root until its jails' Python is prepared; see the next test.
    assert {kind: users - {0} for kind, users in players.items()} == {kind: {10001} for kind in players}
    assert 0 in observed.pop("supervisor")  # and its forks, on their way to becoming others
    assert all(len(users) == 1 for users in observed.values()), observed
    others = [*observed.values()]
    assert len(set().union(*others)) == len(others)
    assert not set().union(*others) & {0, 10001}


def test_each_child_gets_only_the_settings_that_it_may_have(up: Up) -> None:
    allowed = {
        "gangland_web.workers.match": {"WORKER_REDIS_URL"}, "gangland_web.workers.analysis": {"ANALYSIS_REDIS_URL"},
        "gangland_web.workers.records": {"ANALYSIS_REDIS_URL", "DATABASE_URL", "REDIS_URL"},
        "gangland_web.workers.beat": {"REDIS_URL"},
        "gangland_web.workers.mail": {"DATABASE_URL", "REDIS_URL", "SMTP_URL"},
        "gangland_web.ops.serving": {"DATABASE_URL", "REDIS_URL", "SECRET_KEY_FILE"}, "valkey-server": set(),
        "redis-server": set(),
    }  # fmt: skip
    secrets = {"ANALYSIS_REDIS_URL", "WORKER_REDIS_URL", "DATABASE_URL", "REDIS_URL", "SECRET_KEY_FILE", "SECRET_KEY"}
    secrets |= {"SMTP_URL"}
    observed = set()
    for pid, command in parts_of(up).items():
        kind = next(name for name in allowed if name in command)
        assert secrets & set(environment_of(pid)) == allowed[kind], kind
        assert "unix://" not in command
        wait_until_blank(up, pid, allowed[kind])
        observed.add(kind)
    assert len(observed) == 7


def test_a_mail_goes_out_and_no_secret_reaches_the_log(up: Up) -> None:
    browser, password = Browser(up.port), "a password that is marked"
    browser.post("/sign-up", {"name": "Ann", "password": password})
    browser.post("/account/email", {"email": "ann@school.example", "proof": password}, form_at="/account")
    up.wait_until(lambda: INBOX.mails, "a mail")
    code = mail_kit.code_in(INBOX.take())
    _, page = browser.post("/account/email/confirm", {"code": code}, form_at="/account/sign-ins")
    assert "Your email address is now" in page
    passwords = {file.read_text().strip() for file in (up.data / "broker").glob("*-password")}
    key = (up.data / "secret-key").read_text().strip()
    assert len(passwords) == 3
    assert not [secret for secret in (MARK, password, code, key, *passwords) if secret in up.log]


def test_match_workers_are_never_root(up: Up) -> None:
    up.wait_until(lambda: up.log.count("ready to play") >= len(up.workers()), "all workers")
    user = os.geteuid() or 10001
    for pid in up.workers():
        assert f"Uid:\t{user}\t{user}\t{user}\t{user}" in Path(f"/proc/{pid}/status").read_text()


def test_what_an_organizer_types_while_it_runs_leaves_the_database_to_its_users(up: Up) -> None:
    command = [sys.executable, "-m", "gangland_web.ops.admin", "maintenance", "off", "--data", str(up.data)]
    subprocess.run(command, check=True, capture_output=True)
    assert {path.stat().st_uid for path in up.data.glob("gangland.sqlite3*")} == {os.geteuid() or 10012}


def test_matches_stand_back_for_pages(up: Up) -> None:
    up.wait_until(lambda: "ready to play" in up.log, "a worker")
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in up.workers()} == {os.getpriority(os.PRIO_PROCESS, 0) + 3}
    others = {pid: command for pid, command in parts_of(up).items() if pid not in {*up.workers(), *_analyzing(up)}}
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in others} == {os.getpriority(os.PRIO_PROCESS, 0)}


def test_a_child_that_dies_is_started_again(up: Up) -> None:
    victims = [pid for pid in children_of(up.process.pid) if "gangland_web.workers.records" in command_of(pid)]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    up.wait_until(
        lambda: [
            pid
            for pid in children_of(up.process.pid)
            if "gangland_web.workers.records" in command_of(pid) and pid not in victims
        ],
        "another record worker",
    )
    assert "records ended with status -9" in up.log


def _rows_of(up: Up, bot: str, *sizes: int) -> list[dict[str, Any]]:
    return [row for seats in sizes or SEATS for row in up.ladder(GAME, seats) if row["bot"] == bot]


at_each_size = pytest.mark.parametrize(
    "seats",
    [
        SEATS[0],
        *(pytest.param(seats, marks=pytest.mark.long("ladders of the other table sizes")) for seats in SEATS[1:]),
    ],
)


@at_each_size
@pytest.mark.usefixtures("anna")
def test_an_upload_by_a_person_plays_and_climbs_to_the_leaderboard(up: Up, seats: int) -> None:
    if seats != SEATS[0]:
        _plan_few_matches(up, GAME, seats)
    up.wait_until(lambda: any(row["games"] for row in _rows_of(up, "newcomer", seats)), f"games at {seats} seats")
    (row,) = _rows_of(up, "newcomer", seats)
    assert (row["owner"], row["version"], row["faults"]) == ("Anna", 1, 0)
    assert row["rating"] == pytest.approx(row["mu"] - 3 * row["sigma"])


def test_a_challenge_is_played_in_the_jail_and_seen_by_who_sits_there(up: Up, anna: tuple[Browser, str]) -> None:
    browser, _ = anna
    form = f"/{GAME}"
    bot = re.search(r'<option value="(\d+)"[^>]*>newcomer', browser.get(form))
    assert bot is not None
    house = [row["bot_id"] for row in _house_rows(up, GAME, 2)][:2]
    path, _ = browser.post("/play", {"game": GAME, "who": bot.group(1), "opponent": house}, form_at=form)
    up.wait_until(lambda: "Every game" in browser.get(path), "the challenge")
    assert "Challenge matches change no rating." in browser.get(path)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        up.get(path)


def _house_rows(up: Up, game: str, seats: int) -> list[dict[str, Any]]:
    return [row for row in up.ladder(game, seats) if row["owner"] == "house"]


def _all_played(up: Up, game: str, seats: int) -> bool:
    return all(row["games"] for row in _house_rows(up, game, seats))


@at_each_size
@pytest.mark.parametrize("game", GAMES)
def test_all_house_bots_play_in_both_games_without_a_fault(up: Up, game: str, seats: int) -> None:
    _plan_few_matches(up, game, seats)
    up.wait_until(partial(_all_played, up, game, seats), f"{game} at {seats}")
    rows = _house_rows(up, game, seats)
    assert len(rows) >= 4
    assert {row["faults"] for row in rows} == {0}


@pytest.mark.parametrize(
    "bot",
    [
        bot if number < FIRST else pytest.param(bot, marks=pytest.mark.long("hostile bots of the sandbox's own tests"))
        for number, bot in enumerate(HOSTILE_BOTS)
    ],
)
def test_a_hostile_bot_is_rejected_and_its_author_told_why(up: Up, bot: str) -> None:
    version = submit(up, f"owner-{bot}", GAME, bot, (HOSTILE / bot / "bot.py").read_bytes())
    up.wait_until(lambda: state_of(up, version) in ("active", "rejected"), f"the verdict on {bot}")
    assert state_of(up, version) == "rejected"
    assert flow_kit.last_words(up, version).startswith(HOSTILE_BOTS[bot]), flow_kit.last_words(up, version)
    assert _rows_of(up, bot) == []
    _need_no_fault(up)


def _need_no_fault(up: Up) -> None:
    rows = [row for seats in SEATS for row in up.ladder(GAME, seats) if row["bot"] != "turncoat"]
    assert {row["faults"] for row in rows} == {0}


def test_a_bot_that_misbehaves_on_the_ladder_is_blamed_by_name_and_nobody_else(up: Up) -> None:
    version = submit(up, "turncoat", GAME, "turncoat", (HOSTILE / "illegal_dice" / "bot.py").read_bytes(), trial=False)
    _plan_few_matches(up, GAME, SEATS[0])
    up.wait_until(lambda: any(row["faults"] for row in _rows_of(up, "turncoat")), "its faults")
    assert state_of(up, version) == "active"
    _need_no_fault(up)


def test_a_match_page_and_its_replay_can_be_read(up: Up) -> None:
    up.wait_until(lambda: _ladder_matches(up), "a match")
    assert "_gang" in up.get(f"/matches/{_ladder_matches(up)[0].id}")


def _ladder_matches(up: Up) -> list[Match]:
    return [match for match in up.matches() if match.state == "done" and match.purpose == "ladder"]


@pytest.fixture
def house_bot(up: Up) -> int:
    with up.database.read() as session:
        return session.exec(select(Bot.id).where(Bot.game == HINTED, Bot.is_house).order_by(col(Bot.id))).first() or 0


def test_a_hint_comes_although_its_process_is_killed(up: Up, house_bot: int) -> None:
    up.wait_until(lambda: "ready to analyze" in up.log, "the process that analyzes games")
    browser = Browser(up.port)
    fields = {"game": HINTED, "opponent": str(house_bot), "practice": "on"}
    address, _ = browser.post("/play", fields, form_at=f"/{HINTED}")
    up.wait_until(lambda: "data-ask-hint" in browser.get(address), "the first question")
    (killed,) = _analyzing(up)
    os.kill(killed, signal.SIGKILL)
    up.wait_until(lambda: _hint_is_there(browser, address), "the hint")
    assert killed not in _analyzing(up)
    with up.database.read() as session:
        assert session.exec(select(PlayHint.state)).all() == ["done"]
    assert "was refused" not in up.log


def _hint_is_there(browser: Browser, address: str) -> bool:
    page = browser.get(address)
    if "data-ask-hint" in page:
        number = re.search(r'name="number" value="(\d+)"', page)
        assert number is not None
        _, page = browser.post(f"{address}/hint", {"number": number[1]}, form_at=address)
    return "Best first (" in page


def _analyzing(up: Up) -> list[int]:
    return [pid for pid in children_of(up.process.pid) if "workers.analysis" in command_of(pid)]


@pytest.mark.parametrize("step", [27, pytest.param(1, marks=pytest.mark.long("all mistakes by all four ways"))])
def test_typical_mistakes_are_told_alike_by_file_page_api_and_submit(up: Up, tmp_path: Path, step: int) -> None:
    known = mistakes()
    assert len(known) >= 45
    browser, owners = Uploader(up.port), [f"{name}{step}" for name in ("paige", "apia", "subber")]
    browser.post("/sign-up", {"name": owners[0], "password": "correct horse battery"})
    api, submitting = (Author(up, name) for name in owners[1:])
    ways = {
        "file": lambda one: by_file(one, tmp_path / "here"), "page": lambda one: browser.by_page(one, api),
        "API": api.by_api, "submit": lambda one: submitting.by_submit(one, tmp_path / "there"),
    }  # fmt: skip
    wrong = [words for one in known[::step] for words in on_every_way(one, ways)]
    with up.database.read() as session:
        chosen = select(Match.purpose).join(Version, col(Version.id) == Match.trial_version_id)
        chosen = chosen.join(Bot, col(Bot.id) == Version.bot_id).join(User, col(User.id) == Bot.owner_id)
        purposes = session.exec(chosen.where(col(User.name).in_(owners))).all()
    assert wrong == []
    assert set(purposes) == {"check"}


def _admin(data: Path, *words: object) -> dict[str, Any]:
    ran = command_kit.run_main(admin, "gangland admin", *words, "--data", data, "--json")
    assert ran.code == 0, ran.err
    return ran.document


@contextmanager
def _halted(processes: Sequence[int]) -> Iterator[None]:
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def _done_in(up: Up) -> Done:
    return {(match.id, match.digest) for match in up.matches() if match.state == "done"}


@pytest.mark.long("three sites in a row; tests/web/ops/test_backup.py plays on from a backup without their processes")
def test_a_backup_in_mid_play_plays_on_elsewhere_and_after_its_site_was_killed(up: Up, tmp_path: Path) -> None:
    file, data = tmp_path / "site.backup", tmp_path / "second"
    up.wait_until(lambda: len(_done_in(up)) >= 3, "three matches")
    with _halted(up.workers()):
        waiting = submit(up, "bea", GAME, "waiting", (HOSTILE / "import_crash" / "bot.py").read_bytes())
        up.wait_until(lambda: any(match.state == "leased" for match in up.matches()), "a match under way")
        taken = _admin(up.data, "backup", file)["results"]
    up.wait_until(lambda: state_of(up, waiting) == "rejected", "the bot that was being checked")
    assert "Traceback" not in up.log
    restored = _admin(data, "restore", file)
    there, here = (_admin(one, "digest", "--up-to", taken["up_to"]) for one in (up.data, data))
    assert here == there
    assert (here["digest"], here["matches"]) == (taken["sha256"], taken["matches"])
    assert restored["same"]
    assert restored["returned"] > 0  # it was taken while a match was under way

    code_is_framed, left, done = _play_and_kill(data, waiting, taken["matches"])
    assert code_is_framed
    assert left == []
    assert len(done) > taken["matches"]
    _start_again_and_stop(data, done)


def _play_and_kill(data: Path, waiting: int, matches: int) -> tuple[bool, list[int], Done]:
    """Start a site, kill its supervisor once it has played on; return (is the code safe, pids left, what is done)."""
    code_is_framed, screen, port = False, data.with_name("screen"), flow_kit.free_port()
    env = {**os.environ, "GANGLAND_ROUNDS": "1", "GANGLAND_ANALYSIS_WORKERS": "0"}
    command = [sys.executable, "-m", "gangland_web.ops.supervisor", "--port", str(port), "--data", str(data)]
    command += ["--workers", "1", "--nice", "0"]
    with (
        screen.open("w") as out,
        subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True, env=env) as process,
    ):
        assert process.stderr is not None
        site = Up(data, port, process, sqlite_url(data))
        try:
            line = next(line for line in process.stderr if "one-time code" in line)
            code = line.split("one-time code: ")[1].split()[0]
            code_is_framed = f"|  http://127.0.0.1:{port}/ " in line
            site.wait_until(lambda: state_of(site, waiting) == "rejected", "the bot that was checked at the backup")
            site.wait_until(lambda: "matches scheduled" in site.log, "the next round")
            site.wait_until(lambda: len(_done_in(site)) > matches, "the next match")
            observed = processes_kit.descendants_of(process.pid)
        finally:
            process.kill()
            process.wait()
    left = left_of(observed)
    logs = [file.read_text(errors="replace") for file in data.rglob("*") if file.is_file() and "log" in file.name]
    code_is_framed &= bool(logs) and not [text for text in (screen.read_text(), *logs) if code in text]
    done = _done_in(site)
    site.database.close()
    return code_is_framed, left, done


def _start_again_and_stop(data: Path, done: Done) -> None:
    with running_up(data, workers=1, GANGLAND_ANALYSIS_WORKERS="0") as site:
        site.wait_until(lambda: len(_done_in(site)) > len(done), "another match")
        assert done < _done_in(site)
        assert [event["event"] for event in site.events if event["event"] != "progress"] == ["ready", "setup_code"]
        observed = processes_kit.descendants_of(site.process.pid)
        for _ in range(3):  # a terminal's whole group, and make besides
            site.process.send_signal(signal.SIGTERM)
        site.process.wait(timeout=flow_kit.PATIENCE_S)
        assert left_of(observed) == []
        assert "stopped" in site.log
        assert "had to stop immediately" not in site.log
