"""Archives of tournaments and ladders, and the code that verifies and audits them."""
