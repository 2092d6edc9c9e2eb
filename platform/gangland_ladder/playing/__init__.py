"""Tables where people play: their views, questions and stories, and the bots in the other seats."""
