"""The simulated visitors of the site: people with an open live page, readers, and authors who submit bots.

All visitors use one address, like a school.  Live parts are requested as by the pages' own script: every two seconds,
with the tag of the current content.  A reader opens a page with its files every five seconds; browsers cache the files
for an hour.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

from benchmarks.traffic.client import Answer, Customer, NoAnswer, Tally

PAGE: Final = "page"
POLL: Final = "poll"
FILE: Final = "file"
UPLOAD: Final = "upload"
POLLS_EVERY_S: Final = 2.0
READS_EVERY_S: Final = 5.0
SCOUTS_EVERY_S: Final = 15.0
SIGNED_IN: Final = 5
"""One in this number of pollers and readers is signed in."""
_FILES: Final = re.compile(r'(?:href|src)="(/(?:static|viewer)/[^"]+)"')
_LINKS: Final = {
    "bot": re.compile(r'"(/bots/[0-9]+)"'),
    "match": re.compile(r'"(/matches/[0-9]+)"'),
    "replay": re.compile(r'"(/matches/[0-9]+/games/[0-9]+/[0-9]+)"'),
    "leaderboard": re.compile(r'href="(/[^"]+/leaderboard[^"]+)" rel="next"'),
}
READS: Final = {"leaderboard": 4, "tournament": 3, "bot": 3, "match": 3, "matches": 2, "replay": 4, "home": 1}
"""The pages that readers open, by weight."""
POLLS: Final = {"tournament": 12, "home": 4, "status": 3, "match": 1}
"""The numbers of open pages per twenty pollers: in a school, mostly the current tournament."""
MAX_LINKS: Final = 200
BOT: Final = b"""from gangland import gang_of_dice


class Visitor(gang_of_dice.Bot):
    def choose_dice(self, view):
        return min(%d, view.pool)
