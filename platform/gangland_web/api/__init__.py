"""The JSON API at `/api/v1`: calls by subject, which return the models of `queries`."""
