"""Archives and audits: proofs of every recorded fact."""
