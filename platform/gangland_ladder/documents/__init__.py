"""The documents that commands print as JSON: a model each, of which `gangland_ladder.cli.schemas` makes the schema."""
