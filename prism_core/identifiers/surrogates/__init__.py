"""What stands for identifiers: of the same shape, found again by decoding."""
