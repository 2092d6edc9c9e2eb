"""Play and analyze bots on the author's own machine."""
