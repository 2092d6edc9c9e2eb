"""`gangland admin` on a platform's database, in the tests' own process."""

from tests.kits.command_kit import Ran, run_main
from tests.kits.core_kit import Platform

from gangland_web.ops.admin import main


def admin(platform: Platform, *words: object, group: str = "tournament") -> Ran:
    """Run `gangland admin` on the platform's database, in this process."""
    return run_main(main, "gangland admin", group, *words, DATABASE_URL=platform.database.url)
