"""The identifiers of a document by class: recognised, replaced, and left in what was sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from prism_core.encoding import Encoder
from prism_core.identifiers import DenyList, detected, replaced
from prism_core.record import Encoded
from prism_core.report import IdentifierRow
from prism_core.settings import IdentifierClass


class IdentifierTally:
    """Adds up over the sentences of one document, repeats included.

    What is left is looked for in each text that was sent, as it is stored, against everything that
    the archive knows by now: also a name that was learned after the text had gone. Of a sentence
    that went out in several encodings, the last is the one that is stored. Where the encoder looks
    for no identifiers, nothing is known and nothing is counted.
    """

    def __init__(self, encoder: Encoder, deny_list: DenyList) -> None:
        self._encoder, self._deny_list = encoder, deny_list
        self._knows = encoder.looks_for_identifiers
        self._detected: Counter[IdentifierClass] = Counter()
        self._replaced: Counter[IdentifierClass] = Counter()
        self._remaining: Counter[IdentifierClass] = Counter()

    def add(self, encoded: Encoded, *, sent: bool) -> None:
        """Count one occurrence of a sentence; ``sent`` says whether anything of it ever was."""
        if not self._knows:
            return
        self._detected.update(detected(encoded))
        if sent:
            self._replaced.update(replaced(encoded))
            self._remaining.update(self._encoder.remaining(encoded, self._deny_list))

    @property
    def detected(self) -> int | None:
        """Of all classes; None when nobody looked."""
        return self._detected.total() if self._knows else None

    @property
    def replaced(self) -> int | None:
        """Of all classes; None when nobody looked."""
        return self._replaced.total() if self._knows else None

    @property
    def remaining(self) -> int | None:
        """Of all classes; None when nobody looked."""
        return self._remaining.total() if self._knows else None

    def rows(self, run: str, document: str) -> Iterator[IdentifierRow]:
        """One row a class that there is anything of, in the order of the rule."""
        for one in IdentifierClass:
            if self._detected[one] or self._remaining[one]:
                yield IdentifierRow(
                    run_id=run,
                    document_id=document,
                    identifier_class=one.value,
                    detected=self._detected[one],
                    replaced=self._replaced[one],
                    remaining=self._remaining[one],
                )
