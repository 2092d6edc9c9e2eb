"""The API: `/api/v1`, which a token opens, and never a cookie."""
