"""Make mutants of the most important code, run the tests that should kill them, and list the survivors.

    .venv/bin/python scripts/mutate.py [--count 200] [--seed 1] [--only rules] [--jobs 2]

A mutant is one small change of one source file: a comparison, a sign, a constant, a condition, an omitted statement.
The script picks mutants at random, the same number of each target, and tests them in copies of the checkout below
build/mutants.  It exits with 1 if one survives that `scripts/mutants.toml` does not list as equivalent.
"""

import argparse
import ast
import copy
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from itertools import chain, zip_longest
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import NamedTuple, TypeVar

ROOT = Path(__file__).resolve().parent.parent
SOURCE_ROOTS = ("engine", "sandbox", "bots", "platform")
WORDS = ("killed", "SURVIVED", "equivalent")
Equivalent = set[tuple[str, str, str]]
"""Files, with lines before and after the change."""
Answer = TypeVar("Answer")


class Suite(NamedTuple):
    """Source files of one target, and pytest's arguments for the tests that should kill the mutants, fastest first."""

    target: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]


def read_table() -> tuple[list[Suite], Equivalent]:
    """Return the suites, and the known equivalent mutants."""
    table = tomllib.loads((ROOT / "scripts" / "mutants.toml").read_text())
    suites = [
        Suite(
            row["target"],
            tuple(f"{row['folder']}/{name}.py" for name in row["sources"]),
            (*row["tests"], *(("-k", row["only"]) if "only" in row else ())),
        )
        for row in table["suite"]
    ]
    return suites, {(row["file"], row["before"], row["after"]) for row in table["equivalent"]}


NEARBY: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
}


class Mutant(NamedTuple):
    """One change of a file: the bytes from `start` to `end` become `text`."""

    path: str
    line: int
    before: str
    after: str
    start: int
    end: int
    text: str


def _with(node: ast.AST, **changed: object) -> str:
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return ast.unparse(other)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield the replacements of a node or of a condition in it, each with the replaced node."""
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                yield from ((node, _with(node, ops=[*ops[:at], new(), *ops[at + 1 :]])) for new in NEARBY[type(op)])
        case ast.BoolOp(op=op):
            yield node, _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            yield node, _with(node, op=ARITHMETIC[type(op)]())
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield from ((node, str(value + step)) for step in (1, -1))
        case ast.Constant(value=float(value)):
            yield node, str(value * 2 if value else 1.0)
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _, *_]):
            yield node, _with(node, func=ast.Name({"min": "max", "max": "min"}[name]))
            yield node, _with(node, args=[ast.Tuple(node.args[1:], ast.Load())])
        case ast.UnaryOp(op=ast.Not()):
            yield node, ast.unparse(node.operand)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield from _negated(test)
        case ast.comprehension(ifs=tests):
            yield from chain.from_iterable(map(_negated, tests))
        case ast.Return(value=value) if value is not None and ast.unparse(value) not in {"None", "False"}:
            yield node, "return None"
        case ast.AugAssign(op=op):
            yield node, "pass"
            if type(op) in ARITHMETIC:
                yield node, _with(node, op=ARITHMETIC[type(op)]())
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Expr(value=ast.Call()) | ast.Raise():
            yield node, "pass"
        case ast.Continue() | ast.Break():
            yield node, "pass"


def _negated(test: ast.expr) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    if not isinstance(test, ast.Compare | ast.UnaryOp):  # these nodes have the same mutants themselves
        yield test, f"not ({ast.unparse(test)})"


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes to change, without decorators, messages and `strict=`, which is always true."""
    yield node
    if isinstance(node, ast.JoinedStr | ast.Raise) or (isinstance(node, ast.keyword) and node.arg == "strict"):
        return
    for child in ast.iter_child_nodes(node):
        if child not in getattr(node, "decorator_list", ()):
            yield from _nodes(child)


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """Return all mutants of a file."""
    source = (root / path).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    mutants = []
    for node in _nodes(ast.parse(source)):
        for place, code in _changes(node):
            text = code if isinstance(place, ast.stmt) else f"({code})"
            first, last = place.lineno - 1, (place.end_lineno or 0) - 1
            start, end = starts[first] + place.col_offset, starts[last] + (place.end_col_offset or 0)
            head, tail = source[starts[first] : start], source[end : starts[last + 1]]
            lines = (b"".join((head, middle, tail)).decode() for middle in (source[start:end], text.encode()))
            before, after = (" ".join(line.split()) for line in lines)
            mutants.append(Mutant(path, place.lineno, before, after, start, end, text))
    return mutants


def picked(root: Path, suites: Sequence[Suite], count: int, seed: int) -> list[tuple[Suite, Mutant]]:
    """Return `count` mutants, the same number for each target that has enough."""
    rng = Random(seed)
    by_target: dict[str, list[tuple[Suite, Mutant]]] = {}
    for suite in suites:
        of_target = by_target.setdefault(suite.target, [])
        of_target += [(suite, mutant) for path in suite.sources for mutant in mutants_of(root, path)]
    for of_target in by_target.values():
        rng.shuffle(of_target)
    return [mutant for row in zip_longest(*by_target.values()) for mutant in row if mutant is not None][:count]


