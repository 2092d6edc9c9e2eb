"""What organisers order, and how the record worker carries it out."""
