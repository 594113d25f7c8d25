"""English."""

from __future__ import annotations

from prism_core.languages.base import Language
from prism_core.languages.en.frames import FRAMES, GRAMMAR
from prism_core.languages.en.numbers import DATES, LABELS, NUMBERS
from prism_core.languages.en.words import BOUNDARIES, LINE_ENDS, PLACES, WORDS
from prism_core.resources import SHIPPED

LANGUAGE = Language(
    code="en",
    name="English",
    other_script="[^\\W\\d_\u0000-\u024f\u1e00-\u1eff]",
    probe="This is a first sentence. Here is another one.",
    words=WORDS,
    dates=DATES,
    numbers=NUMBERS,
    labels=LABELS,
    places=PLACES,
    boundaries=BOUNDARIES,
    line_ends=LINE_ENDS,
    frames=FRAMES,
    grammar=GRAMMAR,
    model=SHIPPED / "data" / "en_prism",
    role_words=SHIPPED / "data" / "words" / "courts_and_clinics.txt",
    names_that_are_words=SHIPPED / "data" / "names" / "also_words.txt",
    plain=SHIPPED / "data" / "words" / "plain.txt.gz",
    never_drawn=SHIPPED / "data" / "words" / "never_drawn.txt",
    kept=SHIPPED / "data" / "words" / "kept.txt",
    telling=SHIPPED / "data" / "words" / "telling.txt.gz",
    seldom=SHIPPED / "data" / "words" / "seldom.txt.gz",
    peoples=SHIPPED / "data" / "words" / "peoples.txt.gz",
)
