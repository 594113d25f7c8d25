"""How much survives a private translation, and how much of it the translator could read."""
