"""Every page and state that the gates look at, by address; and what an address may be that is no page."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from playwright.sync_api import Page

KIB = 1024
READING, REPLAY, EDITOR = (100 * KIB, 20 * KIB), (160 * KIB, 45 * KIB), (400 * KIB, 180 * KIB)
TABLE = (200 * KIB, 20 * KIB)  # the most bytes of a page over the wire, and of its script


@dataclass(frozen=True)
class Shown:
    """A page in a state; `{name}` in `path` is an id of the world, and `unfolded` 7 opens every seventh fold."""

    name: str
    path: str
    owner: bool = False
    boss: bool = False
    empty: bool = False
    status: int = 200
    act: Callable[[Page], None] | None = None
    unfolded: int = 0
    budget: tuple[int, int] = READING

    def address(self, places: Mapping[str, int]) -> str:
        return re.sub(r"\{([^}]+)\}", lambda found: str(places[found.group(1)]), self.path)


def _sent(**fields: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        for name, value in fields.items():
            page.locator(f"main [name={name}]").fill(value)
        form = page.locator("main form").first
        form.evaluate("form => { form.noValidate = true }")
        with page.expect_navigation():
            form.locator("button").last.click()

    return act


def _uploaded(page: Page) -> None:
    page.locator("summary", has_text="Upload a file").click()
    form = page.locator("form#upload")
    form.locator("[name=name]").evaluate("field => { field.value = 'x'.repeat(70) }")
    with page.expect_navigation():
        form.get_by_role("button", name="Upload file").click()


def _pressed(words: str) -> Callable[[Page], None]:

    def act(page: Page) -> None:
        with page.expect_navigation():
            page.get_by_role("button", name=words).click()

    return act


def _undecided(page: Page) -> None:
    with page.expect_navigation():
        page.locator("[data-answer]").evaluate("form => HTMLFormElement.prototype.submit.call(form)")


def _offline(page: Page) -> None:
    page.add_init_script("window.fetch = () => new Promise(() => {})")
    page.reload()


GAMES = ("gang-of-dice", "gangster-dice")
TOURNAMENTS = (
    "revealed", "revealed four", "revealed three", "embargoed", "announced", "open", "open code", "frozen", "cancelled",
    "playing", "paused", "final", "premiere",
)  # fmt: skip

PAGES = [
    Shown("home", "/"), Shown("home, signed in", "/", owner=True), Shown("home, nobody yet", "/", empty=True),
    *(Shown(f"editor of {g}", f"/write/{g}", budget=EDITOR) for g in GAMES),
    Shown("editor, signed in", "/write/gang-of-dice?start=first_bot", owner=True, budget=EDITOR),
    Shown(
        "editor of a checked draft",
        "/write/gang-of-dice?draft={draft with a problem}",
        owner=True,
        unfolded=1,
        budget=EDITOR,
    ),
    Shown("run of a draft, a problem", "/write/gang-of-dice/runs/{run with a problem}", owner=True, budget=EDITOR),
    Shown("run of a draft, a match", "/write/gang-of-dice/runs/{run of a match}", owner=True, budget=EDITOR),
    Shown("game of a draft", "/matches/run-1/games/0/0", owner=True, budget=REPLAY),
    Shown("game of a draft, analyzed", "/matches/run-1/games/0/1", owner=True, budget=REPLAY),
    Shown("glossary", "/docs/glossary.html"),
    *(Shown(f"rules of {g}", f"/{g}/rules") for g in GAMES),
    Shown("on your machine", "/on-your-machine"),
    Shown("documentation", "/docs/"),
    *(Shown(f"documentation: {name}", f"/docs/{name}.html") for name in ("write-a-bot", "bot-api", "security")),
    Shown("documentation: search", "/docs/?q=join+code"), Shown("API", "/api"),
    Shown("API, unfolded", "/api", unfolded=7),
    Shown("sign in", "/sign-in"),
    Shown("sign in, refused", "/sign-in", status=422, act=_sent(name="nobody", password="wrong horse")),
    Shown("sign up", "/sign-up"),
    Shown("sign up, refused", "/sign-up", status=422, act=_sent(name="q", password="short")),
    Shown("set up", "/setup"),
    Shown("upload, refused", "/write/gang-of-dice", owner=True, status=422, act=_uploaded, budget=EDITOR),
    Shown("my bots", "/account", owner=True), Shown("tokens", "/account/tokens", owner=True),
    Shown("sign-ins", "/account/sign-ins", owner=True), Shown("what one follows", "/account/following", owner=True),
    Shown("what one follows, nobody yet", "/account/following", boss=True),
    Shown("what one follows, a feed", "/account/following", boss=True, act=_pressed("Create feed URL")),
    Shown("password again", "/confirm-password", owner=True), Shown("slip", "/set-password"),
    Shown(
        "slip, refused",
        "/set-password",
        status=422,
        act=_sent(name="Red Fox", code="abcd", password="foxes like grapes"),
    ),
    Shown("new password by mail", "/recover"),
    Shown("new password by mail, refused", "/recover", status=422, act=_sent(email="quince")),
    Shown("new password by slip alone", "/recover", empty=True), Shown("code from a mail", "/recover/code"),
    Shown(
        "code from a mail, refused", "/recover/code", status=422, act=_sent(code="abcd", password="foxes like grapes")
    ),
    Shown("console", "/organize", boss=True),
    Shown("console, not one's door", "/organize", owner=True, status=403),
    Shown("new tournament", "/organize/new", boss=True, unfolded=1),
    Shown("new tournament, refused", "/organize/new", boss=True, status=422, act=_sent(name="")),
    Shown("draft to change", "/organize/{draft}/edit", boss=True),
    *(Shown(f"console, {s}", f"/organize/{{{s}}}", boss=True, unfolded=1) for s in ("draft", "playing", "revealed")),
    Shown("console, a value to be entered", "/organize/{awaits its value}", boss=True, unfolded=1),
    Shown("tournament with a public value", "/tournaments/{awaits its value}"),
    Shown("console of an event", "/organize/events/{event School}", boss=True, unfolded=1),
    Shown("sheet to hand out", "/organize/events/{event School}", boss=True, act=_pressed("Create handout")),
    Shown("sheet of a tournament", "/organize/{announced}", boss=True, act=_pressed("Create handout")),
    Shown("event to enter", "/events/{event School}", owner=True),
    Shown("class ranking", "/events/{event Two of}/ranking"), Shown("event with standings", "/events/{event Two of}"),
    Shown("people", "/organize/people", boss=True), Shown("moderation", "/organize/moderation", boss=True),
    Shown("moderation, refused", "/organize/moderation", boss=True, status=422, act=_sent(target="/bots/1", reason="")),
    Shown("people, slips", "/organize/people", boss=True, act=_sent(names="Red Fox\nBlue Hen")),
    Shown("tournament in its premiere", "/organize/{premiere}", boss=True),
    Shown("log of a tournament", "/organize/{draft}/log", boss=True),
    Shown("log of the house", "/organize/log", boss=True), Shown("search", "/search?q=e"),
    Shown("search, nothing found", "/search?q=%3Ci%3Enobody"), Shown("author", "/authors/{owner}"),
    Shown("team", "/teams/{team}"), Shown("team of one's own", "/account/team", boss=True),
    Shown("team, an invitation", "/account/team", boss=True, act=_pressed("Create invitation")),
    Shown("upload for a team", "/write/gang-of-dice?team=The+Dice+Brothers+%3Ci%3E", boss=True, budget=EDITOR),
    Shown("no team yet", "/account/team", owner=True),
    Shown("no team yet, refused", "/account/team", owner=True, status=422, act=_sent(name=" ")),
    Shown("team to join, refused", "/team/join?code=abcd-efgh", owner=True, status=422),
    Shown("play", "/gang-of-dice"),
    Shown("play, with one's own bots", "/gang-of-dice?opponent={bot house}", owner=True, unfolded=1),
    Shown("play, a table is open", "/gangster-dice", owner=True),
    *(
        Shown(f"table of {game} at {seats}", f"/play/table-{game}-{seats}", owner=True, budget=TABLE)
        for game in GAMES
        for seats in (4, 2)
    ),
    Shown("table, a part chosen", "/play/table-gang-of-dice-4?part=number:3", owner=True, budget=TABLE),
    Shown("table, refused", "/play/table-fault", owner=True, status=422, act=_undecided, budget=TABLE),
    Shown("table, the bots decide", "/play/table-bots", owner=True, act=_offline, budget=TABLE),
    Shown("table with a fault", "/play/table-fault", owner=True, budget=TABLE),
    Shown("table, ended", "/play/table-idle", owner=True, budget=TABLE),
    Shown("table, over", "/matches/table-over/games/0/0", owner=True, budget=REPLAY),
    Shown("table, shared", "/matches/table-shared/games/0/0", budget=REPLAY),
    *(Shown(f"lesson of {g}", f"/{g}/learn") for g in GAMES),
    Shown("lesson of gang-of-dice, a reroll", "/gang-of-dice/learn?d=3"),
    Shown("lesson of gangster-dice, refused", "/gangster-dice/learn?made=1", status=422),
    Shown("lesson of gang-of-dice, its end", "/gang-of-dice/learn?d=1&d=stop&d=1&d=stop&d=1"),
    Shown("status", "/status"),
    Shown("status, nobody yet", "/status", empty=True), Shown("not found", "/nothing-here", status=404),
    *(Shown(f"ladder of {game} at {n}", f"/{game}/leaderboard?seats={n}") for game in GAMES for n in (2, 3, 4)),
    Shown("ladder, signed in", "/gang-of-dice/leaderboard", owner=True),
    Shown("ladder, all columns", "/gang-of-dice/leaderboard?columns=all"),
    Shown("ladder, nobody yet", "/gang-of-dice/leaderboard", empty=True),
    Shown("season with standings", "/gang-of-dice/leaderboard?seats=3&season=1", unfolded=1),
    Shown("season that runs", "/gang-of-dice/leaderboard?seats=3&season=2"),
    Shown("season that is announced", "/gang-of-dice/leaderboard?seats=3&season=3"),
    Shown("ladder's days", "/gang-of-dice/leaderboard?proof=1"), Shown("ladder's matches", "/gang-of-dice/watch"),
    Shown("ladder's matches, none yet", "/gang-of-dice/watch", empty=True),
    Shown("bot with a history", "/bots/{bot Steady}"), Shown("bot of one's own", "/bots/{bot Steady}", owner=True),
    Shown("bot that faults", "/bots/{bot Nervous}"), Shown("bot on trial", "/bots/{bot Fresh}"),
    Shown("bot of the house", "/bots/{bot house}"), Shown("bot in quarantine", "/bots/{bot in quarantine}"),
    Shown("bot with a long name", "/bots/{bot long}"), Shown("bot with markup for a name", "/bots/{bot markup}"),
    Shown("bot with a name from right to left", "/bots/{bot rtl}"),
    Shown("two bots compared", "/bots/{bot Steady}/against/{bot house}"),
    Shown("two bots compared, one with markup", "/bots/{bot Sly}/against/{bot markup}"),
    Shown("a bot to compare with", "/bots/{bot Steady}/against?with=e"),
    Shown("bot's games", "/bots/{bot Nervous}/games", owner=True, unfolded=1),
    Shown("bot's analysis", "/bots/{bot Steady}/analysis", unfolded=1),
    Shown("bot's versions", "/bots/{bot Steady}/versions", unfolded=1),
    Shown("bot's settings", "/bots/{bot Steady}/settings", owner=True),
    Shown("what if", "/matches/{match own}/games/0/1/from/r1.s{first seat}.d1", budget=REPLAY),
    Shown("bot's analysis, of no game", "/bots/{bot Sly}/analysis"),
    Shown("version that plays", "/bots/{bot Sly}/versions/1", owner=True),
    Shown("version on trial", "/bots/{bot Sly}/versions/2", owner=True),
    Shown("version refused", "/bots/{bot Steady}/versions/4", owner=True),
    Shown("version, to strangers", "/bots/{bot Steady}/versions/1"),
    *(Shown(f"match of {game} at {n}", f"/matches/{{match {game} {n}}}") for game in GAMES for n in (2, 3, 4)),
    Shown("match of six blocks", "/matches/{match long}"),
    Shown("match of one's own", "/matches/{match own}", owner=True),
    Shown("match with a fault", "/matches/{fault gang-of-dice 4}"),
    Shown("match that is void", "/matches/{match ladder void}"),
    Shown("match under way", "/matches/{match ladder leased}"),
    Shown("match that waits", "/matches/{match ladder scheduled}"),
    Shown("match on trial", "/matches/{match trial done}", owner=True),
    Shown("challenge that is over", "/matches/{challenge}", owner=True),
    Shown("challenge that waits", "/matches/{challenge waiting}", owner=True),
    *(
        Shown(f"replay of {game} at {n}", f"/matches/{{match {game} {n}}}/games/0/0", budget=REPLAY)
        for game in GAMES
        for n in (2, 3, 4)
    ),
    *(
        Shown(
            f"replay of {game} with a fault",
            f"/matches/{{fault {game} 4}}/games/0/{{rotation {game} 4}}",
            budget=REPLAY,
        )
        for game in GAMES
    ),
    Shown("replay of one's own", "/matches/{match own}/games/0/0", owner=True, budget=REPLAY),
    *(Shown(f"side by side, {g}", f"/matches/{{match {g} 3}}/games/0/0/compare/1", budget=REPLAY) for g in GAMES),
    *(Shown(f"embedded replay of {g}", f"/embed/matches/{{match {g} 4}}/games/0/0", budget=REPLAY) for g in GAMES),
    Shown("drop zone for replays", "/replays/open", budget=REPLAY),
    Shown("screen of the ladders", "/tv", budget=REPLAY),
    Shown("screen, nobody yet", "/tv", empty=True, budget=REPLAY),
    *(Shown(f"screen of {game}", f"/tv/{game}", budget=REPLAY) for game in GAMES),
    *(
        Shown(f"screen of a tournament, {state}", f"/tournaments/{{{state}}}/tv", budget=REPLAY)
        for state in ("revealed four", "playing", "embargoed", "premiere", "open")
    ),
    Shown("screen of an event", "/events/{event Two of}/tv", budget=REPLAY), Shown("tournaments", "/tournaments"),
    Shown("tournaments, none yet", "/tournaments", empty=True),
    *(Shown(f"tournament, {state}", f"/tournaments/{{{state}}}") for state in TOURNAMENTS),
    Shown("tournament to enter", "/tournaments/{open}", owner=True),
    Shown("tournament to enter with a code", "/tournaments/{open code}", owner=True),
    *(
        Shown(f"tournament, {state}, {table}", f"/tournaments/{{{state}}}?table={table}", unfolded=1)
        for state, table in (
            ("revealed four", "entries"), ("revealed", "cross"), ("revealed", "matches"), ("playing", "matches"),
        )
    ),
]  # fmt: skip


_VARIES = r"\{.*?\}|\d+|\?.*|(?<=/docs/)[a-z-]+|(?<=/write/)[a-z-]+|^/gang(?:-of|ster)-dice"
"""What differs between addresses of one kind of page: ids, queries, and games where none of their tables is drawn."""


_AS_ANOTHER = {
    "API", "code from a mail", "console of an event", "game of a draft", "log of the house",
    "password again", "screen of an event", "screen of gang-of-dice", "screen of gangster-dice", "set up",
    "table, ended", "table, shared", "team to join, refused",
}  # fmt: skip
"""Pages of which all that a browser can find is on a page of another kind: the long suite looks at them too."""


def firsts() -> list[Shown]:
    kinds: dict[str, Shown] = {}
    for shown in PAGES:
        kinds.setdefault(re.sub(_VARIES, "", shown.path), shown)
    return [shown for shown in kinds.values() if shown.name not in _AS_ANOTHER]


NO_PAGES = {
    "static": "files that pages bring along", "tv.item": "JSON for a screen's script",
    "viewer.file": "files that replays bring along", "sharing.oembed": "JSON for programs",
    "health.healthz": "JSON for machines", "metrics.figures": "figures for Prometheus",
    "health.readyz": "JSON for machines", "exports.download": "files to install", "exports.packages": "links for pip",
    "documentation.image": "pictures of the documentation",
    "documentation.source": "source files that the documentation leads to",
    "editor.upload_page": "leads to the editor", "oidc.add": "leads to the provider",
    "oidc.callback": "leads on from the provider",
    "oidc.begin": "leads to the provider", "oidc.name": "asks for a name on the way back from a provider",
    "oidc.confirm": "leads to the provider", "tournaments.matches": "leads to a table of the tournament's page",
}  # fmt: skip
FILE = re.compile(r"\.(json|ndjson|csv|tar|zip|png|svg|atom|xml|js|css|html|txt|<any\([a-z, ]+\):\w+>)$")
"""How the address of a file ends, which is no page either."""
PART = re.compile(r"/(live|state)$")  # parts of a page, which are fetched again while it is open
