"""What XML cannot hold is taken out of a translation before it is put into a document."""

from __future__ import annotations

import re
from typing import Final

_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def clean(translation: str) -> str:
    """``translation`` with line breaks as newlines and without characters that XML forbids.

    One that is clean comes back itself, its alignment included.
    """
    if "\r" not in translation and not _ILLEGAL.search(translation):
        return translation
    return _ILLEGAL.sub("", re.sub(r"\r\n?", "\n", translation))
