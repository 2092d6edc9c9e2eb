"""The pages on which a bot is written in the browser."""
