"""What happens to bots, matches, ratings and tournaments, without HTML; `jobs` is what the record worker runs."""
