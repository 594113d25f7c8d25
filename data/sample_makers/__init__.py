"""The documents of the sample archive, one module each: what they say and how they are laid out."""
