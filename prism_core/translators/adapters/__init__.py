"""Adapters: a module for each provider, found by its file name and described by its ``ADAPTER``."""
