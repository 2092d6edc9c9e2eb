"""`/api/v1`: the models of `queries` as JSON, and calls by subject."""
