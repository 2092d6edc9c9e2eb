"""`python -m gangland_ladder.cli` is `gangland`."""

from gangland_ladder.cli import main

main()
