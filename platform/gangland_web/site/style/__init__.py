"""The style page: every part of the design, alive."""
