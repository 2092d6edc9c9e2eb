"""Bots that say whatever a bot can say, played by a real worker: nothing that it sends may be refused by the recorder.

    python -m tests.fuzz.words [--cases N] [--seed N] [--first N]

A finding is a refused result, or a match void through no bot's fault.
"""

import argparse
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from tests.kits.core_kit import GAME, Platform, open_platform
from tests.kits.worker_kit import message_of
from tests.sandbox.trial import apart
from tests.sandbox.zip_kit import zipped

from gangland_ladder.matches.judging import ResultRefused, judge
from gangland_ladder.matches.match_jobs import MatchJob, Seat, decode_result
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool
from gangland_web.broker.gate import InvalidItem, Message, admit, decode_message, encode_message
from gangland_web.broker.names import LOCAL, QUEUE_RECORDS, TASK_RESULT, WORKER_TASKS, queue_of
from gangland_web.models.jobs import Verdict
from gangland_web.services.jobs import Report
from gangland_web.workers.players import CodeStore, Player

CASES: Final = 400
PLAINLY: Final = 0.2  # the share of bots that only fail, with an error of one kind of character
BATCH: Final = 20

PIECES: Final = (
    "a", "\0", "\x01", "\x1b[2J", "\n", "\r\n", "\t", '"', "\\", "'", "<b>", "é", "\u0301", "\u202e", "\u2028",
    "\u3164", "\ufeff", "\ue000", "\ud800", "\udfff\ud800", "\U0001f600", "\U000e0100", "\U0010ffff",
    "choose_dice() returned ", ": expected ", ", got ", "(a)\n", "bot.py:9 ", 'File "bot.py", line 9\n', "Traceback ",
    "def choose_dicex(", "9",
    "TypeError: Can't instantiate abstract class A with abstract methods 'choose_dice'",
    "NotImplementedError: A has to define choose_dice(self, view)\n", "ImportError: 9 bot classes: A (line 9)",
)  # fmt: skip
"""What long texts are made of: what is escaped, grows by it, hides, or is looked for by one of our patterns."""
GROWING: Final = ("\x01", "\u202e", "\ue000", "\U0010ffff")  # each takes six to eight characters when shown
SIZES: Final = (0, 1, 40, 79, 80, 81, 400, 1_999, 2_000, 2_001, 3_999, 4_001, 16_384, 70_001, 300_000)
PLACES: Final = ("import", "__init__", "on_game_start", "choose_dice", "choose_reroll", "on_game_end", "choose_dice")

SOURCE: Final = """
import os, sys
from gangland import gang_of_dice

TEXT = {text}
ON = {on}
seen = 0

def harness():
    frame = sys._getframe()
    while frame is not None:
        found = frame.f_locals.get("self")
        if type(found).__name__ == "Harness":
            return found
        frame = frame.f_back

def say(kind, body):
    harness().channel.send(kind, harness().number, body)

def act(place, bot=None):
    global seen
    if place != {place!r}:
        return
    seen += 1
    if seen < ON:
        return
    {act}

act("import")

class {name}(gang_of_dice.Bot):
    def __init__(self):
        super().__init__()
        act("__init__", self)

    def on_game_start(self, start):
        act("on_game_start", self)

    def {method}(self, view):
        found = act("choose_dice", self)
        return 1 if found is None else found

    def choose_reroll(self, view):
        found = act("choose_reroll", self)
        return [] if found is None else found

    def on_game_end(self, end):
        act("on_game_end", self)
{more}
"""

