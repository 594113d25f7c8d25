"""Detector that asks the pattern recognisers of Presidio (optional extra ``presidio``).

It uses patterns and check digits alone: no language model is loaded or fetched, and nothing is
looked up on the network. Addresses, dates and telephone numbers are left to the built-in detectors,
which translate months and need no list of domains.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prism_core.errors import ConfigurationError
from prism_core.identifiers.base import Detection, Detector, Strength

LEAST_SCORE = 0.5
"""Lowest score of Presidio that counts; below it a match is no more than a number of that length.
"""
CHECKED_SCORE = 1.0
"""Score that Presidio gives to a match whose check digits are right."""
_OWN = frozenset({"DATE_TIME", "EMAIL_ADDRESS", "URL", "PHONE_NUMBER"})
_LABELS: Mapping[str, str] = {
    "CREDIT_CARD": "CARD",
    "IBAN_CODE": "IBAN",
    "CRYPTO": "ACCOUNT",
    "ABA_ROUTING_NUMBER": "ACCOUNT",
    "US_BANK_NUMBER": "ACCOUNT",
    "IP_ADDRESS": "IP",
    "MAC_ADDRESS": "MAC",
    "UK_POSTCODE": "POSTCODE",
    "US_MBI": "PLAN",
    "AU_MEDICARE": "PLAN",
}
_LABELS_BY_PART: Mapping[str, str] = {
    "VEHICLE": "VEHICLE",
    **dict.fromkeys("LICENSE PASSPORT VAT NPI GSTIN ABN ACN UEN BRN".split(), "LICENCE"),
}
"""Labels of other entities, by a part of their name."""
_NATIONAL = (
    "US_SSN US_ITIN UK_NHS UK_NINO ES_NIE ES_NIF FI_PERSONAL_IDENTITY_CODE IT_FISCAL_CODE "
    "IT_IDENTITY_CARD PL_PESEL IN_AADHAAR IN_PAN IN_VOTER KR_RRN KR_FRN NG_NIN SG_NRIC_FIN "
    "TH_TNIN AU_TFN"
).split()


class PresidioDetector(Detector):
    """Detector that asks ``recognizers`` (Presidio's ``PatternRecognizer``) about every text."""

    def __init__(self, recognizers: Sequence[Any]) -> None:
        self._recognizers = recognizers

    @classmethod
    def load(cls) -> PresidioDetector:
        """Load all pattern recognisers that are installed.

        Raises ConfigurationError if Presidio is not installed.
        """
        try:
            from presidio_analyzer import PatternRecognizer, predefined_recognizers
        except ImportError:
            raise ConfigurationError(
                "identifiers.presidio is on, but Presidio is not installed: "
                "pip install 'prism-translate[presidio]', or switch it off."
            ) from None
        logging.getLogger("presidio-analyzer").setLevel(logging.CRITICAL)  # no text in any log
        named = (getattr(predefined_recognizers, name) for name in predefined_recognizers.__all__)
        kinds: list[Any] = [recognizer for recognizer in named if isinstance(recognizer, type)]
        found = [kind() for kind in kinds if issubclass(kind, PatternRecognizer)]
        return cls(
            [
                recognizer
                for recognizer in found
                if not _OWN.intersection(recognizer.supported_entities)
            ]
        )

    def find(self, text: str) -> Iterator[Detection]:
        """Yield each match to which Presidio gives a score of at least ``LEAST_SCORE``."""
        for recognizer in self._recognizers:
            for result in recognizer.analyze(text, recognizer.supported_entities, None):
                if result.score >= LEAST_SCORE:
                    checked = result.score >= CHECKED_SCORE
                    strength = Strength.CHECKED if checked else Strength.SHAPED
                    entity = result.entity_type
                    parts = (label for part, label in _LABELS_BY_PART.items() if part in entity)
                    label = "NATIONAL_ID" if entity in _NATIONAL else next(parts, "")
                    label = label or _LABELS.get(entity, "CODE")
                    yield Detection(result.start, result.end, label, strength)


def load_optional_detectors(*, presidio: bool) -> tuple[Detector, ...]:
    """Load the detectors that the settings add to the built-in ones. Raises ConfigurationError."""
    return (PresidioDetector.load(),) if presidio else ()
