"""What an adversary who knows everything but the key can infer from an encoded archive."""
