"""Entries of the user's terms: as given, and inflected as far as the dictionary allows.

No grammar of the target language is written here: its forms are those of the dictionary.

Entry: ``with_terms`` -> ``_Inflector.spellings`` of each term -> ``_make_spelling``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.entry import (
    Entry,
    Form,
    Forms,
    common_start,
    differing,
    without_accents,
)
from prism_core.dictionary.glossary import GLOSSARY, TAG_OF_KIND, Glossary, Spelling, Term, plain

_INFINITIVE = "to "
"""Prefix of a verb in a glossary."""
_LEAST_SHARED = 3
"""Letters that the singular and the plural of a target word share at the start at least."""
_LONGEST_ENDING = 2
"""Letters in which they differ at the end at most."""


def with_terms(dictionary: Dictionary, terms: Sequence[Term]) -> Dictionary:
    """Return ``dictionary`` with a glossary of ``terms`` in place of any other."""
    inflector = _Inflector(dictionary)
    spellings = [spelling for term in terms for spelling in inflector.spellings(term)]
    return dictionary.with_glossary(Glossary(spellings, len(terms), dictionary.find))


class _Inflector:
    """Maker of the entries of terms: as given, and inflected where the dictionary knows how.

    A target agrees as its head does. The head is the first of its words that the dictionary has as
    the translation of a word of the same kind.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._models: dict[tuple[str, str], Entry] = {}
        for entry in sorted(dictionary, key=lambda entry: (entry.confidence, entry.word)):
            if entry.agreement:
                self._models[entry.tag, entry.forms.texts[0].lower()] = entry

    def spellings(self, term: Term) -> Iterator[Spelling]:
        """Yield ``term`` as it is given, then its inflections; none twice."""
        tag = term.kind or self._guess_tag(term)
        if tag == "VB":
            term = replace(term, source=term.source.removeprefix(_INFINITIVE))
        model = self._find_model(tag, term.targets[0])
        alike = model.forms if model else Forms.from_forms(())
        features = alike.features[0] if alike else ()
        forms = [Form(text, 1.0, features) for text in term.targets]
        if alike and alike.texts[0].lower() == term.targets[0].lower():  # its other forms too
            known = {text.lower() for text in term.targets}
            forms += [f._replace(score=0.5) for f in alike if f.features and f.text not in known]
        given = _make_spelling(term.source, tag, forms, model)
        yield given
        seen = {(given.text, tag)}
        inflected = self._inflect_noun(term) if tag == "NN" else self._inflect_verb(term, tag)
        for spelling in inflected:
            if (spelling.text, spelling.entry.tag) not in seen:
                yield spelling

    def _guess_tag(self, term: Term) -> str:
        """Guess the tag of a term without one, from the dictionary's tags of its source.

        The target must be a translation of a word of that tag; else the term is a noun.
        """
        known = [entry.tag for entry in self._dictionary.senses(term.source)]
        tags = [tag for tag in TAG_OF_KIND.values() if tag in known]
        if not known:
            head, *behind = term.source.split()
            is_verb = not behind or self._dictionary.find(head, "VB") or head == _INFINITIVE.strip()
            others = ["JJ", "RB"] if not behind else []
            tags = ["NN", *(["VB"] if is_verb else []), *others]
        fitting = (tag for tag in tags if self._find_model(tag, term.targets[0]) is not None)
        return next(fitting, "NN" if "NN" in tags else known[0])

    def _find_model(self, tag: str, target: str) -> Entry | None:
        """Return a word of ``tag`` that ``target``, its first word or a noun's head translates."""
        words = target.lower().split()
        if not tag.startswith("NN"):
            del words[1:]
        for index, word in enumerate((target.lower(), *words)):
            found = self._models.get((tag, word))
            if found is not None:
                return found
            if index > 1 and word in self._dictionary.function_forms:
                break
        return None

    def _inflect_noun(self, term: Term) -> Iterator[Spelling]:
        """Yield a noun's plural: of the source's head, and of the target as far as it is known."""
        words, language = term.source.split(), self._dictionary.language
        inside = (i for i, word in enumerate(words) if i and language.is_function_word(word))
        head = next(inside, len(words)) - 1
        target = self._make_plural_target(term.targets[0])
        for plural, entry in self._find_plurals(words[head]):
            source = " ".join([*words[:head], plural, *words[head + 1 :]])
            text, model = target or (term.targets[0], entry)
            features = target[1].forms.features[0] if target else ()
            yield _make_spelling(source, "NNS", [Form(text, 1.0, features)], model)

    def _find_plurals(self, noun: str) -> Iterator[tuple[str, Entry | None]]:
        """Yield the plural of ``noun`` that the dictionary knows; else by rule, if it is plain."""
        if not noun[-1:].isalpha() or self._dictionary.language.is_function_word(noun):
            return
        has_y = noun[-1:] == "y" and noun[-2:-1] not in "aeiou"
        of_y = [noun[:-1] + "ies"] if has_y else []
        for plural in (*of_y, noun + "s", noun + "es"):
            if entry := self._dictionary.find(plural, "NNS"):
                yield plural, entry
                return
        if not (has_y or noun.endswith(("s", "x", "ch", "sh"))):
            yield noun + "s", None

    def _make_plural_target(self, target: str) -> tuple[str, Entry] | None:
        """Return ``target`` in the plural, with the plural of its head; None if it is not known.

        Words after a function word stay: *infartos de miocardio*.
        """
        model = self._find_model("NN", target)
        if model is None:
            return None
        singular = model.forms.texts[0]
        least = min(_LEAST_SHARED, len(singular))
        plurals = (entry for _, entry in self._find_plurals(model.word) if entry is not None)
        alike = (p for p in plurals if common_start(p.forms.texts[0], singular) >= least)
        plural = next(alike, None)
        if plural is None:
            return None
        head = plural.forms.texts[0]
        if target.lower() == singular:
            return head, plural
        words = target.split()
        for index, word in enumerate(words):
            lower = word.lower()
            written = head if lower == singular else self._find_plural_adjective(lower)
            if written is None:
                if lower in self._dictionary.function_forms:
                    break
                return None
            words[index] = written.capitalize() if word[:1].isupper() else written
        return " ".join(words), plural

    def _find_plural_adjective(self, word: str) -> str | None:
        """Return the plural of an adjective (or participle) in the form ``word``, of its gender."""
        for entry, features in self._adjective_forms.get(word, ()):
            for text, other in zip(entry.forms.texts, entry.forms.features, strict=True):
                shared = common_start(without_accents(text), without_accents(word))
                is_same = max(len(text), len(word)) - shared <= _LONGEST_ENDING
                is_plural = "Number=Plur" in other and differing(features, other) <= {"Number"}
                if is_same and is_plural and text != word:
                    return text
        return None

    @cached_property
    def _adjective_forms(self) -> dict[str, list[tuple[Entry, tuple[str, ...]]]]:
        """Each form of an adjective or participle, with the entries that have it."""
        found: dict[str, list[tuple[Entry, tuple[str, ...]]]] = defaultdict(list)
        for entry in self._dictionary:
            for form in entry.forms if entry.tag in ("JJ", "VBN") else ():
                found[form.text.lower()].append((entry, form.features))
        return found

    def _inflect_verb(self, term: Term, tag: str) -> Iterator[Spelling]:
        """Yield the other inflections of a verb, as far as they are known of source and target."""
        head, _, rest = term.source.partition(" ")
        word, _, behind = term.targets[0].partition(" ")
        own, model = self._dictionary.find(head, "VB"), self._find_model("VB", word)
        if tag != "VB" or own is None or model is None:
            return
        kin = self._dictionary.form_index.kin
        theirs = {entry.tag: entry for entry in kin(model)}
        for entry in kin(own):
            like = theirs.get(entry.tag)
            if like is not None and entry.tag != "VB":
                forms = [f._replace(text=f"{f.text} {behind}".strip()) for f in like.forms]
                yield _make_spelling(f"{entry.word} {rest}".strip(), entry.tag, forms, like)


def _make_spelling(source: str, tag: str, forms: Iterable[Form], model: Entry | None) -> Spelling:
    text = plain(source)
    agreement = model.agreement if model else ""
    return Spelling(text, Entry(text, tag, forms, agreement, 1.0, 0.0, GLOSSARY, "glossary"))
