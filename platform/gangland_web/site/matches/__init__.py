"""Pages of matches and games."""
