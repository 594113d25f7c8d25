"""Mechanisms that draw near words more often (d_X-privacy), for comparison with those of PRISM.

The product finds ``dx`` and ``pup`` by the entry points of this distribution.
"""
