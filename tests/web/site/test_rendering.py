"""How values are written: safe to see on a page, and as they were typed in a form; cells and shapes alike."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.kits.models import Event, Tournament, row_id
from tests.kits.pages_kit import SOURCE, Fields, Person, Site, activate_bot, write_tournament
from werkzeug.test import TestResponse

import gangland_web.site
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.charts import Shape
from gangland_web.queries.tables import Column, Kind, Table
from gangland_web.services.entries import enter
from gangland_web.site.rendering import shapes

TEMPLATES = Path(gangland_web.site.__path__[0]) / "templates"
EVIL = '<script>"\u202e&'
SAFE = "&lt;script&gt;&#34;\N{REPLACEMENT CHARACTER}&amp;"
TYPED = "a\u200bb c\u00add ❤️ می\u200cخواهم \u0915\u094d\u200d\u0937 \u2067x\ufeff \ue000 <&\"'> end"
TEXT = f'\n\nKEY = "a\u200bb"  # {TYPED}\n'


def test_a_form_returns_every_character_that_was_sent_and_opens_what_was_saved_as_it_was(site: Site) -> None:
    stranger, boss = site.stranger(), site.person("Boss", role="organizer")
    activate_bot(site, "Boss", "Mine")
    sent: list[tuple[Person, str, dict[str, Any], str | None]] = [
        (stranger, "/sign-up", {"name": TYPED, "password": "x"}, None),
        (stranger, "/sign-in", {"name": TYPED, "password": "x"}, None),
        (stranger, "/set-password", {"name": TYPED, "code": TYPED, "password": "long enough 1"}, None),
        (stranger, "/replays/open", {"text": TEXT, "number": "7"}, None),
        (boss, "/upload", {"name": TYPED, "note": TYPED, "source": TEXT}, "/docs/"),
        (boss, "/write/gang-of-dice/drafts", {"name": TYPED, "source": TEXT}, "/write/gang-of-dice"),
        (boss, "/account/tokens", {"name": TYPED, "days": "9999"}, None),
        (boss, "/team/create", {"name": TYPED}, "/account/team"),
        (boss, "/organize/people/aliases", {"names": TEXT}, "/organize/people"),
        (boss, "/organize/new", {"name": TYPED, "join_code": TYPED, "randomness_source": TYPED, "zone": TYPED}, None),
    ]
    for person, path, fields, form_at in sent:
        answer = person.post(path, fields, form_at=form_at)
        assert answer.status_code == 422 or path == "/sign-in", (path, answer.status_code)
        assert held(answer, fields) == fields, path
    for path in ("/search", "/docs/"):
        answer = stranger.get(path, query_string={"q": TYPED})
        assert held(answer, {"q": ""})["q"] == TYPED, path
    source = SOURCE.decode() + TEXT
    for _ in range(2):
        boss.post("/write/gang-of-dice/drafts", {"name": "Mine", "source": source}, form_at="/write/gang-of-dice")
        opened = Fields(boss.page("/write/gang-of-dice?draft=1")).values
        assert opened["source"] == source
        source = opened["source"]
    rules = Fields(boss.page("/organize/new")).values | {"name": "❤️ می\u200cخواهم", "game": "gang-of-dice"}
    rules |= {"profile": "plain", "seats": "2"}
    made = boss.post("/organize/new", rules, form_at="/organize/new")
    assert made.status_code == 303
    assert Fields(boss.page(made.location + "/edit")).values["name"] == rules["name"]
    assert f"<bdi>{rules['name']}</bdi>" in boss.page(made.location)


def held(answer: TestResponse, fields: dict[str, Any]) -> dict[str, str]:
    values = Fields(answer.text).values
    return {name: fields[name] if name in ("password", "bot") else values.get(name, "") for name in fields}


class Form(Fields):
    def __init__(self, markup: str) -> None:
        self.errors, self._select = 0, ""
        super().__init__(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.errors += given.get("class") in ("error", "note bad")
        if tag == "select":
            self._select = given.get("name") or ""
        elif tag == "option" and ("selected" in given or self._select not in self.values):
            self.values[self._select] = given.get("value") or ""
        elif given.get("type") != "radio" or "checked" in given:
            super().handle_starttag(tag, attrs)


def test_a_form_among_others_of_its_page_returns_what_was_sent_with_the_reason_beside_it(site: Site) -> None:
    boss, ann = site.person("Boss", role="admin"), site.person("Ann")
    bot, long = activate_bot(site, "Ann", "Mine"), TYPED + "x" * 500
    site.add(Event(id=1, name="Night", organizer_id=site.user_id("Boss"), created_at=0.0))
    by_code = {"entry_rule": "code", "join_code_hash": "0" * 64, "join_code": None}
    held = {"organizer_id": site.user_id("Boss")}
    at, where = "2026-03-01T18:00", {"source": "drand", "address": "https://example.org/"}
    value = where | {"published_at": f"{at}:00Z", "form": "hex 64"}
    opened = write_tournament(site, "Open", State.OPEN, **by_code, **held)
    in_event = write_tournament(site, "Part", State.OPEN, **by_code, **held, event_id=1)
    frozen = write_tournament(site, "Frozen", State.FROZEN, **held, randomness=value)
    playing = write_tournament(site, "Playing", State.PLAYING, **held)
    entry = row_id(site.write_row(enter, Tournament, playing, row_id(site.version("Mine").id)).id)
    sent: list[tuple[Person, str, str, dict[str, str]]] = [
        (boss, f"/organize/{opened}", "/move", {"state": "frozen", "reason": long}),
        (boss, f"/organize/{opened}", "/deadline", {"name": "starts_at", "at": at, "zone": TYPED, "reason": TYPED}),
        (boss, f"/organize/{frozen}", "/randomness", {"value": TYPED}),
        (boss, f"/organize/{playing}", "/matches", {"number": TYPED, "what": "void", "reason": TYPED}),
        (boss, f"/organize/{playing}", "/disqualify", {"entry": str(entry), "reason": long}),
        (boss, "/organize/events/1", "/move", {"state": "frozen", "reason": long}),
        (boss, "/organize/people", "/code", {"name": TYPED}),
        (boss, "/organize/people", "/role", {"name": TYPED, "role": "organizer"}),
        (boss, "/organize/moderation", "", {"target": "Ann", "measure": "rename", "name": TYPED, "reason": long}),
        (boss, "/organize/moderation", "", {"target": TYPED, "measure": "hide", "name": TYPED, "reason": TYPED}),
        (boss, "/organize/moderation", "/invitations", {"places": "99999", "days": "5"}),
        (ann, f"/tournaments/{opened}", "/enter", {"bot": str(bot), "join_code": TYPED}),
        (ann, "/events/1", "/enter", {f"bot{in_event}": "", "join_code": TYPED}),
        (ann, "/team/join", "", {"code": TYPED}),
    ]  # fmt: skip
    for person, page, path, fields in sent:
        answer = person.post(page + path, fields, form_at=page)
        assert answer.status_code == 422, (page, path, answer.status_code)
        forms = [Form(form) for form in re.findall(r"<form\b.*?</form>", answer.text, re.DOTALL)]
        refused = [form for form in forms if fields.items() <= form.values.items()]
        assert len(refused) == 1, (page, path, [form.values for form in forms if form.errors])
        assert refused[0].errors == 1, (page, path)
        others = [each for form in forms if form is not refused[0] for each in form.values.values()]
        assert not {TYPED, long} & set(others), (page, path)


def test_no_field_that_is_typed_into_forgets_what_it_was_sent() -> None:
    for template in TEMPLATES.rglob("*.html"):
        for form in re.findall(r'<form\b[^>]*method="post".*?</form>', template.read_text(), re.DOTALL):
            for field in re.findall(r"<input\b(?:[^>{]|\{\{.*?\}\}|\{%.*?%\})*>", form, re.DOTALL):
                kept = 'type="(hidden|checkbox|radio|file|password|search)"'
                assert re.search(kept, field) or ' value="{{' in field, (template.name, field)


def test_a_cell_says_its_value_as_its_column_has_it_and_a_shape_its_hint_and_text(site: Site) -> None:
    columns = (
        *(Column("bot", "Bot"), Column("match", "Match", Kind.WHOLE), Column("games", "Games", Kind.WHOLE)),
        *(Column("luck", "Luck", Kind.SIGNED), Column("place", "Place", Kind.NUMBER, digits=1)),
        *(Column("share", "Share", Kind.SHARE, digits=0), Column("in", "In", Kind.FLAG)),
        *(Column("at", "At", Kind.MOMENT), Column("quiet", "", quiet=True), Column("none", "None")),
    )
    row = {"bot": EVIL, "match": 12345, "games": 12345, "luck": -1.25, "place": -2.0}
    row |= {"share": 0.5, "in": True, "at": 0.0, "quiet": 7, "none": None}
    table = Table("a", SimpleNamespace, columns).of([SimpleNamespace(**row)])
    with site.app.test_request_context():
        written = site.app.jinja_env.from_string("{{ table | lines }}").render(table=table)
    assert written == (
        f'<tr><th scope="row"><bdi>{SAFE}</bdi></th>'
        '<td class="num">12345</td><td class="num">12,345</td><td class="num">\N{MINUS SIGN}1.25</td>'
        '<td class="num">\N{MINUS SIGN}2.0</td><td class="num">50%</td><td>yes</td>'
        '<td><time datetime="1970-01-01T00:00:00Z">01 Jan 1970 00:00 UTC</time></td><td></td></tr>\n'
    )
    drawn = shapes([Shape("text", "mu", {"x": "1", "d": '"<'}, text=EVIL, hint=EVIL), Shape("line", "axis", {})])
    assert drawn == (
        f'<text class="mu" x="1" d="&#34;&lt;"><title>{SAFE}</title>{SAFE}</text>\n<line class="axis"></line>'
    )
