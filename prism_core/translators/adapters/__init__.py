"""One module for each provider, found by its file name; what it states is its ``ADAPTER``."""
