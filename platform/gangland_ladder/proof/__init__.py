"""Archives of tournaments and ladders, and proofs and audits of the facts recorded in them."""
