"""Building dictionaries: from a translator, a corpus, a glossary."""
