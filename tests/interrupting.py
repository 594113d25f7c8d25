"""Starting a program that a test will interrupt."""

import signal


def heed_interrupts() -> None:
    """For ``preexec_fn``: what a shell runs in the background is told to ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
