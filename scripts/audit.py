"""Check the locked packages for known vulnerabilities.

    python scripts/audit.py [--strict]

pip-audit asks the advisory service of PyPI.  Packages without an answer are listed as not checked.  Exit 1 for a
vulnerability; with --strict also for packages that were not checked.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements/run.txt", "requirements/dev.txt")
WAIT_S = 120


def main(arguments: Sequence[str]) -> int:
    """Audit every lock and print the results; return the exit code."""
    documents: list[dict[str, Any] | str] = [_report(lock) for lock in LOCKS]
    vulnerable, lines = False, []
    unchecked = 0
    for lock, document in zip(LOCKS, documents, strict=True):
        bad, good, skipped, reason = verdict(document)
        vulnerable = vulnerable or bool(bad)
        unchecked += skipped or (good == 0)
        lines += [f"{lock}: {vulnerability}" for vulnerability in bad]
        lines.append(f"{lock}: {good} packages have no known vulnerability" if good else f"{lock}: nothing was checked")
        if reason:
            lines.append(f"NOT CHECKED, {lock}: {skipped or 'all'} packages: {reason}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if vulnerable or (unchecked and "--strict" in arguments) else 0


def _report(lock: str) -> dict[str, Any] | str:
    """Return pip-audit's report on a lock, or the reason why there is none."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "-f", "json", "-r", lock]
    try:
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=WAIT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {WAIT_S} s"
    try:
        document: dict[str, Any] = json.loads(ran.stdout)
    except ValueError:
        output = ran.stderr.strip().splitlines()
        return output[-1] if output else f"pip-audit ended with {ran.returncode} and said nothing"
    return document


def verdict(document: dict[str, Any] | str) -> tuple[list[str], int, int, str]:
    """Return the vulnerabilities, the number of packages without any, the number not checked, and the first reason."""
    if isinstance(document, str):
        return [], 0, 0, document
    packages = document["dependencies"]
    skipped = [package["skip_reason"] for package in packages if "skip_reason" in package]
    checked = [package for package in packages if "skip_reason" not in package]
    bad = [
        f"{package['name']} {package['version']}: {hit['id']}, fixed in {' or '.join(hit['fix_versions']) or 'none'}"
        for package in checked
        for hit in package["vulns"]
    ]
    good = sum(not package["vulns"] for package in checked)
    return bad, good, len(skipped), skipped[0] if skipped else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
