"""The state of an archive: what was read, sent, answered and written, encrypted at rest."""
