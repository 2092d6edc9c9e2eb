"""Choose the bots for each match: round robins, balanced samples, and matchmaking."""
