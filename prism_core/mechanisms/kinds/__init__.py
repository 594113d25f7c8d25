"""Mechanisms, one module each: settings, guarantee and draws, exported as ``MECHANISM``.

A module in this folder can be named as ``mechanism.name``; there is no other list.
"""
