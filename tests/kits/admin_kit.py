"""Run `gangland admin` on a platform's database, in the process of the tests."""

from tests.kits import command_kit, core_kit

from gangland_web.ops.admin import main


def admin(platform: core_kit.Platform, *words: object, group: str = "tournament") -> command_kit.Ran:
    return command_kit.run_main(main, "gangland admin", group, *words, DATABASE_URL=platform.database.url)
