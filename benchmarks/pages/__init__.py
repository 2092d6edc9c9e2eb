"""How fast the real web processes answer, over a filled database."""
