"""The check of one bot, for its author and for the server before the bot may play."""
