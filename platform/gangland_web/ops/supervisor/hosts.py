"""This machine as a worker host of its own site, and the others that the broker is to know from the start."""

from pathlib import Path
from typing import Any

from redis import Redis

from gangland_web.base.secrecy import stored_secret
from gangland_web.broker.access import BrokerUsers, analysis_address, analysis_rules, hashed, host_address
from gangland_web.broker.link import connect, known_hosts
from gangland_web.broker.names import ANALYSIS_USER, LOCAL, QUEUE_RECORDS, queue_of
from gangland_web.broker.server import ANALYSIS_PASSWORD, HOST_PASSWORD
from gangland_web.models.database import Database
from gangland_web.services.worker_hosts import broker_access


def own_address(data: Path, redis_url: str) -> str:
    """Return another machine's broker's address for this machine, with a password that is kept in the data folder."""
    folder = data / "broker"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return host_address(redis_url, LOCAL, stored_secret(folder / HOST_PASSWORD))


def let_in_analysis(data: Path, redis_url: str) -> str:
    """Let those who analyse games in to another machine's broker, and return its address for them.

    Raises:
        RedisError: the broker is away, or keeps its access list to itself.
    """
    password = stored_secret(data / "broker" / ANALYSIS_PASSWORD)
    with connect(redis_url) as client:
        set_user: Any = client.execute_command
        set_user("ACL SETUSER", ANALYSIS_USER, "reset", *analysis_rules(hashed(password)))
    return analysis_address(redis_url, password)


def let_in_hosts(database: Database, redis_url: str) -> None:
    """Let the hosts in to the broker that may play, before anything is started there.  Raises RedisError."""
    with database.read() as session, connect(redis_url) as client:
        BrokerUsers(client).admit(broker_access(session))


def unrecorded(client: Redis) -> int:
    """Return how many messages the record worker has not taken yet."""
    queues = [QUEUE_RECORDS, *(queue_of(QUEUE_RECORDS, host) for host in known_hosts(client))]
    return sum(int(client.llen(queue)) for queue in queues)
