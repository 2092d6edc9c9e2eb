"""Write the golden games anew: `python -m tests.golden`, from the root of the checkout.  Review the diff."""

import sys

from tests.golden.store import regenerated


def main() -> None:
    for path, text in regenerated().items():
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.name}: {'changed' if changed else 'as before'}, {len(text.encode())} bytes\n")


if __name__ == "__main__":
    main()
