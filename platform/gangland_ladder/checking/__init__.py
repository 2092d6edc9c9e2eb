"""The check of one bot: what an author and the server see before it may play."""
