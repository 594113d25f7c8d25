"""Variants of a training text: other letter case, names nobody has.

A model that has met only well-edited text with well-known people misses what an archive holds:
headings in capitals, careless mail in lower case, and names that are in no newspaper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from unicodedata import combining, normalize

from spacy.tokens import Doc
from spacy.vocab import Vocab

from prism_core.language.boundaries import use_plain_characters

_ONSETS = "b br c ch d dr f fr g gr h j k kr l m n p pr qu r s sch sh st t tr v w z zh".split()
_NUCLEI = "a e i o u ai au ea ee ei ie io ou y á é ö ü".split()
_CODAS = ["", "", "ck", "d", "l", "ll", "m", "n", "nd", "ng", "r", "rd", "s", "sen", "tz", "x"]


@dataclass(frozen=True)
class TaggedText:
    """The columns of an annotated text; all have one entry a token."""

    words: list[str]
    spaces: list[bool]
    tags: list[str]
    pos: list[str]
    morphs: list[str]
    lemmas: list[str]
    starts: list[bool | int | None]
    entities: list[str]

    @classmethod
    def of(cls, doc: Doc) -> TaggedText:
        """Copy the annotation of ``doc``, its words as a tagger is shown them."""
        named = doc.has_annotation("ENT_IOB")  # else nobody has looked for names
        return cls(
            words=[use_plain_characters(token.text) for token in doc],
            spaces=[bool(token.whitespace_) for token in doc],
            tags=[token.tag_ for token in doc],
            pos=[token.pos_ for token in doc],
            morphs=[str(token.morph) for token in doc],
            lemmas=[use_plain_characters(token.lemma_) for token in doc],
            starts=[token.is_sent_start for token in doc],
            entities=[_iob(token.ent_iob_, token.ent_type_) for token in doc]
            if named
            else [""] * len(doc),
        )

    def doc(self, vocab: Vocab) -> Doc:
        """The same text as a spaCy document."""
        return Doc(
            vocab,
            words=self.words,
            spaces=self.spaces,
            tags=self.tags,
            pos=self.pos,
            morphs=self.morphs,
            lemmas=self.lemmas,
            sent_starts=self.starts,
            ents=self.entities,
        )


def vary(text: TaggedText, rng: Random) -> TaggedText:
    """A random variant of ``text``, itself about half the time."""
    if rng.random() < 0.35:
        text = with_invented_names(text, rng)
    draw = rng.random()
    if draw < 0.08:
        return replace(text, words=[word.lower() for word in text.words])
    if draw < 0.14:
        return replace(text, words=[word.upper() for word in text.words])
    return text


def vary_accents(text: TaggedText, rng: Random) -> TaggedText:
    """A random variant of ``text``, in one of eight without accents."""
    text = vary(text, rng)
    if rng.random() >= 0.125:
        return text
    return replace(text, words=[_bare(word) for word in text.words])


def _bare(word: str) -> str:
    """``word`` as it is typed in haste; never empty."""
    return "".join(c for c in normalize("NFD", word) if not combining(c)) or word


def with_invented_names(text: TaggedText, rng: Random) -> TaggedText:
    """Put a made-up word for each capitalised word of a person's, or now and then a place's, name.

    One name of the text stays one name.
    """
    invented: dict[str, str] = {}
    words, lemmas = list(text.words), list(text.lemmas)
    for index, entity in enumerate(text.entities):
        chance = {"PER": 0.8, "LOC": 0.3, "ORG": 0.15}.get(entity[2:], 0.0)
        word = text.words[index]
        if text.tags[index] != "NNP" or not (word.istitle() and word.isalpha() and len(word) > 1):
            continue
        if word not in invented:
            invented[word] = invented_name(rng) if rng.random() < chance else word
        if invented[word] != word:
            words[index] = lemmas[index] = invented[word]
    return replace(text, words=words, lemmas=lemmas)


def invented_name(rng: Random) -> str:
    """A capitalised word of one to three syllables, such as no list of names holds."""
    syllables = rng.choice((1, 2, 2, 2, 3))
    parts = [rng.choice(_ONSETS) + rng.choice(_NUCLEI) for _ in range(syllables)]
    return ("".join(parts) + rng.choice(_CODAS)).capitalize()


def _iob(iob: str, label: str) -> str:
    return f"{iob}-{label}" if iob in ("B", "I") else "O"
