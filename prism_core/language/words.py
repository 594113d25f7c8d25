"""The closed classes of English: words that are kept, since they carry grammar and name nobody.

A word that is not in this list and not in the dictionary never leaves the machine, whatever the
tagger makes of it; so the list is fixed, public and short, and no tag can widen it. Beside them
stand the months and the days of the week.
"""

from __future__ import annotations

from typing import Final

TITLES = frozenset("mr mrs ms miss dr prof sir".split())
"""Forms of address are kept too: a translator inflects what follows by them."""

FUNCTION_WORDS = TITLES | frozenset(
    """
    a an the this that these those each every either neither some any no none all both half such
    another other others same own several many much more most few fewer less least enough
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves one oneself
    who whom whose which what whoever whatever whichever someone somebody something anyone anybody
    anything everyone everybody everything nobody nothing there here
    be am is are was were been being 's 're 'm ’s ’re ’m have has had having 've 'd ’ve ’d
    do does did doing done will would shall should can could may might must ought 'll ’ll wo ca sha
    need dare used let not n't n’t never nor to
    about above across after against along amid among around as at before behind below beneath
    beside besides between beyond but by concerning despite down during except for from in inside
    into like near of off on onto out outside over past per regarding since than through throughout
    till toward towards under underneath unlike until up upon versus via with within without
    and or so yet if unless because although though while whereas whether once when whenever where
    wherever why how however therefore thus hence otherwise moreover furthermore nevertheless
    also too very just only even still already again ever then now rather quite almost perhaps
    maybe indeed instead yes please o'clock etc
    """.split()
)
"""In lower case, contractions as the tokenizer splits them."""


def is_function_word(token: str) -> bool:
    """Whether ``token`` (any case) is kept for its grammar."""
    return token.lower() in FUNCTION_WORDS


MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS: Final = (
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
)
