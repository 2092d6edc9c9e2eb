"""The documents that commands print as JSON, one model each; `gangland_ladder.cli.schemas` makes their schemas."""
