"""Mechanisms for comparison with those of PRISM: nested, mixture, and PRISM* without decoding.

The product finds each by the entry points of this distribution.
"""
