"""Charts as markup."""
