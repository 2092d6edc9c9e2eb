"""The numeric profile: numpy in the jail, on one thread, and nothing gained by it but numpy."""

import importlib.util
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.kits.hostile_kit import check
from tests.sandbox import hostile_run, zip_kit
from tests.sandbox.numeric_kit import TIGHT, numeric, play_numeric
from tests.sandbox.trial import GAME, HONEST, SEED, apart, bot_of, play

from gangland_sandbox import asking, limits, runtime
from gangland_sandbox import numeric as numeric_tree
from gangland_sandbox.pool import Pool

WORKS = b"""
import io
import sys

import numpy as np
from gangland import gang_of_dice


class Works(gang_of_dice.Bot):
    def __init__(self):
        table = np.load(io.BytesIO(self.data("tables/stakes.npy")))
        square = np.arange(40000.0).reshape(200, 200) + np.eye(200)
        product = square @ square.T
        self.seen = [
            table.sum(),
            product.trace(),
            np.abs(square @ np.linalg.inv(square) - np.eye(200)).max() < 1e-3,
            np.linalg.svd(np.eye(5) * 3)[1],
            np.fft.ifft(np.fft.fft([1.0, 2.0, 4.0])).real,
            np.sort(np.array([3, 1, 2])),
            np.array([0.1, 1e300, np.nan]),
            np.random.default_rng(7).integers(100, size=4),
            np.polynomial.Polynomial([1, 2])(3),
            np.ma.masked_equal([1, 2], 2).sum(),
        ]

    def choose_dice(self, view):
        self.log(*self.seen)
        return int(min(np.int64(2), view.pool))
"""


def test_a_bot_computes_with_numpy_and_reads_its_tables() -> None:
    table = io.BytesIO()
    np.save(table, np.arange(12).reshape(3, 4))
    archive = zip_kit.zipped({"bot.py": WORKS, "tables/stakes.npy": table.getvalue()})
    result = play_numeric(archive, filename="works.zip")
    assert (result.kind, result.left) == ("none", [])
    square = np.arange(40000.0).reshape(200, 200) + np.eye(200)
    drawn = np.random.default_rng(7).integers(100, size=4)
    first = result.log.splitlines()[0]
    assert first.startswith(f"66 {(square @ square.T).trace()} True [3. 3. 3. 3. 3.] [1. 2. 4.] [1 2 3]")
    assert first.endswith(f"[1.e-001 1.e+300     nan] {drawn} 7.0 1")


RANDOM = b"""
import numpy as np
from gangland import gang_of_dice

LOADED = np.random.random()


class Draws(gang_of_dice.Bot):
    def __init__(self):
        self.drawn = []

    def on_game_start(self, start):
        self.drawn.append((LOADED, np.random.random(), *np.random.permutation(5)))
        self.log("\\n".join(map(str, self.drawn)))

    def choose_dice(self, view):
        return 1
"""


def test_numpys_own_generator_is_seeded_for_each_game_like_pythons() -> None:
    result, again = (play_numeric(RANDOM, games=3, seeds=(SEED, bytes(32), SEED)) for _ in range(2))
    assert result.kind == "none"
    assert result.log == again.log
    one, other, same = result.log.splitlines()
    assert one == same != other


def test_numpy_runs_on_one_thread() -> None:
    runtime.prepare_numeric()

    def threads() -> str:
        source = bot_of("a = np.ones((600, 600))\nself.log((a @ a).sum())\nreturn 1", "import numpy as np")
        with asking.BotProcess.open(source, filename="b.py", game=GAME, limits=TIGHT) as bot:
            bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
            bot.ask("dice", (0,), 0)
            status = Path(f"/proc/{bot.pid}/status").read_text()
        return status.partition("Threads:")[2].split()[0]

    assert apart(threads) == "1"


def test_a_plain_jail_has_no_numpy() -> None:
    runtime.prepare_numeric()
    assert (
        play(bot_of("return 1", "import sys\nsys.path.append('/usr/lib/numeric')\nimport numpy")).kind == "import_error"
    )


def test_where_numpy_is_missing_numeric_jails_are_refused_and_plain_ones_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "_numeric", [])
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "numpy" else real(name))
    result = play(HONEST, limits=TIGHT)
    assert result.kind == "SandboxError"
    assert "pip install 'numpy" in result.message
    assert play(HONEST).kind == "none"