class Tree:
    """A copy of the checkout for one mutant at a time."""

    def __init__(self, root: Path, place: Path) -> None:
        self.place = place
        self.ran: subprocess.Popen[bytes] | None = None
        self.stopped = False
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(root, place, symlinks=True, ignore=shutil.ignore_patterns(".*", "build", "dist", "__pycache__"))

    def passes(self, tests: Sequence[str], timeout_s: float | None = None) -> bool:
        """Return whether the tests pass in time with the copy's packages."""
        settings = {
            "PYTHONPATH": os.pathsep.join(str(self.place / root) for root in SOURCE_ROOTS),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # loading plugins takes as long as the fastest tests
            "GANGLAND_RUNTIME_DIR": str(self.place / "build"),
        }
        self.ran = ran = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
            cwd=self.place,
            env=os.environ | settings,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        if self.stopped:
            _kill(ran)
        try:
            return ran.wait(timeout_s) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            _kill(ran)
            ran.wait()

    def stop(self) -> None:
        """Kill the running tests and all later ones, from any thread."""
        self.stopped = True
        if self.ran is not None:
            _kill(self.ran)

    def survives(self, mutant: Mutant, tests: Sequence[str], timeout_s: float) -> bool:
        """Return whether the tests pass with a mutant; restore the file afterwards."""
        file = self.place / mutant.path
        whole = file.read_bytes()
        try:
            self._write(file, whole[: mutant.start] + mutant.text.encode() + whole[mutant.end :])
            return self.passes(tests, timeout_s)
        finally:
            self._write(file, whole)

    def _write(self, file: Path, data: bytes) -> None:
        file.write_bytes(data)
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):  # the source may have the old time and size
            compiled.unlink()


def _kill(ran: subprocess.Popen[bytes]) -> None:
    """Kill running tests with all their children."""
    if ran.poll() is None:
        with suppress(ProcessLookupError):  # just ended
            os.killpg(ran.pid, signal.SIGKILL)


def timeout_of(tree: Tree, suite: Suite) -> float:
    """Check that a suite's tests pass, and fail if a file raises an error; return their time limit.

    Raises:
        SystemExit: one of these checks failed, so mutants would prove nothing.
    """
    began = time.monotonic()
    if not tree.passes(suite.tests):
        raise SystemExit(f"without a mutant these tests fail in {tree.place}: {' '.join(suite.tests)}")
    timeout_s = 60 + 4 * (time.monotonic() - began)
    canary = Mutant(suite.sources[0], 1, "", "", 0, 0, "raise SystemError\n")
    if tree.survives(canary, suite.tests, timeout_s):
        raise SystemExit(f"{canary.path} of {tree.place} is not what these tests import: {' '.join(suite.tests)}")
    return timeout_s


@contextmanager
def _threads(trees: Sequence[Tree]) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool with a thread for each tree; an error, such as Ctrl-C, stops all running tests."""
    with ThreadPoolExecutor(len(trees)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for tree in trees:
                tree.stop()
            raise


def _lent(trees: SimpleQueue[Tree], ask: Callable[[Tree], Answer]) -> Answer:
    tree = trees.get()
    try:
        return ask(tree)
    finally:
        trees.put(tree)


def run(root: Path, suites: Sequence[Suite], equivalent: Equivalent, *, count: int, seed: int, jobs: int) -> int:
    """Test `count` mutants, print the result of each and the counts of each target; return the exit code."""
    mutants = picked(root, suites, count, seed)
    all_trees = [Tree(root, root / "build" / "mutants" / str(number)) for number in range(jobs)]
    trees: SimpleQueue[Tree] = SimpleQueue()
    for tree in all_trees:
        trees.put(tree)
    used = list(dict.fromkeys(suite for suite, _ in mutants))
    counts: Counter[tuple[str, str]] = Counter()
    with _threads(all_trees) as pool:
        limits = list(pool.map(lambda suite: _lent(trees, lambda tree: timeout_of(tree, suite)), used))
        print(f"{len(mutants)} mutants; without one all tests pass, and with a file that raises none do", flush=True)

        def lives(suite: Suite, mutant: Mutant) -> bool:
            return _lent(trees, lambda tree: tree.survives(mutant, suite.tests, limits[used.index(suite)]))

        tried = {pool.submit(lives, *one): one for one in mutants}
        for ended in as_completed(tried):
            suite, mutant = tried[ended]
            listed = (mutant.path, mutant.before, mutant.after) in equivalent
            word = ("equivalent" if listed else "SURVIVED") if ended.result() else "killed"
            counts[suite.target, word] += 1
            print(f"{word} {mutant.path}:{mutant.line}\n    {mutant.before}\n    {mutant.after}", flush=True)
    shutil.rmtree(root / "build" / "mutants")
    for target in dict.fromkeys(suite.target for suite in used):
        print(f"{target}: " + ", ".join(f"{counts[target, word]} {word}" for word in WORDS))
    return 1 if any(word == "SURVIVED" for _, word in counts) else 0


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, not {text!r}")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Test mutants of this checkout."""
    suites, equivalent = read_table()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=_number, default=200, help="maximum number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choice")
    parser.add_argument("--only", choices=sorted({suite.target for suite in suites}), help="only this target")
    parser.add_argument("--jobs", type=_number, default=2, help="number of mutants at a time")
    options = parser.parse_args(arguments)
    suites = [suite for suite in suites if options.only in (None, suite.target)]
    try:
        return run(ROOT, suites, equivalent, count=options.count, seed=options.seed, jobs=options.jobs)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
