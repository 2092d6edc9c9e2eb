"""Pages of tournaments and events."""
