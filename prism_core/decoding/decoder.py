"""Decoding of one sentence: replace the translated substitutes by the originals.

Matching is token-exact, longest form first, in source order, by span, and never chained.

Entry: ``decode``; each replacement is found as its kind is written (``find``) -> it claims its span
-> those not found are searched for in compounds, then by near forms -> all originals are written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from prism_core.alignment import Span, put_in
from prism_core.decoding.additions import find_additions
from prism_core.decoding.agreement import reinflect_adjectives, write_before_pronouns
from prism_core.decoding.ambiguous_entries import (
    WORDS,
    capitalise_people,
    count_untranslated,
    find_original_entry,
    fitting_features,
    gained_capital,
    list_forms,
    list_other_number,
    read_as_found,
)
from prism_core.decoding.articles import adjust_articles, find_articles, join_names
from prism_core.decoding.compounds import (
    find_compounds,
    find_in_free,
    split_found,
    write_apart,
)
from prism_core.decoding.decoded import Decoded, Found, SearchStrategy
from prism_core.decoding.linked import is_refuted, overlap
from prism_core.decoding.neighbour_words import add_neighbours, adjust_neighbours
from prism_core.decoding.public_names import put_exonyms
from prism_core.decoding.restored_dates import (
    find_date,
    find_month,
    find_month_between,
    is_date_in_digits,
)
from prism_core.decoding.restored_numbers import find_amount, find_code, spell_amounts
from prism_core.decoding.rivals import Rivals
from prism_core.decoding.target_text import LEAST_GLUED, MOST_GLUED, TargetText
from prism_core.decoding.terms import write_term
from prism_core.decoding.weak import (
    find_between,
    find_by_words,
    find_near_name,
    find_untranslated,
    shown_words,
)
from prism_core.dictionary import (
    CALENDAR_TAGS,
    GLOSSARY,
    LEFT_PREFIX,
    PLACE,
    Dictionary,
    Entry,
    without_accents,
)
from prism_core.mechanisms import in_case_of, own_case
from prism_core.record import Encoded, Kind, Replacement, Surface

_SHAPED = (Kind.CODE, Kind.NUMBER)
_PLAIN = Surface()
_FUTURE = frozenset({"Tense=Fut", "Mood=Cnd"})
"""Features of verb forms in which one letter makes another person: *dirá*, *dirás*."""
_Places = dict[int, Found | None]
"""Place of each replacement by its position; None if it was not found."""


def decode(
    encoded: Encoded,
    answer: str,
    dictionary: Dictionary,
    linked: Mapping[int, Span] | None = None,
    strategies: Collection[SearchStrategy] = tuple(SearchStrategy),
    *,
    paired: Mapping[int, Span] | None = None,
) -> Decoded:
    """Undo ``encoded.record`` in ``answer`` (y_pub) by the methods in ``strategies``.

    ``linked`` gives, by the replacement's position, where the translator says that substitutes
    stand. ``paired`` gives where lost ones stand according to another answer.
    """
    record = encoded.record
    search = _SubstituteSearch(TargetText(answer), dictionary, encoded)
    found = search.find_all(linked or {}, strategies, paired or {})
    join_names(encoded, found, answer)
    adjacent = put_exonyms(encoded, found, search.target, dictionary)
    known = {position: place for position, place in found.items() if place is not None}
    known |= reinflect_adjectives(encoded, known, search.target, dictionary)
    known |= spell_amounts(encoded, known, search.target, dictionary)
    adjacent |= find_articles(record, known, search.target, dictionary)
    adjacent |= adjust_articles(known, search.target, dictionary)
    text, places = put_in(answer, {at: place[:2] for at, place in known.items()} | adjacent)
    untranslated = count_untranslated(record, dictionary)
    added = find_additions(encoded.text, search.target, dictionary)
    return Decoded.of(encoded, answer, known, text, places, untranslated, added)


class _SubstituteSearch:
    """Search for the substitutes of one sentence in its answer, in text that is not claimed yet."""

    def __init__(self, target: TargetText, dictionary: Dictionary, encoded: Encoded) -> None:
        self.target, self._encoded, self._dictionary = target, encoded, dictionary
        self._record = encoded.record
        self._rivals = Rivals(encoded, dictionary)

    def find_all(
        self,
        linked: Mapping[int, Span],
        strategies: Collection[SearchStrategy],
        paired: Mapping[int, Span],
    ) -> _Places:
        """Find the place of every replacement, as far as the methods in ``strategies`` find one.

        Codes and numbers come first, longest first: a short one may stand inside a longer one.
        """
        found: _Places = {}
        record = self._record
        shaped = [replacement for replacement in record if replacement.kind in _SHAPED]
        shaped.sort(key=lambda replacement: -len(replacement.substitute))
        others = [replacement for replacement in record if replacement.kind not in _SHAPED]
        others.sort(key=lambda replacement: replacement.position not in linked)
        for replacement in (*shaped, *others):
            place = self.find_linked(replacement, linked) or self.find(replacement)
            found[replacement.position] = self.claim(replacement, place)
        untranslated = find_untranslated(record, found, self.target, self._dictionary)
        self.claim_places(found, untranslated, SearchStrategy.FORM)
        if None in found.values() and SearchStrategy.NEAR in strategies:
            self.find_all_compounded(found, SearchStrategy.NEAR)
            self.find_all_near(found)
        if None in found.values():
            self.claim_places(found, paired, SearchStrategy.PAIR)
            self.find_all_unsure(found, strategies)
        self._rivals.mark_doubts(found, self.target)
        return found

    def find(self, replacement: Replacement) -> Found | None:
        """Find a substitute by its dictionary forms, or as its kind is written."""
        kind, is_date = replacement.kind, replacement.tag == "DATE"
        wanted = replacement, self.target, self._dictionary
        if is_date and kind is Kind.NUMBER and is_date_in_digits(replacement):
            return find_date(*wanted)
        if kind is Kind.NAME:
            return self._find_name(replacement) or (find_month(*wanted) if is_date else None)
        if kind is Kind.CODE:
            return find_code(*wanted) or (find_month_between(*wanted) if is_date else None)
        return find_amount(*wanted) if kind is Kind.NUMBER else self._find_substitute(replacement)

    def find_linked(self, replacement: Replacement, linked: Mapping[int, Span]) -> Found | None:
        """Find a substitute where the translator says it is; None if that is not credible.

        Numbers, codes and dates have a form of their own and are found by it. A known form inside
        the linked place is used instead of the place, unless it is the smaller part of it.
        """
        span = linked.get(replacement.position)
        has_own_form = replacement.kind in _SHAPED or replacement.tag == "DATE"
        if span is None or has_own_form or not self.target.is_free(span):
            return None
        usual = inside = self.find(replacement)
        if usual is None or not overlap(usual.span, span):
            within = _SubstituteSearch(self.target.only(span), self._dictionary, self._encoded)
            inside = within.find(replacement)
        if inside is not None and 2 * (inside.span[1] - inside.span[0]) > span[1] - span[0]:
            return inside._replace(strategy=SearchStrategy.ALIGNMENT)
        shown, substitute = self.target.text[slice(*span)], replacement.substitute
        known, sent = usual and usual.span, self._encoded.text
        if is_refuted(shown, substitute, known, linked, sent, self._dictionary):
            return None
        return self._replace_at(span, replacement, SearchStrategy.ALIGNMENT)

    def _find_name(self, replacement: Replacement) -> Found | None:
        span = self.target.find_text(self._dictionary.translate_surrogate(replacement.substitute))
        return span and Found(span, self._write_name(replacement))

    def _find_substitute(self, replacement: Replacement) -> Found | None:
        """Find a word; a mark, and a word that the translator does not know, as it was sent."""
        is_left = replacement.drawn_as.startswith(LEFT_PREFIX)  # as a word not known
        if not is_left and any(map(str.isalnum, replacement.substitute)):
            return self._find_word(replacement)
        span = self.target.find_text(replacement.substitute)
        if span is None:
            return None
        shown = self.target.text[slice(*span)]
        entry = find_original_entry(replacement, replacement.tag, self._dictionary)
        if is_left and entry is None and replacement.kind is not Kind.WORD:
            return Found(span, in_case_of(replacement.word, shown))
        text = self._write_original(replacement, shown, entry)
        if is_left:
            return Found(span, add_neighbours(text, entry, self._dictionary))
        if replacement.surface and replacement.surface.apart:
            # A mark stands for a word; translators attach it to the word before it.
            before = self.target.text[: span[0]][-1:].isalnum()
            after = self.target.text[span[1] :][:1].isalnum()
            text = " " * before + text + " " * after
        return Found(span, text)

    def _write_name(self, replacement: Replacement) -> str:
        """Return the original; for a public place its translated name (*Brazil* as *Brasil*)."""
        is_place = replacement.kind is Kind.NAME and replacement.tag == PLACE
        return self._dictionary.name_form(replacement.word) if is_place else replacement.word

    def _find_word(self, replacement: Replacement) -> Found | None:
        found = self._rivals.find_form(replacement, self.target)
        if found is None:
            return None
        place, form, entry = found
        phrases = self._dictionary.phrases_with(entry, form.lower())
        start, end = self.target.find_around(place, phrases)
        shown = self.target.text[start:end]
        whole = form if place == (start, end) else shown.lower()
        if (read := read_as_found(entry, whole, self._dictionary)) is not entry:
            entry, form = read, whole
        original = find_original_entry(replacement, entry.tag, self._dictionary)
        features = fitting_features(entry, form, original, self._encoded.text, self._dictionary)
        text = self._write_original(replacement, shown, original, features)
        here, about = Found((start, end), text, tag=entry.tag), (self._encoded, self._dictionary)
        return adjust_neighbours(here, entry, original, self.target, *about)

    def find_all_compounded(self, found: _Places, strategy: SearchStrategy) -> None:
        """Find lost neighbours that came back as one word; write their originals apart."""
        is_proven, known = strategy is SearchStrategy.NEAR, self._dictionary
        lost = {word.position: word for word in self._record if found[word.position] is None}
        words = [word for word in lost.values() if word.kind in WORDS]
        forms = {
            word.position: [text.lower() for text, _ in list_forms(word, known)] for word in words
        }
        shown = shown_words(self._encoded) if len(words) > 1 else ()
        for places in find_compounds(forms, shown, self.target, is_proven=is_proven):
            for at, span in places.items():
                part = self._replace_at(span, lost[at], strategy)
                if span != max(places.values()):
                    part = part._replace(text=write_apart(part.text, lost[at]))
                found[at] = self.claim(lost[at], part)

    def find_all_near(self, found: _Places) -> None:
        """Find lost substitutes by near forms, and add them to ``found``."""
        lost = [replacement for replacement in self._record if found[replacement.position] is None]
        readings = (list_forms(replacement, self._dictionary) for replacement in lost)
        forms = {without_accents(text.lower()) for texts in readings for text, _ in texts}
        for replacement in lost:
            others = [other for other in lost if other.kind is Kind.NAME and other != replacement]
            names = [self._dictionary.translate_surrogate(other.substitute) for other in others]
            near = self._find_near(replacement, forms, names)
            found[replacement.position] = self.claim(replacement, near)

    def find_all_unsure(self, found: _Places, strategies: Collection[SearchStrategy]) -> None:
        """Find lost substitutes by public translations, then by elimination."""
        encoded, about = self._encoded, (self.target, self._dictionary)
        shown = shown_words(encoded)
        for strategy in (SearchStrategy.ASSOCIATION, SearchStrategy.ELIMINATION):
            if strategy not in strategies:
                continue
            if strategy is SearchStrategy.ELIMINATION:
                self.find_all_compounded(found, strategy)
                find_in_free(encoded, found, *about, self._replace_at)
            for lost in encoded.record:
                at = lost.position
                if found[at] is None and lost.kind in WORDS:
                    if strategy is SearchStrategy.ASSOCIATION:
                        span = find_by_words(lost, shown, self.target, self._dictionary)
                    else:
                        places = {other: place.span for other, place in found.items() if place}
                        span = find_between(at, shown, places, self.target, self._dictionary)
                    if span:
                        found[at] = self.claim(lost, self._replace_at(span, lost, strategy))
            if SearchStrategy.NEAR in strategies:
                split_found(encoded, found, *about, self._replace_at)

    def claim_places(
        self, found: _Places, places: Mapping[int, Span], strategy: SearchStrategy
    ) -> None:
        """Claim the place in ``places`` of each substitute that is not found yet, if it is free."""
        for replacement in self._record:
            span = places.get(replacement.position)
            if found[replacement.position] is None and span and self.target.is_free(span):
                place = self._replace_at(span, replacement, strategy)
                found[replacement.position] = self.claim(replacement, place)

    def _replace_at(self, span: Span, replacement: Replacement, strategy: SearchStrategy) -> Found:
        """Return the original for the text at ``span``, whatever that is."""
        if replacement.kind is Kind.NAME:
            return Found(span, self._write_name(replacement), strategy)
        entry = find_original_entry(replacement, replacement.tag, self._dictionary)
        shown = self.target.text[slice(*span)]
        features = self._features_of(shown, replacement)
        text = self._write_original(replacement, shown, entry, features)
        return Found(span, text, strategy)

    def _find_near(
        self, replacement: Replacement, lost: Collection[str], names: Collection[str]
    ) -> Found | None:
        """Find a form of the substitute in a longer word, or the only free word near one."""
        if replacement.kind not in WORDS:
            if replacement.kind is not Kind.NAME:
                return None
            written = self._dictionary.translate_surrogate(replacement.substitute)
            return find_near_name(written, self._write_name(replacement), names, self.target)
        forms = list_forms(replacement, self._dictionary, with_grammar=False)
        forms += list_other_number(forms, self._dictionary)
        texts = [text.lower() for text, _ in forms]
        least = {
            text.lower(): LEAST_GLUED - (not _FUTURE.isdisjoint(entry.forms.features_of(text)))
            for text, entry in forms
            if entry.tag.startswith("VB")
        }
        language = self._dictionary.target_language
        attaches = language and (language.grammar.enclitics.verbs or language.words.compound_links)
        if self._dictionary.target and not attaches:  # or it is not known what may be attached
            least = dict.fromkeys(texts, MOST_GLUED + 1)
        near = self.target.find_near(texts, lost, least)
        if near is None:
            return None
        span, (form, entry) = near[0], forms[near[1]]
        shown = self.target.text[slice(*span)]
        features = self._features_of(shown, replacement) or entry.forms.features_of(form)
        original = find_original_entry(replacement, entry.tag, self._dictionary)
        text = self._write_original(replacement, shown, original, features, is_near=True)
        text = write_before_pronouns(text, span, self.target, self._dictionary)
        return Found(span, text, strategy=SearchStrategy.NEAR)

    def _write_original(
        self,
        replacement: Replacement,
        shown: str,
        entry: Entry | None,
        features: tuple[str, ...] = (),
        *,
        is_near: bool = False,
    ) -> str:
        """Write the original, which has ``entry``, in the place of ``shown``.

        It is inflected as ``shown``, a form with ``features``, and has its letter case. A noun
        keeps its number unless the form is only near a known one. A word that stands for itself
        stays as the translator wrote it, unless it was not translated.
        """
        word = replacement.word
        if entry is None:
            return shown if replacement.kind is Kind.KEPT else word
        # A substitute written as drawn says nothing of the case of what it stands for.
        is_capitals = len(word) > 1 and word.isupper()  # a translator drops some of a line of them
        keeps_case = is_capitals or replacement.surface is not None
        keeps_case = keeps_case or gained_capital(replacement, shown, self.target.text)
        pattern = own_case(word, self._dictionary.language) if keeps_case else shown
        if entry.translator == GLOSSARY:
            return write_term(entry.inflect(shown.lower(), features), entry, replacement, pattern)
        may_change = is_near or entry.tag[:2] != "NN" or not self._dictionary.is_asked
        kin = self._dictionary.form_index.kin if may_change else None
        is_itself = word.lower() == replacement.substitute.lower() != shown.lower()
        inflected = shown if is_itself else entry.inflect(shown.lower(), features, kin)
        inflected = capitalise_people(inflected, entry.tag, self._dictionary)
        is_date = entry.tag in CALENDAR_TAGS and shown == replacement.substitute
        if is_date and not is_capitals and not self.target.text.startswith(shown):
            readings = list_forms(replacement, self._dictionary)
            known = (t for t, e in readings if e.forms.features_of(t) or len(e.forms) == 1)
            if shown.lower() not in known:  # *in March*: its capital is that of the source
                return inflected
        return in_case_of(inflected, pattern)

    def _features_of(self, shown: str, replacement: Replacement) -> tuple[str, ...]:
        """Return the known features of ``shown``, which is no form of the substitute."""
        return self._dictionary.form_index.features(shown, replacement.drawn_as or replacement.tag)

    def claim(self, replacement: Replacement, found: Found | None) -> Found | None:
        """Claim the place of ``found``, and the blanks that encoding put beside it."""
        if found is None:
            return None
        self._rivals.settle(replacement.position)
        surface = replacement.surface or _PLAIN
        span = self.target.take_with_blanks(found.span, surface.space_before, surface.space_after)
        return found if found.span == span else found._replace(span=span)
