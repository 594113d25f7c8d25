"""The stages of a run: plain functions over the state store, each in its own module.

A stage is given the job and ids, returns counts, and keeps everything else in the store, so that
it can run as a plain call, in another thread or in another process. It raises a ``PrismError``
without any context, or nothing: whatever surrounds a call may record its parameters, its result
and its exception.
"""
