"""The mechanisms, one module each: its settings, its guarantee, its draws, all as ``MECHANISM``.

A module that is put here can be named as ``mechanism.name``; nothing lists it a second time.
"""
