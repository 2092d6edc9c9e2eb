"""A script of the repository's own, as a module: scripts/ is no package."""

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
