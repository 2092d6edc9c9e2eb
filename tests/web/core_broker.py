"""A private broker for tests: the real server on a unix socket, gone at the end."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gangland_web.broker.server import BrokerPlan, plan_broker, remove_socket, wait_until_ready


@contextmanager
def running_broker(data: Path) -> Iterator[BrokerPlan]:
    """Run the broker of a data folder."""
    plan = plan_broker(data)
    with subprocess.Popen(plan.command, stdout=subprocess.DEVNULL) as process:
        try:
            wait_until_ready(plan, process)
            yield plan
        finally:
            process.terminate()
            process.wait()
            remove_socket(plan)


def a_broker() -> Iterator[BrokerPlan]:
    """A fixture: tests name it `broker = pytest.fixture(a_broker)`."""
    with TemporaryDirectory() as folder, running_broker(Path(folder)) as plan:
        yield plan
