"""Numbers that a state issues, and streets and towns as they are written there.

``data/identifiers`` has a table for each language whose texts are read. Numbers that are recognised
in any text (IBAN, NIR, KVNR, Steuer-ID, current plates, telephones) are among the ``shapes`` and
``phones``; those that a word before them names (*RG*, *Az.*, *Police*) are in ``data/words``.
"""

from __future__ import annotations

from prism_core.identifiers.shape_tables import CountryDetector
from prism_core.languages import Language
from prism_core.resources import shipped_identifiers

_APART = frozenset({"es"})
"""Languages whose state has a detector of its own, since its addresses are read otherwise."""


class StateDetector(CountryDetector):
    """Detector of the state whose language the texts are in, by its table."""

    order = 35

    def __init__(self, language: Language) -> None:
        table = shipped_identifiers() / f"{language.code}.toml"
        super().__init__(language, is_read=language.code not in _APART and table.exists())


DETECTOR = StateDetector
