"""One schedule, played undisturbed or under attack, and what came of it."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.chaos.attack import Attack, make_plan
from tests.chaos.fixed import Size, fill, start
from tests.chaos.outcome import Told, tell
from tests.chaos.site import Site, running_site
from tests.chaos.staged import Ended, stage
from tests.kits import core_kit, postgres_kit

from gangland_ladder.matches.referee import play_match
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_web.broker.names import LOCAL
from gangland_web.models.database import Database
from gangland_web.services.worker_hosts import ensure_host
from gangland_web.settings import sqlite_url
from gangland_web.workers.records import Recorder

SHORT = Size(bots=6, blocks={2: 3, 3: 2, 4: 1}, tables={3: 10, 4: 6})
LONG = Size(bots=15, blocks={2: 2, 3: 2, 4: 1}, tables={3: 90, 4: 60})

SHORT_ATTACK: Mapping[str, Sequence[float]] = {
    "worker": (0, 0), "child": (0, 0), "records": (0, 0), "beat": (0,), "wipe": (0, 0), "halt broker": (1,),
    "database": (2,), "deal anew": (0, 0), "repeat": (0,), "forge": (0,),
}  # fmt: skip
LONG_ATTACK: Mapping[str, Sequence[float]] = {
    "worker": (0,) * 7, "child": (0,) * 7, "records": (0,) * 7, "beat": (0,) * 5, "wipe": (0,) * 6,
    "halt broker": (3, 60), "stop broker": (10, 60), "database": (2, 2, 5, 5, 35), "deal anew": (0,) * 6,
    "stall": (8, 20, 20), "repeat": (0,) * 4, "forge": (0,) * 4,
}  # fmt: skip

_VERDICT = re.compile(r"result (stale|refused|failed)\b")


@dataclass(frozen=True)
class Run:
    """The results of one run; `again_alone_s` is the longest time from a worker's kill to the next lease."""

    database: str
    workers: int
    seed: int
    told: Told
    seconds: float
    done: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    turned_away: dict[str, int] = field(default_factory=dict)
    again_alone_s: float | None = None
    again_s: float | None = None
    staged: Ended | None = None


def undisturbed(folder: Path, size: Size, *, workers: int = 1) -> Run:
    with filled_site(folder / "data", partial(fill, size=size), 0, workers=workers) as site:
        began = time.monotonic()
        start(site.database)
        Attack(site, [], quiet=False).run()
        return Run("sqlite", workers, 0, tell(site.database), time.monotonic() - began)


def undisturbed_here(folder: Path, size: Size) -> Told:
    """Play the schedule in this process, without broker, workers and jails."""
    database = Database(sqlite_url(folder))
    fill(database, size)
    with database.write() as session:
        ensure_host(session, LOCAL, "the password of this machine")
    post = core_kit.FakeBroker()
    platform = core_kit.Platform(database, post, Recorder(database, post, rounds=0))
    start(database)
    platform.recorder.sweep()
    with Pool(Mode.TRUSTED) as pool:
        while post.sent:
            match_job = platform.take()
            platform.finish(match_job, play_match(match_job, post.codes, pool=pool, mode=Mode.TRUSTED))
    platform.recorder.schedule()
    platform.recorder.sweep()
    told = tell(database)
    database.close()
    return told


def attacked(
    folder: Path, size: Size, database: str, *, seed: int, workers: int, plan: Mapping[str, Sequence[float]], long: bool
) -> Run:
    """Play the schedule under attack; if `long`, also a match that kills its worker."""
    filling = partial(fill, size=size)
    with filled_site(folder / "data", filling, seed, workers=workers, kind=database) as site:
        began, attack = time.monotonic(), Attack(site, make_plan(seed, plan), quiet=long)
        start(site.database)
        attack.run()
        watch, told, seconds = attack.scene.watch, tell(site.database), time.monotonic() - began
        return Run(
            database,
            workers,
            seed,
            told,
            seconds,
            done=dict(site.done),
            left=[step.kind for step in attack.plan],
            turned_away=dict(Counter(_VERDICT.findall(site.up.log))),
            again_alone_s=watch.longest(alone=True),
            again_s=watch.longest(alone=False),
            staged=stage(site) if long else None,
        )


def problems(run: Run, calm: Told) -> list[str]:
    """Return what is wrong with a run, in words; nothing if every match counts once and with the same result."""
    told = run.told
    found = []
    if told.scheduled != calm.scheduled:
        found.append(f"{told.scheduled} matches were scheduled, {calm.scheduled} in the undisturbed run")
    if told.committed != told.scheduled:
        found.append(f"{told.committed} of {told.scheduled} matches are recorded, {told.voided} void, {told.lost} lost")
    if told.doubled:
        found.append(f"{told.doubled} matches or entries count more or less than was played")
    differing = [name for name in ("results", "ratings", "standings") if getattr(told, name) != getattr(calm, name)]
    found += [f"the {name} are not those of the undisturbed run" for name in differing]
    found += [f"a bot was at fault: {fault}" for fault in (*told.faults, *calm.faults)]
    if run.left:
        found.append(f"the schedule was over before these were done: {', '.join(run.left)}")
    return found + (run.staged.problems if run.staged is not None else [])


@contextmanager
def filled_site(
    data: Path, filling: Callable[[Database], None], seed: int, *, workers: int, kind: str = "sqlite"
) -> Iterator[Site]:
    data.mkdir(parents=True)
    server = postgres_kit.Server() if kind == "postgresql" else None
    try:
        url = sqlite_url(data) if server is None else server.url(server.create())
        filled(url, filling)
        (data / "lock").touch()
        with running_site(data, seed, workers=workers, server=server, database_url=url) as site:
            site.up.wait_until(lambda: site.slots() == workers, "the match workers")
            yield site
    finally:
        if server is not None:
            server.close()


def filled(url: str, filling: Callable[[Database], None]) -> None:
    database = Database(url)
    filling(database)
    database.close()
