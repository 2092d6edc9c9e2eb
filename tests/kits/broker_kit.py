"""A private broker for tests: the real server on a Unix socket, stopped at the end."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from gangland_web.broker import access, link, names, server
from gangland_web.models.matches import MAX_SLOTS

LOCAL_TRIALS, LOCAL_MATCHES, LOCAL_RECORDS = (
    names.queue_of(queue, "local") for queue in (names.QUEUE_TRIALS, names.QUEUE_MATCHES, names.QUEUE_RECORDS)
)
"""The queues of the host that a test broker knows from its start."""
ONCE = Retry(NoBackoff(), 0)  # for clients with a wrong password, because redis-py retries for 4 s by default


@contextmanager
def running_broker(data: Path) -> Iterator[server.BrokerPlan]:
    plan = server.plan_broker(data)
    with subprocess.Popen(plan.command, stdout=subprocess.DEVNULL) as process:
        try:
            server.wait_until_ready(plan, process)
            let_in(plan.redis_url)
            yield plan
        finally:
            process.terminate()
            process.wait()
            server.remove_socket(plan)


def connect_once(url: str) -> redis.Redis:
    client = link.connect(url)
    client.set_retry(ONCE)
    return client


def let_in(redis_url: str, **passwords: str) -> None:
    """Add these hosts to a broker, in addition to `local`, as the record worker does."""
    client = link.connect(redis_url)
    listed: Any = client.acl_list()
    rules = next(line.split() for line in listed if line.split()[1] == names.host_user("local"))
    local = next(word[1:] for word in rules if word.startswith("#"))
    others = [access.HostAccess(name, access.stored_hash(password), MAX_SLOTS) for name, password in passwords.items()]
    access.BrokerUsers(client).admit([access.HostAccess("local", local, MAX_SLOTS), *others])
    client.close()


def a_broker() -> Iterator[server.BrokerPlan]:
    """A fixture function: `broker = pytest.fixture(a_broker)`."""
    with TemporaryDirectory() as folder, running_broker(Path(folder)) as plan:
        yield plan
