"""The tokens and the colors of dice, by their index."""

LAWYER, SPEAKEASY, STREETS, INVESTIGATOR = range(4)
WHITE, RED, BLUE = range(3)
