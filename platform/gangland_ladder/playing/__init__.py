"""Tables at which persons sit: what each sees and is asked, and the bots in the other seats."""
