"""Text with looks, as all formats read and write it: lines of runs, and words placed in them.

A format reads a paragraph into a ``Line``: runs of text with a look, breaks, and anchors that text
moves around. It asks where the words of a translation go, and writes what it is told into its own
file. ``place`` does one line, ``fit`` a paragraph with breaks, ``nested`` lines whose looks are
elements within elements (HTML, Markdown).
"""

from prism_core.formats.text.fit import fit
from prism_core.formats.text.model import (
    ANCHOR,
    Anchor,
    Break,
    Group,
    Line,
    Loss,
    Placed,
    Placement,
    Run,
    clean,
    has_words,
    unite,
)
from prism_core.formats.text.place import place, place_groups

__all__ = [
    "ANCHOR",
    "Anchor",
    "Break",
    "Group",
    "Line",
    "Loss",
    "Placed",
    "Placement",
    "Run",
    "clean",
    "fit",
    "has_words",
    "place",
    "place_groups",
    "unite",
]
