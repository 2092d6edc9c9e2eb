"""The strength of the house bots, and the weights of the Gangster Dice boss."""
