"""Import a script of the repository as a module, because scripts/ is not a package."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def loaded_script(root: Path, name: str, folder: str = "scripts") -> ModuleType:
    if name not in sys.modules:
        spec = spec_from_file_location(name, root / folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


# The examples of a page of the documentation.


ROOT = Path(__file__).resolve().parents[2]

PAGES = ("README.md", "docs/write-a-bot.md", "docs/local-play.md")

FENCE = re.compile(r"^```python (?P<name>\w+\.py)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> dict[str, str]:
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in PAGES]
    return {found["name"]: found["code"] for page in pages for found in FENCE.finditer(page)}
