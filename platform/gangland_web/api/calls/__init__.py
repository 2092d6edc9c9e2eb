"""The calls of the API, by subject: each with its models, declared where it is answered."""
