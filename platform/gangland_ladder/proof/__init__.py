"""Archives and audits: proof of every recorded fact."""
