"""Malformed files, sent to everything that reads files: uploads, replays, tournaments.

    python -m tests.fuzz [--cases N] [--seed N] [--first N] [--workers N] [--into FOLDER]

A case passes if the file is refused with a documented exception, or accepted.  The exit code is 1 if one does not.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.running import SHARES, Finding, Tally, run_cases

CASES = 100_000
BATCH = 2_500  # cases of one process
INTO = Path("build/fuzz")
POLL_S, HUNG_S = 5, 300  # a case that takes this long hangs where no signal of ours reaches it


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    if given.batch is not None:
        return _child(given.seed, range(given.first, given.first + given.cases), given.batch)
    whole = run(given.seed, given.first, given.cases, workers=given.workers)
    saved = [_save(given.into, given.seed, finding) for finding in whole.findings]
    sys.stdout.write(table(whole))
    for finding, file in zip(whole.findings, saved, strict=True):
        sys.stdout.write(f"\n{finding.target} {finding.number}, {finding.way}: {file}\n{finding.error}\n")
    return 1 if whole.findings else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first case")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--into", type=Path, default=INTO, metavar="FOLDER", help="where findings are written")
    parser.add_argument("--batch", type=Path, help=argparse.SUPPRESS)
    return parser


def run(seed: int, first: int, cases: int, *, workers: int = 1) -> Tally:
    batches = [range(at, min(at + BATCH, first + cases)) for at in range(first, first + cases, BATCH)]
    whole = Tally()
    done = 0
    with ThreadPoolExecutor(workers) as pool:
        for tally in pool.map(lambda numbers: _whole_batch(seed, numbers), batches):
            add(whole, tally)
            done = sum(sum(each.values()) for each in whole.verdicts.values())
            sys.stderr.write(f"{done:,} of {cases:,} cases, {len(whole.findings)} findings\n")
    return whole


def add(whole: Tally, other: Tally) -> None:
    for name, counts in other.verdicts.items():
        whole.verdicts.setdefault(name, Counter()).update(counts)
    whole.findings += other.findings
    whole.peak_mib = max(whole.peak_mib, other.peak_mib)
    whole.cpu_s += other.cpu_s


def _whole_batch(seed: int, numbers: range) -> Tally:
    """Run a batch in a process; if it dies, record the case that killed it and continue after that."""
    whole = Tally()
    with TemporaryDirectory(prefix="gangland-fuzz-") as folder:
        while numbers:
            file = Path(folder) / "batch"
            command = [sys.executable, "-m", "tests.fuzz", "--batch", str(file), "--seed", str(seed)]
            command += ["--first", str(numbers.start), "--cases", str(len(numbers))]
            begun, output = file.with_suffix(".begun"), file.with_suffix(".said")
            begun.write_text(str(numbers.start))
            with output.open("wb") as stream:
                code = _ended(subprocess.Popen(command, stdout=stream, stderr=stream), begun)
            if code == 0:
                add(whole, _loaded(file))
                break
            at = int(begun.read_text() or numbers.start)
            result = f"the process ended with {code}\n{output.read_text(errors='replace')[-4000:]}"
            whole.findings.append(Finding("process", at, "", result, b""))
            whole.count("process", "FOUND")
            numbers = range(at + 1, numbers.stop)
    return whole


def _ended(process: subprocess.Popen[bytes], begun: Path) -> int:
    observed, turns = "", 0
    while True:
        try:
            return process.wait(POLL_S)
        except subprocess.TimeoutExpired:
            now = begun.read_text()
            observed, turns = now, turns + 1 if now == observed else 0
            if turns * POLL_S > HUNG_S:
                process.kill()


def _child(seed: int, numbers: range, file: Path) -> int:
    with file.with_suffix(".begun").open("w") as noted:

        def begun(number: int) -> None:
            noted.seek(0)
            noted.write(f"{number}\n")
            noted.flush()

        tally = run_cases(seed, numbers, begun)
    findings = [[each.target, each.number, each.way, each.error, each.data.hex()] for each in tally.findings]
    file.write_text(json.dumps([tally.verdicts, findings, tally.peak_mib, tally.cpu_s]))
    return 0


def _loaded(file: Path) -> Tally:
    verdicts, findings, peak_mib, cpu_s = json.loads(file.read_text())
    found = [Finding(target, number, way, error, bytes.fromhex(data)) for target, number, way, error, data in findings]
    return Tally({name: Counter(counts) for name, counts in verdicts.items()}, found, peak_mib, cpu_s)


def _save(folder: Path, seed: int, finding: Finding) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{finding.target}-{seed}-{finding.number}"
    file.write_bytes(finding.data)
    file.with_name(f"{file.name}.txt").write_text(f"{finding.way}\n{finding.error}\n", errors="backslashreplace")
    return file


def table(whole: Tally) -> str:
    return "\n".join(_rows(whole)) + "\n"


def _rows(whole: Tally) -> Iterator[str]:
    yield "| door | cases | taken | refused | findings |"
    yield "|---|---:|---:|---:|---:|"
    for name in (*SHARES, *(name for name in whole.verdicts if name not in SHARES)):
        counts = whole.verdicts.get(name, Counter())
        taken = sum(count for verdict, count in counts.items() if verdict in ("taken", "verified"))
        found = counts["FOUND"]
        yield f"| {name} | {counts.total():,} | {taken:,} | {counts.total() - taken - found:,} | {found:,} |"
    yield ""
    yield f"{whole.cpu_s:,.0f} s of CPU time, {whole.peak_mib} MiB at most added by one process."


if __name__ == "__main__":
    sys.exit(main())
