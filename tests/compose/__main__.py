"""The whole compose file on a real engine: up, played on, killed service by service, scaled, taken down.

    python -m tests.compose [--port N]

Takes whatever engine `docker info` reaches (DOCKER_HOST, contexts); it must be on this machine.  A clean copy of the
checkout is built and run under a project, a port, volumes and an image of its own, all of which but the image is taken
away at the end, also after Ctrl-C.  COMPOSE_TEST_BUILD holds more options of `docker build`, where one needs any.
Progress goes to stderr, the report to stdout.  Ends with 0 if all came back and every match counts once, with 1 if not,
and with 3 where no engine is reached: nothing was tested then.
"""

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.compose import engine, steps
from tests.compose.stack import Stack, StepFailed

ROOT = Path(__file__).resolve().parent.parent.parent
NO_ENGINE = 3


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing of it is left behind
    try:
        facts = engine.reached()
    except engine.NoEngine as error:
        sys.stderr.write(f"NOT TESTED: no container engine is reached. {error}\n")
        return NO_ENGINE
    sys.stderr.write(f"engine {facts['ServerVersion']}, Compose {facts['Compose']}\n")
    with TemporaryDirectory(prefix="gangland-compose-") as name:
        stack = Stack(ROOT, Path(name), given.port, apparmor=engine.has_apparmor(facts))
        course = steps.Course(stack, facts)
        try:
            course.run(*shlex.split(os.environ.get("COMPOSE_TEST_BUILD", "")))
        except (StepFailed, engine.CommandFailed, OSError, ValueError) as error:
            course.problems.append(f"{course.rows[-1].step}: {error}")
            sys.stderr.write(_last_words(stack))
        finally:
            left = _taken_down(stack)
    course.problems += [f"left behind: {what}" for what in left]
    sys.stdout.write("\n".join(steps.lines(course.rows, course.problems)) + "\n")
    return 1 if course.problems else 0


def _last_words(stack: Stack) -> str:
    try:
        return stack.logs()
    except engine.CommandFailed as error:
        return f"no logs: {error}\n"


def _taken_down(stack: Stack) -> list[str]:
    kept = [(number, signal.signal(number, signal.SIG_IGN)) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        sys.stderr.write("taking it down\n")
        return stack.down()
    except engine.CommandFailed as error:
        return [str(error)]
    finally:
        for number, handler in kept:
            signal.signal(number, handler)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.compose", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=None, help="where the site is published on loopback; a free one")
    return parser


if __name__ == "__main__":
    sys.exit(main())
