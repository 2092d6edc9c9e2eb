"""Pages of accounts: sign in, sign up, tokens."""
