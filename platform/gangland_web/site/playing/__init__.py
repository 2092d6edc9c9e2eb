"""Playing at a table on the site."""
