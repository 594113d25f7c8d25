"""Run the ``prism`` command where it is not installed: ``python -m flows.command``."""

from flows.command import main

main()
