"""The log: one line an event whatever is said in it, with the ids that lead from a request to a match's record."""

import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.kits import core_kit, pages_kit

from gangland_web.app import create_app
from gangland_web.broker import gate, names
from gangland_web.ops.children import shared_environment
from gangland_web.process import OWN_LOGGERS, check_log_settings, log_ids, set_up_logging
from gangland_web.services.jobs import Report
from gangland_web.settings import ConfigError, Settings
from gangland_web.workers import players, records

NASTY = "a\nERROR gangland_web: forged\r\x1b[2J\u2028\x00\u202e\x85"
Log = io.StringIO


@contextmanager
def logged(**environ: str) -> Iterator[Log]:
    root, levels = logging.getLogger(), {name: logging.getLogger(name).level for name in OWN_LOGGERS}
    kept, level, stream = root.handlers[:], root.level, io.StringIO()
    set_up_logging(environ, stream)
    try:
        yield stream
    finally:
        root.handlers[:] = kept
        root.setLevel(level)
        for name, was in levels.items():
            logging.getLogger(name).setLevel(was)


def told(stream: Log) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("form", ["text", "json"])
def test_whatever_is_said_an_event_is_one_line(form: str) -> None:
    with logged(LOG_FORMAT=form) as stream, log_ids(bot=3, name=NASTY):
        logging.getLogger("gangland_web.test").warning("it said %s", NASTY)
    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().removesuffix("\n").isprintable()
    if form == "json":
        (line,) = told(stream)
        assert line.pop("at").endswith("Z")
        expected = {"level": "warning", "logger": "gangland_web.test", "event": f"it said {NASTY}", "bot": 3}
        assert line == expected | {"name": NASTY}
    else:
        assert stream.getvalue().startswith(
            r"WARNING gangland_web.test: it said a\nERROR gangland_web: forged\r\x1b[2J"
        )
        assert " bot=3 name=" in stream.getvalue()


def test_ids_are_said_while_they_are_bound_and_no_line_of_a_traceback_looks_like_an_event() -> None:
    log = logging.getLogger("gangland_web.test")
    with logged(LOG_FORMAT="json") as stream:
        with log_ids(match=7, attempt=None):
            log.info("inside")
            with log_ids(bots="1,2"):
                log.info("deeper")
        log.info("outside")
    inside, deeper, outside = [line.keys() - {"at", "level", "logger", "event"} for line in told(stream)]
    assert (inside, deeper, outside) == ({"match"}, {"match", "bots"}, set())
    for form in ("text", "json"):
        with logged(LOG_FORMAT=form) as stream:
            try:
                raise ValueError(NASTY)
            except ValueError:
                logging.getLogger("gangland_web.test").exception("it broke")
        first, *rest = stream.getvalue().split("\n")
        if form == "text":
            assert first == "ERROR gangland_web.test: it broke"
            assert all(line.startswith("    | ") for line in rest[:-1])
            assert "ValueError: a" in stream.getvalue()
        else:
            assert "ValueError" in json.loads(first)["trace"]
            assert rest == [""]


def test_the_level_says_how_much_is_written_and_a_setting_that_makes_no_sense_is_told() -> None:
    for level, expected in (("debug", ["d", "i", "w"]), ("info", ["i", "w"]), ("warning", ["w"])):
        with logged(LOG_FORMAT="json", LOG_LEVEL=level) as stream:
            ours = logging.getLogger("gangland_web.test")
            ours.debug("d")
            ours.info("i")
            logging.getLogger("celery").info("theirs")
            ours.warning("w")
        assert [line["event"] for line in told(stream)] == expected
    with logged(LOG_FORMAT="xml") as stream:
        pass
    assert stream.getvalue() == "ERROR gangland_web: LOG_FORMAT must be one of text, json, not 'xml'\n"
    with pytest.raises(ConfigError, match="LOG_LEVEL must be one of debug, info, warning, not 'loud'"):
        check_log_settings({"LOG_LEVEL": "loud"})
    assert shared_environment({})["LOG_LEVEL"] == "info"
    assert shared_environment({"LOG_LEVEL": "debug", "LOG_FORMAT": "json"}).items() >= {
        ("LOG_LEVEL", "debug"),
        ("LOG_FORMAT", "json"),
    }


