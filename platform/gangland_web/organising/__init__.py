"""What organisers do: who may, what is ordered, how the record worker carries it out, and the log of it all."""
