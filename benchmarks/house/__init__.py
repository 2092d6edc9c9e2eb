"""How strong the house bots are, and where the weights of the Gangster Dice boss come from."""