def test_every_answer_has_an_id_and_its_line_no_word_of_the_asker(site: pages_kit.Site, tmp_path: Path) -> None:
    with logged(LOG_FORMAT="json") as stream:
        answer = site.stranger().get("/sign-in?next=/hidden-word", headers={"X-Request-Id": "mine-12345678"})
        site.stranger().get("/hidden-word")
        site.stranger().client.open("/", method="HIDDEN")
    assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["X-Request-Id"])
    lines = [line for line in told(stream) if line["logger"] == "gangland_web.requests"]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/sign-in", 200), ("GET", "nowhere", 404), ("other", "nowhere", 405),
    ]  # fmt: skip
    assert lines[0]["request"] == answer.headers["X-Request-Id"]
    assert lines[0]["bytes"] == len(answer.data)
    assert "idden" not in stream.getvalue()
    assert "mine" not in stream.getvalue()
    assert len({line["request"] for line in lines}) == 3
    settings = Settings(tmp_path, None, None, None, "for tests only", trusted_proxies=1)
    client = create_app(settings, database=site.database).test_client()
    for given, kept in (
        ("a.b-c_12", True), ("short", False), ("x" * 65, False), ("with space", False), ("{}<>\"'%0a", False),
    ):  # fmt: skip
        result_id = client.get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"]
        assert (result_id == given) is kept, given


def test_a_request_that_breaks_leaves_nothing_for_the_next(site: pages_kit.Site) -> None:
    app = site.app
    app.testing, app.config["PROPAGATE_EXCEPTIONS"] = False, False
    view = app.view_functions["health.healthz"]

    def breaks() -> str:
        raise ZeroDivisionError(NASTY)

    app.view_functions["health.healthz"] = breaks
    with logged() as stream:
        assert app.test_client().get("/healthz").status_code == 500
        app.view_functions["health.healthz"] = view
        logging.getLogger("gangland_web.test").warning("afterwards")
    lines = stream.getvalue().splitlines()  # of the process: a thread of another test may write, too
    (number,) = {match[1] for line in lines if (match := re.search(r" request=([0-9a-f]{16})\b", line))}
    answers = [line for line in lines if line.startswith("DEBUG gangland_web.requests: answered")]
    assert [f"request={number}" in line for line in answers] == [True]
    assert "WARNING gangland_web.test: afterwards" in lines


def test_one_can_follow_a_bot_from_its_upload_to_the_record_of_its_trial(site: pages_kit.Site) -> None:
    """By the request's id to the bot, by the bot to its match, and by the match through worker and recorder."""
    for name in ("house_one", "house_two", "house_three"):
        pages_kit.activate_bot(site, None, name)
    ann = site.person("Ann")
    post = core_kit.FakeBroker()
    recorder = records.Recorder(site.database, post, rounds=0)
    with logged(LOG_FORMAT="json") as stream:
        answer = ann.upload(b"from gangland import gang_of_dice\n")
        recorder.sweep()
        _, match_job = post.sent[0]
        player = players.Player(Said(recorder), players.CodeStore(lambda _: None), lambda: None, lambda: None)
        player.play(match_job.message)
        _, again = next(each for each in reversed(post.sent) if each[1].id == match_job.id)
        core_kit.Platform(site.database, post, recorder).finish(again)
    lines = told(stream)
    sent_in = next(line for line in lines if line["event"] == "version submitted")
    assert sent_in["request"] == answer.headers["X-Request-Id"]
    bot = str(sent_in["bot"])
    of_bot = [line for line in lines if bot in line.get("bots", "").split(",")]
    assert {line["match"] for line in of_bot} == {each.id for _, each in post.sent}
    story = [line["logger"] for line in of_bot if line["match"] == match_job.id]
    assert story[:2] == ["gangland_web.dispatch", "gangland_web.workers.players"]
    assert story[-1] == "gangland_web.workers.records"
    assert of_bot[-1].get("attempt", 2) == 2
    assert all("request" not in line for line in of_bot)  # the record worker serves no request


class Said:
    def __init__(self, recorder: records.Recorder) -> None:
        self.recorder = recorder

    def report_progress(self, message: gate.Message, body: object = None) -> None:
        self._take(Report.ALIVE, message, body)

    def send_result(self, message: gate.Message, result: object, within_s: float = 0.0) -> None:
        self._take(Report.RESULT, message, result)

    def return_job(self, message: gate.Message) -> None:
        self._take(Report.RETURNED, message)

    def _take(self, say: Report, message: gate.Message, body: object = None) -> None:
        self.recorder.record_message(say, names.LOCAL, gate.encode_message(message.answer(body)))
