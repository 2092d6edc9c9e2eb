"""What the record worker runs: results, leases that end, audits."""
