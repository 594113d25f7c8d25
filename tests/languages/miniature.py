"""A miniature source language, which shows that nothing but its data file is needed."""

from pathlib import Path

from prism_core.languages import load_language

FOLDER = Path(__file__).parent / "xx"
XX = load_language("xx", FOLDER)
