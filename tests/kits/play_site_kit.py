"""A site for tests of play against bots; the test does the worker's part."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlencode

from tests.kits import core_kit, pages_kit
from tests.kits.models import Bot, PlayTable, Verdict, VersionState, col, select
from werkzeug.test import TestResponse

import gangland_bots
from gangland.games import package_of
from gangland_ladder.playing.table_state import LiveTable
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_web.broker import gate, names
from gangland_web.services.dispatch import dispatch
from gangland_web.services.jobs import Receipt, Report, record_message
from gangland_web.services.play import rows_of, setup_of
from gangland_web.services.uploads import submit_version
from gangland_web.site import play
from gangland_web.web.limits import Rates
from gangland_web.workers.analysis import compute_hint
from gangland_web.workers.players import CodeStore, TablePlayer

BOTS = {"gang-of-dice": "random_gang.py", "gangster-dice": "random_gang.py"}


class PlaySite:
    def __init__(self, site: pages_kit.Site, pool: Pool) -> None:
        self.site = site
        self.post = core_kit.FakeBroker()
        self.worker = TablePlayer(self, CodeStore(self.post.codes.get), lambda: None, lambda: None, Pool())
        self.worker._pool = pool  # plain processes: the tests may run as root, which cannot open jails

    def report_progress(self, message: gate.Message, body: object = None) -> None:
        self.say(Report.ALIVE, message, body)

    def send_result(self, message: gate.Message, result: object, within_s: float = 0.0) -> None:
        self.say(Report.RESULT, message, result)

    def return_job(self, message: gate.Message) -> None:
        self.say(Report.RETURNED, message)

    def say(self, say: Report, message: gate.Message, body: object = None, sender: str = names.LOCAL) -> Receipt:
        return record_message(self.site.database, say, sender, gate.encode_message(message.answer(body)))

    def send(self) -> int:
        self.post.slot_count = 0
        return dispatch(self.site.database, self.post, analysis_workers=1)

    def ask_bots(self) -> None:
        self.send()
        while self.post.tables:
            self.worker.play(self.post.tables.pop().message)

    def send_due(self) -> None:
        self.ask_bots()

    def work_out_hints(self) -> list[Verdict]:
        """Do the work of the analysis worker; return the result of each hint."""
        self.send()
        found = []
        while self.post.hints:
            sent = self.post.hints.pop()
            found.append(
                self.say(Report.RESULT, sent.message, compute_hint(sent.payload), names.ANALYSIS_SENDER).verdict
            )
        return found

    def play_out(self, person: pages_kit.Person, address: str) -> None:
        while self.table().state != "over":
            decide(person, address, person.page(address))

    def table(self) -> PlayTable:
        with self.site.database.read() as db:
            found = db.exec(select(PlayTable).order_by(col(PlayTable.id).desc()).limit(1)).one()
            db.expunge_all()
            return found

    def live_table(self) -> LiveTable:
        return LiveTable(setup_of(self.table()), self.site.read(rows_of, self.table()))


@contextmanager
def opened_hall(folder: Path, rates: Rates | None = None) -> Iterator[PlaySite]:
    for site in pages_kit.open_site(folder, rates):
        with Pool(Mode.TRUSTED) as pool:
            play_site = PlaySite(site, pool)
            with patch.object(play, "dispatch_soon", play_site.send_due), patch.object(play, "match_slots", lambda: 8):
                yield play_site


def a_hall(tmp_path: Path) -> Iterator[PlaySite]:
    with opened_hall(tmp_path) as play_site:
        yield play_site


def add_bot(site: pages_kit.Site, game: str, name: str = "dicer") -> int:
    source = (Path(gangland_bots.__file__).parent / package_of(game) / BOTS[game]).read_bytes()
    with site.database.write() as db:
        version = submit_version(db, None, game, name, "random_bot.py", source)
        version.state = VersionState.ACTIVE.value
        db.get_one(Bot, version.bot_id).active_version_id = version.id
        return version.bot_id


def begin(person: pages_kit.Person, game: str, *bots: int, **fields: str) -> str:
    opponents = [str(bot) for bot in bots]
    answer = person.post("/play", {"game": game, "opponent": opponents, **fields}, form_at=f"/{game}")
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def decide(person: pages_kit.Person, address: str, page: str) -> TestResponse | None:
    """Answer a page's question as a user without scripts does, by first choices; None if it asks nothing."""
    parts: list[str] = []
    while True:
        form = next(iter(re.findall(r"<form[^>]* data-answer>.*?</form>", page, re.DOTALL)[::-1]), None)
        more = re.search(r'name="part" value="([^"]+)">[^<]*</button>', page)
        made = form and re.search(r'<button[^>]* name="(made|choice|nothing)" value="(\d+)"', form)
        if form is None or made or 'type="radio"' in form or 'name="amount"' in form or more is None:
            break
        parts.append(unescape(more[1]))
        page = person.page(f"{address}?{urlencode({'part': parts}, doseq=True)}")
    if form is None:
        return None
    data: dict[str, object] = dict(re.findall(r'name="(csrf_token|number)" value="([^"]+)"', form))
    if amount := re.search(r'name="amount"[^>]* min="(\d+)"', form):
        data["amount"] = amount[1]
    elif made:
        data |= {made[1]: made[2], "part": parts}
    else:
        data["choice"] = "0"
    return person.client.post(address, data=data)
