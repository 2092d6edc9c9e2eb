"""Name something that is no bot."""

BOT = 17
