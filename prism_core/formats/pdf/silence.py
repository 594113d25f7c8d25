"""Keeps the libraries from logging what they found in a document."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGERS = ("pdfminer", "pikepdf", "pypdf", "pypdfium2", "reportlab")


@contextmanager
def silent_libraries() -> Iterator[None]:
    """No log record and no warning of the PDF libraries while this lasts."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
