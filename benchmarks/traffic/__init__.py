"""A whole site with people on it while bots play: what it answers, how fast, and what that costs the matches."""
