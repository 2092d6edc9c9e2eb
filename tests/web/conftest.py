"""What every test of a site gets: what is dear and the same each time is made once a process."""

import pytest
from tests.kits.broker_kit import a_broker
from tests.kits.cheap_kit import cheap, real_hasher
from tests.kits.core_kit import KINDS, a_platform
from tests.kits.pages_kit import open_site
from tests.kits.tournament_pages_kit import a_house

__all__ = ["broker", "cheap", "house", "platform", "real_hasher", "site"]

# A module that begins with more, or on other databases, has fixtures of its own by these names.
site = pytest.fixture(open_site)
house = pytest.fixture(a_house)
broker = pytest.fixture(a_broker)
platform = pytest.fixture(a_platform, params=KINDS)