def test_the_tree_holds_what_bots_can_use_and_is_trusted() -> None:
    tree = runtime.prepare_numeric()
    runtime.verify(tree)
    kept = {str(file.relative_to(tree)) for file in tree.rglob("*") if file.is_file()}
    assert {file.split("/")[0] for file in kept} == {"numpy", "lib", "modules.bin"}
    assert all(file.endswith((".py", ".pyc", ".so")) for file in kept if file.startswith("numpy/"))
    for part in ("tests", "f2py", "distutils", "ctypeslib", "testing", "include"):
        assert not any(part in file.split("/") for file in kept), part


def test_it_is_built_when_it_is_first_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GANGLAND_RUNTIME_DIR", str(tmp_path / "runtimes"))
    monkeypatch.setattr(runtime, "SYSTEM_FOLDER", tmp_path / "runtimes")
    monkeypatch.setattr(runtime, "_prepared", {})
    monkeypatch.setattr(runtime, "_numeric", [])
    monkeypatch.setattr(numeric_tree, "build", lambda root: (root / "built").touch())
    monkeypatch.setattr(runtime, "check_reach", lambda _: None)
    runtime.prepare(trusted=True)
    assert not list((tmp_path / "runtimes").glob("numeric-*"))
    assert runtime.prepare_numeric().name == f"numeric-{numeric_tree.digest()}"
    assert (runtime.prepare_numeric() / "built").is_file()


def test_a_bot_has_hundreds_of_mib_for_its_arrays_and_not_more() -> None:
    roomy = replace(limits.Limits.numeric(12), bank_wall_s=60.0, decision_cpu_s=20.0)  # it is the memory that is tried
    enough = "if not hasattr(self, 'kept'):\n    self.kept = [np.ones(2 << 20) for _ in range(20)]\nreturn 1"
    assert play_numeric(bot_of(enough, "import numpy as np"), limits=roomy).kind == "none"
    too_much = "self.kept = [np.empty(2 << 20) for _ in range(80)]\nreturn 1"
    assert play_numeric(bot_of(too_much, "import numpy as np"), limits=roomy).kind == "memory"


