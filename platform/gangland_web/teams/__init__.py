"""Teams: people who share bots, and count as one owner."""