ACTS: Final = (
    "raise LookupError(TEXT)",
    "raise type(TEXT.encode('utf-8', 'replace').decode().replace('\\0', '') or 'E', (Exception,), {{}})(TEXT)",
    "raise SyntaxError(TEXT, (TEXT, 10**9, 10**9, TEXT))",
    "raise ExceptionGroup(TEXT or 'E', [ValueError(TEXT)] * 200)",
    "failure = KeyError(TEXT); failure.add_note(TEXT); raise failure", "sys.exit(TEXT)", "os._exit(3)",
    "sys.stderr.write(TEXT.encode('ascii', 'backslashreplace').decode()); sys.stderr.flush(); os._exit(1)",
    "os.write(2, TEXT.encode('utf-8', 'surrogatepass'))", "bot and [bot.log(TEXT) for _ in range({count})]",
    "bot and [bot.log(line) for line in TEXT.split('\\n')[:{count}]]; raise LookupError('after its log')",
    "bot and bot.log(TEXT); return [[TEXT]]", "return [10**9] * {count}", "return [[[None]] * {count}]",
    "return -10**400", "return TEXT", "return [6] * {count}",
    "say({kind}, TEXT.encode('utf-8', 'surrogatepass')[:{most}])", "say({kind}, bytes(range(256)) * 300)",
    "say(6, b'illegal\\n' + TEXT.encode('utf-8', 'surrogatepass')[:8180])",
    "say(2, '\\n'.join([TEXT[:8000], *[TEXT[:90] + '=' + '9' * {count}] * 90]).encode('utf-8', 'replace')[:8190])",
)  # fmt: skip


@dataclass
class Found:
    verdicts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def bot_of(seed: int, number: int) -> bytes:
    rng = Random(f"{seed} words {number}")
    plainly = rng.random() < PLAINLY
    act = (ACTS[0] if plainly else rng.choice(ACTS)).format(
        count=rng.choice((1, 20, 400, 5_000)), kind=rng.randrange(8), most=rng.choice(SIZES)
    )
    lacks = rng.random() < 0.2
    size = rng.choice((5, 64, 65, 5_000, 60_000))
    near = [f"choose_dic{'e' * rng.choice((2, size))}{number}" for number in range(rng.choice((0, 1, 300)))]
    budget = 150_000
    more = []
    for method in near:
        line = f"    def {method}(self, view): ..."
        if (budget := budget - len(line)) > 0:
            more.append(line)
    more += [f"class Other{number}(gang_of_dice.Bot): ..." for number in range(rng.choice((0,) * 20 + (1, 600)))]
    pieces = [rng.choice(GROWING)] if plainly or rng.random() < PLAINLY else rng.sample(PIECES, 3)
    text = f"({' + '.join(f'{piece!a} * {rng.choice(SIZES) // len(piece) + 1}' for piece in pieces)})"
    name = rng.choice(("Bot1", "B" * 79, "B" * 20_000, "Ünïcödé", "ﬁ" * 81))
    method = rng.choice(near) if near and lacks else f"choose_dic{'f' * size}" if lacks else "choose_dice"
    filled = SOURCE.format(
        text=f"{text}[:{rng.choice(SIZES)}]",
        on=rng.choice((1, 1, 2, 7)),
        place="choose_dice" if plainly else rng.choice(PLACES),
        act=act,
        name=name,
        method=method,
        more="\n".join(more),
    )
    return filled.encode()


def run(seed: int, first: int, cases: int) -> Found:
    found = Found()
    for at in range(first, first + cases, BATCH):
        numbers = range(at, min(at + BATCH, first + cases))
        with TemporaryDirectory(prefix="gangland-words-") as folder:
            platform = open_platform("sqlite", Path(folder), slots=10 * BATCH)
            _run_batch(found, platform, seed, numbers)
            platform.database.close()
        sys.stderr.write(f"{numbers.stop - first:,} of {cases:,} bots, {len(found.findings)} findings\n")
    return found


