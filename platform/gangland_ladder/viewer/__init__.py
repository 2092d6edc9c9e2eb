"""Display recorded games: the table at each decision, each seat's view, and descriptions as text."""
