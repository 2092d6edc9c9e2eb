"""Kombu's Redis transport for match workers: it takes nothing back that another worker took.

Restoring what was taken and never acknowledged needs a lock made with SET and released by a
script.  A match worker's user may do neither, and need not: the row of a match is its only
redelivery.
"""

from kombu.transport import redis


class QoS(redis.QoS):
    """Keeps count of what this worker took, and leaves alone what others did."""

    def restore_visible(self, start: int = 0, num: int = 10, interval: int = 10) -> None:
        """Do nothing: the sweep sends a forgotten match again."""


class Channel(redis.Channel):
    """A channel with our quality of service."""

    QoS = QoS


class Transport(redis.Transport):
    """The transport to a broker on a network."""

    Channel = Channel


class SocketTransport(Transport):
    """The transport to a broker on a unix socket, whose address the channel reads by itself."""

    can_parse_url = True


def play_transport(address: str) -> str:
    """Return the name of the transport for a broker's address, as Celery takes it."""
    kind = SocketTransport if address.startswith("socket://") else Transport
    return f"{__name__}:{kind.__name__}"
