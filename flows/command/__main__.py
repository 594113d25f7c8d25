"""``python -m flows.command``: the ``prism`` command where it is not installed."""

from flows.command import main

main()