ATTACKS = {
    "an array larger than all memory": ("np.empty(1 << 45)\nreturn 1", {"crashed"}),
    "a read beyond an array": (
        "far = np.lib.stride_tricks.as_strided(np.zeros(1), shape=(64,), strides=(1 << 40,))\nreturn int(far.sum())",
        {"crashed"},
    ),
    "a write beyond an array": (
        "far = np.lib.stride_tricks.as_strided(np.zeros(1), shape=(64,), strides=(1 << 40,))\nfar[:] = 1\nreturn 1",
        {"crashed"},
    ),
    "one long multiplication": (
        "a = np.ones((4000, 4000), np.float32)\nself.log((a @ a)[0, 0])\nreturn 1",
        {"decision_time"},
    ),
    "one long sort": ("np.sort(np.random.random(1 << 25))\nreturn 1", {"decision_time"}),
    "a number of numpy's for an answer": ("return np.int64(1)", {"none"}),
    "an array for an answer": ("return np.ones(3)", {"illegal"}),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_a_bot_does_with_numpy_falls_on_its_own_seat(name: str) -> None:
    body, kinds = ATTACKS[name]
    result = play_numeric(bot_of(body, "import numpy as np"))
    assert result.kind in kinds, result.message
    assert result.left == []


REACHES = """
import io
import os
import pickle

import numpy as np
from gangland import gang_of_dice

ARRAY = np.arange(8.0)


class Shell:
    def __reduce__(self):
        return os.system, ("echo > /tmp/escaped",)


def listing(archive):
    return np.load(io.BytesIO(archive), allow_pickle=True)


def by_pickle():
    status = listing(pickle.dumps(Shell()))
    if status != 0:
        raise OSError(status)


def by_library():
    import numpy.ctypeslib
    return numpy.ctypeslib.load_library("libc.so.6", "/usr/lib/jail")


def by_compiler():
    import numpy.f2py
    return numpy.f2py.compile(b"end")


def by_testing():
    import numpy.testing
    return numpy.testing.extbuild


def from_the_net():
    return np.lib.npyio.DataSource(None).open("http://127.0.0.1:9/table.npy")


TRIES = {
    "memmap": lambda: np.memmap("/tmp/escaped", np.float64, "w+", shape=(8,)),
    "memmap of the tree": lambda: np.memmap(np.__file__, np.uint8, "r+"),
    "open_memmap": lambda: np.lib.format.open_memmap("escaped.npy", "w+", np.float64, shape=(8,)),
    "tofile": lambda: ARRAY.tofile("/tmp/escaped"),
    "tofile over numpy": lambda: ARRAY.tofile(np.__file__),
    "save": lambda: np.save("/usr/lib/numeric/escaped.npy", ARRAY),
    "savez": lambda: np.savez("escaped.npz", ARRAY),
    "savetxt": lambda: np.savetxt("/gangland/escaped.txt", ARRAY),
    "dump": lambda: ARRAY.dump("/tmp/escaped"),
    "fromfile of the host": lambda: np.fromfile("/etc/passwd", np.uint8),
    "fromfile of a process": lambda: np.fromfile("/proc/1/mem", np.uint8, 16),
    "fromfile of a device": lambda: np.fromfile("/dev/zero", np.uint8, 16),
    "loadtxt of the host": lambda: np.loadtxt("/etc/hostname", str),
    "pickle": by_pickle,
    "library": by_library,
    "compiler": by_compiler,
    "testing": by_testing,
    "net": from_the_net,
}


class Reaches(gang_of_dice.Bot):
    def choose_dice(self, view):
        for name, attempt in TRIES.items():
            try:
                attempt()
            except (OSError, ImportError) as refused:
                self.log(name, "refused", type(refused).__name__)
            else:
                self.log(name, "ESCAPED")
        self.tries = TRIES.clear()
        return 1
"""


def test_numpy_reaches_no_file_no_program_and_no_network() -> None:
    result = play_numeric(REACHES.encode())
    assert result.kind == "none", result.message
    refused = [line.partition(" refused ")[0] for line in result.log.splitlines() if " refused " in line]
    assert "ESCAPED" not in result.log, result.log
    assert len(refused) == REACHES.count('": ') == 18
    assert result.left == []


def test_a_bot_of_another_jail_sees_nothing_of_the_arrays_before_it() -> None:
    cached_page = "kept = [np.full(1 << 16, 1234567890123456789) for _ in range(64)]\nreturn 1"
    look = "self.log(sum(int((np.empty(1 << 16, np.int64) == 1234567890123456789).sum()) for _ in range(64)))\nreturn 1"
    runtime.prepare_numeric()

    def both() -> list[Any]:
        result: list[Any] = []
        with Pool(limit=1, uses=10) as pool:
            for body in (cached_page, look):
                source = bot_of(body, "import numpy as np")
                with asking.BotProcess.open(source, filename="b.py", game=GAME, limits=TIGHT, pool=pool) as bot:
                    bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
                    bot.ask("dice", (0,), 0)
                    result.append(bot.take_log().strip())
            result.append(pool.opened)
        return result

    assert apart(both) == ["", "0", 1]


CHOSEN = (
    "environment", "executable_memory", "kernel_tour", "memory", "native_calls",
    "searches_memory", "sleep", "threads", "waits_in_select", "waits_on_a_lock", "write_files",
)  # fmt: skip
"""What numpy's libraries and memory could make a difference to; a long run plays every folder."""


def test_hostile_bots_fare_no_better_in_numeric_jails() -> None:
    check_in_numeric_jails(*CHOSEN)


@pytest.mark.long("each attack once more, alone, in a numeric jail")
@pytest.mark.parametrize("name", hostile_run.folders())
def test_a_hostile_bot_alone_fares_no_better_in_a_numeric_jail(name: str) -> None:
    check_in_numeric_jails(name)


def check_in_numeric_jails(*names: str) -> None:
    runtime.prepare_numeric()
    expectations = [hostile_run.Expected.of(name) for name in names]
    attacks = hostile_run.play_attacks(expectations, numeric(hostile_run.LIMITS), games=2)
    for expected in expectations:
        check(expected, attacks)
    assert attacks.left == []
