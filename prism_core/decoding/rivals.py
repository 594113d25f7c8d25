"""Choice among the places of a word that other words of the sentence may be translated to as well.

Entry: ``Rivals`` of a sentence; then ``find_form`` of each substitute and ``settle`` once found,
and ``mark_doubts`` at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from prism_core.alignment import Span
from prism_core.decoding.ambiguous_entries import list_forms
from prism_core.decoding.decoded import Found, SearchStrategy
from prism_core.decoding.linked import overlap
from prism_core.decoding.target_text import TargetText
from prism_core.decoding.weak import Shown, shown_words
from prism_core.dictionary import Dictionary, Entry
from prism_core.record import Encoded, Replacement


class FormPlace(NamedTuple):
    """Place where a ``form`` of ``entry`` stands."""

    span: Span
    form: str
    entry: Entry


class Rivals:
    """Words of x_pub that are not found yet, by the forms that they may be translated to."""

    def __init__(self, encoded: Encoded, dictionary: Dictionary) -> None:
        self._encoded, self._dictionary = encoded, dictionary
        self._found: set[int] = set()
        self._rivals: dict[int, list[int]] = {}
        """Rivals of each replacement when its place was chosen, by its position."""

    @cached_property
    def _shown(self) -> Sequence[Shown]:
        return shown_words(self._encoded)

    @cached_property
    def _forms(self) -> Sequence[Sequence[str]]:
        """Forms of each of the words of x_pub, in their order."""
        return [self._dictionary.lower_forms(word.text) for word in self._shown]

    def settle(self, position: int) -> None:
        """Note that the place of the replacement at ``position`` is known."""
        self._found.add(position)

    def find_form(self, replacement: Replacement, target: TargetText) -> FormPlace | None:
        """Find the surest form of a substitute; in order, where its place may be another word's.

        As many places precede it as there are words before it that may stand there, if each has a
        place; else the first place of the surest form is chosen.
        """
        places = self._list_places(replacement, target)
        first = next(places, None)
        if first is None or not self._list_rivals(replacement, (first,)):
            return first
        own_form, grammar = first.form.lower(), self._dictionary.function_forms
        further = ((place, place.form.lower()) for place in places)
        found = [first, *(p for p, form in further if form == own_form or form not in grammar)]
        spans = [place.span for place in found]
        found = [  # of two that overlap the longer one
            place
            for place in found
            if not any(
                overlap(place.span, span) and place.span[1] - place.span[0] < span[1] - span[0]
                for span in spans
            )
        ]
        rivals = self._rivals[replacement.position] = self._list_rivals(replacement, found)
        positions = [word.position for word in self._shown]
        if replacement.position not in positions or len(found) != len(rivals) + 1:
            return first
        own = positions.index(replacement.position)
        return sorted(found)[sum(index < own for index in rivals)]

    def mark_doubts(self, found: dict[int, Found | None], target: TargetText) -> None:
        """Mark as found in order each replacement that may have changed places with a rival."""
        records = {replacement.position: replacement for replacement in self._encoded.record}
        for position, rivals in self._rivals.items():
            place, replacement = found[position], records[position]
            if place is not None and place.strategy is SearchStrategy.FORM:
                forms = {text.lower() for text, _ in list_forms(replacement, self._dictionary)}
                word = replacement.word.lower()
                others = (
                    self._list_stands(rival, found, target)
                    for rival in map(self._shown.__getitem__, rivals)
                    if rival.position is None or records[rival.position].word.lower() != word
                )
                if any(map(forms.issuperset, others)):
                    found[position] = place._replace(strategy=SearchStrategy.ORDER)

    def _list_stands(
        self, rival: Shown, found: Mapping[int, Found | None], target: TargetText
    ) -> list[str]:
        """Return the text where ``rival`` stands, or where it may stand if it was kept."""
        if rival.position is not None:
            place = found[rival.position]
            return [] if place is None else [target.text[slice(*place.span)].strip().lower()]
        forms = self._dictionary.lower_forms(rival.text)
        return [form for form in forms if target.find_form((form,))]

    def _list_places(self, replacement: Replacement, target: TargetText) -> Iterator[FormPlace]:
        """Yield the free places of the substitute's forms, the surest form first."""
        seen: set[Span] = set()
        for form, entry in list_forms(replacement, self._dictionary, with_grammar=False):
            spans, _ = target.find_form((form,)) or ((), form)
            for span in spans:
                if span not in seen:
                    seen.add(span)
                    yield FormPlace(span, form, entry)

    def _list_rivals(self, replacement: Replacement, places: Sequence[FormPlace]) -> list[int]:
        """Return the indices of other words that may stand at one of ``places``."""
        forms = {place.form.lower() for place in places}
        away = {replacement.position, *self._found}
        return [
            index
            for index, known in enumerate(self._forms)
            if not forms.isdisjoint(known) and self._shown[index].position not in away
        ]
