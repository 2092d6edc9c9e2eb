"""The entry point of `python -m gangland_ladder.cli`, which is the same program as `gangland`."""

from gangland_ladder.cli import main

main()