def _run_batch(found: Found, platform: Platform, seed: int, numbers: range) -> None:
    sources = {number: bot_of(seed, number) for number in numbers}
    packed = [zipped({"bot.py": source}) if number % 5 == 0 else source for number, source in sources.items()]
    codes = {sha256(source).hexdigest(): source for source in (*sources.values(), *packed)}
    for number, source in sources.items():
        platform.upload(f"owner{number}", name=f"bot{number}", source=source)
    platform.recorder.sweep()
    trials = [job for _, job in platform.post.sent]
    matches = [_match(number, packed) for number in range(0, len(packed), 2)]
    for trial in trials:
        platform.begin(trial)
    messages = [*(job.message for job in trials), *map(message_of, matches)]
    sent = apart(lambda: _played(messages, codes | platform.post.codes))
    for job, text in zip([*trials, *matches], sent, strict=True):
        try:
            found.verdicts[_taken(platform, job, text, is_trial=job in trials)] += 1
        except (InvalidItem, ResultRefused, ValueError) as refused:
            hashes = [seat.code for seat in job.seats]
            pairs = [(number, sha256(source).hexdigest()) for number, source in sources.items()]
            pairs += [(number, sha256(source).hexdigest()) for number, source in zip(sources, packed, strict=True)]
            named = sorted({number for number, digest in pairs if digest in hashes})
            found.findings.append(f"bots {named}: {type(refused).__name__}: {refused}")


def _match(number: int, sources: Sequence[bytes]) -> MatchJob:
    pair = sources[number], sources[(number + 1) % len(sources)]
    seats = [Seat(at, f"bot{at}", sha256(source).hexdigest()) for at, source in enumerate(pair)]
    return MatchJob(1_000_000 + number, GAME, {}, ["ab" * 32], "cd" * 32, seats, Limits.plain(1).to_dict())


class _Sent:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def report_progress(self, message: Message, body: object = None) -> None:
        """Say nothing."""

    def return_job(self, message: Message) -> None:
        self.texts.append("")

    def send_result(self, message: Message, result: object, within_s: float = 0.0) -> None:
        self.texts.append(encode_message(message.answer(result)))


def _played(messages: Sequence[Message], codes: dict[str, bytes]) -> list[str]:
    sent = _Sent()
    with Pool(Mode.JAIL) as pool:
        player = Player(sent, CodeStore(codes.get), lambda: None, lambda: None, pool)
        for message in messages:
            player.play(message)
    return sent.texts


def _taken(platform: Platform, job: MatchJob, text: str, *, is_trial: bool) -> str:
    through = _through_the_gate(text)
    result = decode_result(bytes(decode_message(through).body))
    if result.void is not None:
        raise ValueError(f"void by our fault: {result.void}")
    if not is_trial:
        judge(job, result)
        return "match"
    taken = platform.recorder.record_message(Report.RESULT, LOCAL, through)
    if taken.verdict is not Verdict.DONE:
        raise ValueError(f"{taken.verdict}: {taken.reason}")
    codes = [problem.code for problem in result.check.problems] if result.check is not None else []
    return f"check {codes[0]}" if codes else "trial"


def _through_the_gate(text: str) -> str:
    body = msgspec.json.encode(([text], {}, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}))
    item = msgspec.json.encode(
        {
            "body": b64encode(body).decode(),
            "content-type": "application/json",
            "content-encoding": "utf-8",
            "headers": {"lang": "py", "task": TASK_RESULT, "id": "abc"},
            "properties": {"body_encoding": "base64"},
        }
    )
    admitted = admit(item, queue_of(QUEUE_RECORDS, "local"), WORKER_TASKS, "local")
    if admitted is None:
        raise InvalidItem("past its time")
    body_again = msgspec.json.decode(msgspec.json.decode(admitted, type=_Item).body, type=tuple[list[str], dict, dict])  # type: ignore[type-arg]
    _sender, output = body_again[0]
    return output


class _Item(msgspec.Struct):
    body: bytes


def _lines(found: Found) -> Iterator[str]:
    for verdict, count in found.verdicts.most_common():
        yield f"{verdict}: {count}"
    yield from found.findings


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.words", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first bot")
    given = parser.parse_args(arguments)
    found = run(given.seed, given.first, given.cases)
    sys.stdout.write("\n".join(_lines(found)) + "\n")
    return 1 if found.findings else 0


if __name__ == "__main__":
    sys.exit(main())
