"""A whole site with visitors while bots play: its responses, their times, and the cost for the matches."""