"""


@dataclass(frozen=True, slots=True)
class Size:
    """The number of visitors, and the interval of submissions."""

    pollers: int
    readers: int
    uploads_a_minute: float = 4.0


@dataclass(slots=True)
class Crowd:
    """All visitors of the site.

    Attributes:
        cookies: of signed-in visitors; tokens: of authors.
        addresses: the pages to read now, by kind.
        waiting: matches that are not played yet, with live pages.
    """

    port: int
    size: Size
    tournament: int
    cookies: Sequence[str]
    tokens: Sequence[str]
    rng: Random
    waiting: Sequence[str] = ()
    tally: Tally = field(default_factory=Tally)
    addresses: dict[str, list[str]] = field(default_factory=dict)
    uploads: int = 0

    async def stay(self, seconds: float) -> None:
        """Visit the site for this time; the first requests are spread over the interval between two requests."""
        await self._scout()
        acts: list[Awaitable[None]] = [self._every(SCOUTS_EVERY_S, seconds, self._scout, SCOUTS_EVERY_S)]
        kinds = [kind for kind, share in POLLS.items() for _ in range(share)]
        acts += [self._poller(kinds[number % len(kinds)], seconds) for number in range(self.size.pollers)]
        acts += [self._reader(seconds) for _ in range(self.size.readers)]
        if self.tokens and self.size.uploads_a_minute:
            gap = 60.0 / self.size.uploads_a_minute
            acts.append(self._every(gap, seconds, self._upload, self.rng.random() * min(gap, seconds)))
        await asyncio.gather(*acts)

    async def _every(self, gap_s: float, seconds: float, act: Callable[[], Awaitable[None]], first_s: float) -> None:
        """Repeat an action at fixed times; skip a time if the last action is still running, as browsers do."""
        began = time.monotonic()
        due = began + first_s
        while due < began + seconds:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            self.tally.late_s.append(time.monotonic() - due)
            await act()
            due += gap_s
            if due < time.monotonic():
                due += gap_s * (1 + int((time.monotonic() - due) / gap_s))

    def _customer(self) -> Customer:
        signed_in = self.cookies and self.rng.randrange(SIGNED_IN) == 0
        return Customer(self.port, cookie=self.rng.choice(self.cookies) if signed_in else "")

    async def _poller(self, kind: str, seconds: float) -> None:
        path = {
            "tournament": f"/tournaments/{self.tournament}/live",
            "home": "/live",
            "status": "/status/live",
            "match": f"{self.rng.choice(self.waiting or self.addresses['match'])}/live",
        }[kind]
        customer, held = self._customer(), ""

        async def poll() -> None:
            """Ask whether the part has changed."""
            nonlocal held
            answer = await self._timed(POLL, kind, customer.get(path, held))
            if answer is not None and answer.status == 200:
                held = answer.header("etag")

        try:
            await self._every(POLLS_EVERY_S, seconds, poll, self.rng.random() * POLLS_EVERY_S)
        finally:
            customer.close()

    async def _reader(self, seconds: float) -> None:
        customer = self._customer()
        held: dict[str, str] = {}
        files: set[str] = set()

        async def read() -> None:
            """Open a page, and fetch the files that it names and the browser does not have."""
            kind = self.rng.choices(list(READS), list(READS.values()))[0]
            path = self._some(kind)
            answer = await self._timed(PAGE, kind, customer.get(path, held.get(path, "")))
            if answer is None or answer.status != 200:
                return
            held[path] = answer.header("etag")
            for file in dict.fromkeys(_FILES.findall(answer.text)):
                if file not in files:
                    files.add(file)
                    await self._timed(FILE, "script, style or picture", customer.get(file))

        try:
            await self._every(READS_EVERY_S, seconds, read, self.rng.random() * READS_EVERY_S)
        finally:
            customer.close()

    async def _upload(self) -> None:
        """Submit a bot for a trial, as its author does from the command line."""
        self.uploads += 1
        author = self.uploads % len(self.tokens)
        token = self.tokens[author]
        mark = "gangland-boundary"
        fields = f'--{mark}\r\nContent-Disposition: form-data; name="game"\r\n\r\ngang-of-dice\r\n'
        file = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="visitor{author}.py"\r\n\r\n'
        source = BOT % (1 + self.uploads % 5) + b"# %d\n" % self.uploads
        body = fields.encode() + file.encode() + source + f"\r\n--{mark}--\r\n".encode()
        customer = Customer(self.port, token=token)
        kind = f"multipart/form-data; boundary={mark}"
        await self._timed(UPLOAD, "bot", customer.post("/api/v1/bots", kind, body))
        customer.close()

    async def _scout(self) -> None:
        """Find the pages to read: ladders, the latest matches and their games.  These requests are not counted."""
        customer = Customer(self.port)
        ladder = "/gang-of-dice/leaderboard"
        links: dict[str, list[str]] = {
            "leaderboard": [ladder, "/gangster-dice/leaderboard", f"{ladder}?seats=3"],
            "tournament": [f"/tournaments/{self.tournament}"],
            "matches": ["/gang-of-dice/watch", f"/tournaments/{self.tournament}?table=matches"],
            "home": ["/"],
        }
        with suppress(NoAnswer):
            first = await customer.get(ladder)
            lists = [await customer.get(path) for path in links["matches"]]
            links["bot"] = _links("bot", [first])
            links["leaderboard"] += _links("leaderboard", [first])
            links["match"] = _links("match", lists)
            some = self.rng.sample(links["match"], min(4, len(links["match"])))
            links["replay"] = _links("replay", [await customer.get(path) for path in some])
        customer.close()
        for kind, paths in links.items():
            self.addresses[kind] = list(dict.fromkeys([*paths, *self.addresses.get(kind, [])]))[:MAX_LINKS]

    def _some(self, kind: str) -> str:
        return self.rng.choice(self.addresses.get(kind) or self.addresses["home"])

    async def _timed(self, part: str, kind: str, asking: Awaitable[Answer]) -> Answer | None:
        try:
            answer = await asking
        except NoAnswer as failure:
            self.tally.failed(part, kind, str(failure))
            return None
        self.tally.add(part, kind, answer.status, answer.took_s)
        return answer


def _links(kind: str, answers: Sequence[Answer]) -> list[str]:
    links = [match for answer in answers for match in _LINKS[kind].findall(answer.text)]
    plain = [next(filter(None, match)) if isinstance(match, tuple) else match for match in links]
    return [link.replace("&amp;", "&") for link in dict.fromkeys(plain)]
