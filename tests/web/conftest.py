"""What every test of a site gets: what is costly and the same each time is made once a process."""

import pytest
from tests.kits import broker_kit, core_kit, pages_kit, tournament_pages_kit
from tests.kits.cheap_kit import cheap, real_hasher

__all__ = ["broker", "cheap", "house", "platform", "real_hasher", "site"]

# A module that begins with more, or on other databases, has fixtures of its own by these names.
site = pytest.fixture(pages_kit.open_site)
house = pytest.fixture(tournament_pages_kit.a_house)
broker = pytest.fixture(broker_kit.a_broker)
platform = pytest.fixture(core_kit.a_platform, params=core_kit.KINDS)
