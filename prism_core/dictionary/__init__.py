"""Word dictionaries: entries and forms, their file, and the builder that asks a translator."""
