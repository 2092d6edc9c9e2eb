"""Entry point of `python -m gangland_ladder.cli`, which is the same as `gangland`."""

from gangland_ladder.cli import main

main()
