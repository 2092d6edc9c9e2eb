"""Tables at which persons play: opening, answering, asking the bots, and taking in what they answered."""
