"""German."""

from __future__ import annotations

from prism_core.languages.base import Language
from prism_core.languages.de.frames import FRAMES, GRAMMAR
from prism_core.languages.de.numbers import DATES, LABELS, NUMBERS
from prism_core.languages.de.words import BOUNDARIES, LINE_ENDS, PLACES, WORDS
from prism_core.resources import SHIPPED

_WORDS = SHIPPED / "data" / "words" / "de"

LANGUAGE = Language(
    code="de",
    name="German",
    other_script="[^\\W\\d_\u0000-\u024f\u1e00-\u1eff]",
    probe="Dies ist ein erster Satz. Hier steht noch einer.",
    words=WORDS,
    dates=DATES,
    numbers=NUMBERS,
    labels=LABELS,
    places=PLACES,
    boundaries=BOUNDARIES,
    line_ends=LINE_ENDS,
    frames=FRAMES,
    grammar=GRAMMAR,
    model=SHIPPED / "data" / "de_prism",
    role_words=_WORDS / "courts_and_clinics.txt",
    names_that_are_words=_WORDS / "names_also_words.txt",
    plain=_WORDS / "plain.txt.gz",
    never_drawn=_WORDS / "never_drawn.txt",
    kept=_WORDS / "kept.txt",
    telling=_WORDS / "telling.txt.gz",
    seldom=_WORDS / "seldom.txt.gz",
    experimental=True,
)
