"""Every benchmark can be imported as its users run it, and prints its help."""

import subprocess
import sys
from pathlib import Path

# One process imports what they share once.
HELP = """
import runpy, sys
for name in sys.argv[1:]:
    sys.argv = [name, "--help"]
    try:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        assert end.code == 0, (name, end.code)
    else:
        raise AssertionError(f"{name} ran instead of printing its help")
"""


def commands(root: Path) -> list[str]:
    named = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__main__")
        for path in (root / "benchmarks").rglob("*.py")
        if 'if __name__ == "__main__"' in path.read_text(encoding="utf-8")
    }
    return sorted(named - {"benchmarks.worker"})  # which `benchmarks` starts itself


def test_every_benchmark_can_be_imported_and_prints_its_help(root: Path) -> None:
    names = commands(root)
    assert {"benchmarks", "benchmarks.soak", "benchmarks.traffic"} <= set(names)

    result = subprocess.run(
        [sys.executable, "-c", HELP, *names], cwd=root, capture_output=True, text=True, check=False, timeout=300
    )

    assert result.returncode == 0, result.stderr
    assert [name for name in names if f"usage: python -m {name} " not in result.stdout] == []
