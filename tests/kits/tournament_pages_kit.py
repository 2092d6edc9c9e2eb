"""A site on the database of a platform whose tournaments are played in this process."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from tests.kits import core_kit, pages_kit

from gangland_web.app import create_app
from gangland_web.settings import Settings
from gangland_web.web.limits import Rates


@dataclass
class House:
    platform: core_kit.Platform
    folder: Path

    def __post_init__(self) -> None:
        often = "10000 per hour"
        settings = Settings(self.folder, None, None, None, secret_key="for tests only")
        rates = Rates(*[often] * len(fields(Rates)))
        self.app = create_app(settings, database=self.platform.database, rates=rates)

    def stranger(self) -> pages_kit.Person:
        return pages_kit.Person(self.app.test_client())

    def author(self, name: str, bot: str) -> pages_kit.Person:
        person = self.stranger()
        assert person.sign_up(name).status_code == 303
        self.platform.upload(name, bot, source=f"# {bot}\n".encode())
        self.platform.play_all()
        return person


def a_house(tmp_path: Path, stage: core_kit.Stage | None = None) -> Iterator[House]:
    platform = core_kit.open_platform("sqlite", tmp_path, stage=stage)
    yield House(platform, tmp_path)
    platform.database.close()
