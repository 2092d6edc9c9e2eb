"""Tables for people: views, questions and stories, and the bots in the other seats."""
