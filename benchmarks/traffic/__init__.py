"""Load a whole site with visitors while bots play: measure responses, their times, and the cost for the matches."""
