"""Playing and analyzing bots on the author's own machine."""
