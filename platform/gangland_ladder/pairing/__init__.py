"""Who plays whom: round robin, balanced samples, matchmaking."""
