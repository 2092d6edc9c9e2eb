"""Records of ladders: counted as ratings are, in the order of matches, a batch at a time."""
