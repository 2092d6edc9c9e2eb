"""Practice tables: what the reference would do, by button, for the question that is open and for its person alone."""

import json
import re
from html import unescape
from pathlib import Path
from secrets import token_urlsafe
from types import SimpleNamespace

import msgspec
import pytest
import time_machine
from tests.kits import core_kit, pages_kit
from tests.kits.models import PlayHint, PlayTable, Verdict, select
from tests.kits.play_site_kit import PlaySite, a_hall, add_bot, begin, decide, opened_hall

from gangland_ladder.playing.hints import HintAnswer, HintOption
from gangland_ladder.playing.hints import hints as hints_of
from gangland_ladder.viewer import commentary, presentation
from gangland_web.base.formats import now_s
from gangland_web.broker import gate, names
from gangland_web.services import play as tables
from gangland_web.services.jobs import ATTEMPTS, Report, sweep_jobs
from gangland_web.services.play import HINT_SILENCE_S, drop_tables, setup_of
from gangland_web.site import play
from gangland_web.web.limits import Rates
from gangland_web.workers.analysis import Worker, compute_hint

GAME = "gangster-dice"
BUTTON = ">Hint</button>"


@pytest.fixture(autouse=True)
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    deal(monkeypatch, "00")


def deal(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    chance = SimpleNamespace(token_hex=lambda n: seed * n, token_urlsafe=token_urlsafe, randbelow=lambda _: 0)
    monkeypatch.setattr(tables, "secrets", chance)


play_site = pytest.fixture(a_hall)


def practice(play_site: PlaySite) -> tuple[pages_kit.Person, str]:
    person = play_site.site.stranger()
    return person, begin(person, GAME, add_bot(play_site.site, GAME), practice="on", option_round_limit="3")


def ask(person: pages_kit.Person, address: str) -> int:
    number = re.search(r'name="number" value="(\d+)"', person.page(address))
    assert number is not None
    return person.post(f"{address}/hint", {"number": number[1]}, form_at=address).status_code


def without_tokens(page: str) -> str:
    return re.sub(r'(?<=name="csrf_token" value=")[^"]+', "", page)


def hint(play_site: PlaySite) -> PlayHint | None:
    with play_site.site.database.read() as db:
        found = db.exec(select(PlayHint)).first()
        db.expunge_all()
        return found


def sent(play_site: PlaySite) -> core_kit.SentJob:
    play_site.send()
    (sent_job,) = play_site.post.hints
    play_site.post.hints.clear()
    return sent_job


def say(
    play_site: PlaySite, sent_job: core_kit.SentJob, answer: HintAnswer | None, say: Report = Report.RESULT
) -> Verdict:
    return play_site.say(say, sent_job.message, answer, names.ANALYSIS_SENDER).verdict


def falls_silent(play_site: PlaySite, sent_job: core_kit.SentJob) -> None:
    assert say(play_site, sent_job, None, Report.ALIVE) is Verdict.ALIVE
    with time_machine.travel(now_s() + HINT_SILENCE_S + 1):
        assert len(sweep_jobs(play_site.site.database, [], {})) == 1


def given_up(play_site: PlaySite) -> core_kit.SentJob:
    for _ in range(ATTEMPTS - 1):
        falls_silent(play_site, sent(play_site))
    falls_silent(play_site, last := sent(play_site))
    assert play_site.send() == 0
    return last


def test_a_hint_stands_beside_its_question_though_workers_die_and_is_counted_at_the_end(play_site: PlaySite) -> None:
    person, address = practice(play_site)
    assert "practice" in person.page(address)
    assert ask(person, address) == 303
    page = person.page(address)
    assert "Computing a hint" in page
    assert 'http-equiv="refresh"' in page
    assert BUTTON not in page
    assert ask(person, address) == 303  # once more is no second one
    late = given_up(play_site)
    assert "The hint could not be computed. Try again." in person.page(address)
    ask(person, address)
    assert play_site.work_out_hints() == [Verdict.DONE]
    assert say(play_site, late, HintAnswer()) is Verdict.STALE
    page = person.page(address)
    live_table = play_site.live_table()
    (seat,) = live_table.setup.humans
    question = live_table.question(seat)
    assert question is not None
    assert len(re.findall(r"\(hint: (?:best|costs [\d.]+%)\)", page)) == question.count
    assert "(hint: best)" in page
    assert "Chance to win".lower() in page
    assert BUTTON not in page
    assert without_tokens(person.page(address)) == without_tokens(page)  # a reload shows it again
    play_site.play_out(person, address)
    assert len(play_site.table().hints) == 1
    table, address = address, f"{address.replace('/play/', '/matches/')}/games/0/0"
    page = person.page(address)
    assert "Practice game, 1 hint." in page
    assert page.count('<p class="noted">a hint was taken</p>') == 1
    person.post(f"{table}/share", {"shared": "1"}, form_at=address)
    assert "Practice game, 1 hint." in play_site.site.stranger().page(address)


def test_where_a_decision_is_put_together_its_parts_are_marked(
    play_site: PlaySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal(monkeypatch, "05")  # 36 answers
    person, address = practice(play_site)
    ask(person, address)
    assert play_site.work_out_hints() == [Verdict.DONE]
    page = person.page(address)
    live_table = play_site.live_table()
    best = hints_of(live_table, 0)[0]
    assert f"<li>{presentation.as_order(best.words)}: {commentary.percent(best.value)}" in page
    marked = json.loads(unescape(found[1])) if (found := re.search(r'data-hinted="([^"]*)"', page)) else []
    assert live_table.narrowed(0, marked).complete is not None
    assert page.count(" (hint)</button>") == len(set(marked))


def test_a_hint_is_asked_by_the_view_of_the_seat_alone_forgotten_after_the_answer_and_goes_with_its_table(
    play_site: PlaySite,
) -> None:
    person, address = practice(play_site)
    ask(person, address)
    (sent_job,) = play_site.post.hints
    text, setup, live_table = gate.encode_message(sent_job.message), setup_of(play_site.table()), play_site.live_table()
    assert not [each for each in (setup.seed, setup.rng_key, play_site.table().token) if each in text]
    view = live_table.view(setup.humans[0]).wire
    assert msgspec.json.encode(sent_job.view) == msgspec.json.encode(view)
    others = {"game", "seats", "options", "seat", "kind", "at_fault"}
    assert msgspec.json.decode(sent_job.message.body).keys() == others | {"view"}
    late = gate.encode_message(msgspec.structs.replace(sent_job.message, until=now_s() - 1))
    Worker(lambda task, _: pytest.fail(f"a late job is dropped, not {task}"), lambda: False, 1.0).run(late)
    decide(person, address, person.page(address))
    assert play_site.work_out_hints() == [Verdict.STALE]
    assert hint(play_site) is None
    assert not [row for row in play_site.live_table().rows if row.hint]
    ask(person, address)
    assert hint(play_site) is not None
    with play_site.site.database.write() as db:
        drop_tables(db, [play_site.table().id])
        assert db.exec(select(PlayTable)).first() is None
    assert hint(play_site) is None


def test_no_hint_without_practice_or_analyses_for_another_question_or_for_somebody_else(
    play_site: PlaySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, address = practice(play_site)
    other = play_site.site.stranger()
    for number in ("0", "2", "x"):
        assert person.post(f"{address}/hint", {"number": number}, form_at=address).status_code == 303
    assert other.post(f"{address}/hint", {"number": "1"}, form_at=f"/{GAME}").status_code == 404
    assert hint(play_site) is None
    plain = begin(person, GAME, add_bot(play_site.site, GAME, "another"))
    assert BUTTON not in person.page(plain)
    assert person.post(f"{plain}/hint", {"number": "1"}, form_at=plain).status_code == 422
    assert hint(play_site) is None
    bot = add_bot(play_site.site, GAME, "third")
    assert "With hints" in person.page(f"/{GAME}")
    monkeypatch.setattr(play, "analyzes_games", lambda: False)
    assert "With hints" not in person.page(f"/{GAME}")
    form = {"game": GAME, "opponent": str(bot), "practice": "on"}
    assert person.post("/play", form, form_at=f"/{GAME}").status_code == 422


def test_what_cannot_be_a_hint_is_not_shown_and_an_answer_after_its_lease_does_not_count(play_site: PlaySite) -> None:
    person, address = practice(play_site)
    for forged, verdict, times in (
        ({"options": [HintOption("everything", 0.5)]}, Verdict.REFUSED, ATTEMPTS),
        ({"failed": "no memory"}, Verdict.FAILED, 1),
    ):
        ask(person, address)
        for _ in range(times):
            sent_job = sent(play_site)
            answer = msgspec.structs.replace(compute_hint(sent_job.payload), **forged)
            stolen = core_kit.SentJob(msgspec.structs.replace(sent_job.message, token="0" * 48), sent_job.payload)
            assert (say(play_site, stolen, answer), say(play_site, sent_job, answer)) == (Verdict.FORGED, verdict)
        assert "The hint could not be computed" in person.page(address)
    ask(person, address)
    late = given_up(play_site)
    assert say(play_site, late, compute_hint(late.payload)) is Verdict.STALE
    assert "The hint could not be computed" in person.page(address)


def test_hints_are_rationed_by_table(tmp_path: Path) -> None:
    with opened_hall(tmp_path, rates=Rates(hints="2 per minute")) as play_site:
        person, address = practice(play_site)
        data = {"number": "1", "csrf_token": person.token(address)}
        assert [person.client.post(f"{address}/hint", data=data).status_code for _ in range(3)] == [303, 303, 429]
        assert play_site.send() == 0
