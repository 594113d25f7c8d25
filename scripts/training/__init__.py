"""Training and measuring the shipped language model."""
