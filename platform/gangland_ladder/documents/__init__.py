"""Models of the JSON that commands print; `gangland_ladder.cli.schemas` generates their schemas."""
