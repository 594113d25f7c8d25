"""The language model: texts in, sentences of tagged tokens out, and every byte accounted for.

Entry: ``LanguageModel.load``, then ``annotate``: texts are cut to segments, spaCy annotates the view
of each (``_columns``), and ``_sentences`` tiles the text with tokens.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from operator import add
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

import spacy
from spacy.attrs import (
    ENT_TYPE,
    IDX,
    IS_SPACE,
    LANG,
    LEMMA,
    LENGTH,
    LOWER,
    MORPH,
    NORM,
    PREFIX,
    SENT_START,
    SHAPE,
    SUFFIX,
    TAG,
)
from spacy.language import Language as Pipeline
from spacy.strings import StringStore
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc

from prism_core.errors import ConfigurationError
from prism_core.language.boundaries import (
    DASHES,
    LONGEST_SENTENCE,
    BoundaryRules,
    Guess,
    split_long,
)
from prism_core.language.entity_pass import EntityPass, replace_recognizer
from prism_core.language.matrices import one_thread, use_openblas
from prism_core.language.noun_tags import correct_noun_tags
from prism_core.language.pipeline import describe_missing, read_version
from prism_core.language.reanalysis import use_readings
from prism_core.language.segmentation import Segment, lowercase_headline, split_segments
from prism_core.language.sentence import Sentence, Token, penn_tag
from prism_core.language.tok2vec_pass import replace_tok2vec
from prism_core.languages import load_language

# The side of a quotation mark, which the view does not show.
_QUOTE_TAGS = {"“": "``", "”": "''"}
# What the pipelines that can be installed call the three classes of names.
_ENTITIES = {
    "PER": "PER",
    "PERSON": "PER",
    "ORG": "ORG",
    "NORP": "ORG",
    "LOC": "LOC",
    "GPE": "LOC",
    "FAC": "LOC",
}
_WITH_PRONOUNS = "-CL"
"""How the tag of a verb ends that pronouns are written to."""
_COLUMNS = [IDX, LENGTH, TAG, LEMMA, MORPH, ENT_TYPE, SENT_START]
_LEMMAS = {"token.lemma", "token.morph", "token.pos"}
"""What a component that a model without lemmas does not need gives."""
_LEARNED = {"tok2vec", "tagger", "morphologizer", "trainable_lemmatizer", "senter", "parser", "ner"}
_READ_BY_LEARNED = {LOWER, NORM, PREFIX, SUFFIX, SHAPE, IS_SPACE, LANG}
"""Attributes of a word as such that learned components, or the tokenizer, may read."""

# One memory zone: long enough to spread the cost of clearing what spaCy kept, short enough for a
# thread that waits its turn, or to fork, to wait about a second.
_ZONE_CHARACTERS = 60_000
_ZONE_TEXTS = 1_000
_BATCH = 256
"""Views that spaCy computes at a time: with more, more words come again, and memory grows."""


_Affix = TypeVar("_Affix")


class _Columns(NamedTuple):
    """What the pipeline says of the tokens of one view, a column each; offsets are the view's."""

    starts: list[int]
    ends: list[int]
    tags: list[str]
    lemmas: list[str]
    morphs: list[str]
    entities: list[str]
    begins: list[bool]


class LanguageModel:
    """A spaCy pipeline behind plain data.

    Whatever the text, the sentences of it joined give it back, byte for byte; after a newline, a
    tab or another control that ends a line stands a sentence boundary. Nothing of a text stays in
    memory once its sentences are given back. One model may be used by several threads, one at a
    time, and by child processes forked while it is loaded; pickled, it is loaded again by name.
    """

    def __init__(
        self,
        nlp: Pipeline,
        source: str,
        name: str | None = None,
        *,
        lemmas: bool = True,
        entities: EntityPass | None = None,
    ) -> None:
        self._nlp = nlp
        self._entities = entities
        self._language = load_language(source)
        self._rules = BoundaryRules(self._language)
        self._verb = re.compile(f"(?i:{self._language.grammar.verb_with_pronouns})")
        self._load_again = partial(LanguageModel.load, source, name, lemmas=lemmas)
        self._lock = threading.Lock()
        self.version = read_version(Path(nlp.path))
        # A child must not inherit a lock that is held or a vocabulary in the middle of a batch.
        os.register_at_fork(
            before=self._lock.acquire,
            after_in_parent=self._lock.release,
            after_in_child=self._lock.release,
        )

    @classmethod
    def load(cls, source: str, name: str | None = None, *, lemmas: bool = True) -> LanguageModel:
        """Load the pipeline that ships for ``source``, or the spaCy pipeline installed or stored
        as ``name``.

        Without ``lemmas`` its tokens have neither lemma nor features, which encoding does not read,
        and the components that find them do not run.

        Raises ConfigurationError when there is none or it lacks tags or sentence boundaries, or
        PRISM does not know the language ``source``.
        """
        language = load_language(source)
        try:
            nlp = spacy.load(language.model if name is None else name)
        except (OSError, ValueError, ImportError):
            raise ConfigurationError(describe_missing(name)) from None
        _leave_out_unread(nlp, lemmas=lemmas)
        if name is None:
            _spare_plain_words(nlp)
        with one_thread():
            use_readings(nlp)
            fast = use_openblas(nlp) and replace_tok2vec(nlp, language.probe)
            entities = replace_recognizer(nlp, language.probe) if fast else None
            probe = nlp(language.probe)
        for annotation, wanted in (("TAG", "part-of-speech tags"), ("SENT_START", "sentences")):
            if not probe.has_annotation(annotation):
                raise ConfigurationError(
                    f"The spaCy pipeline {name or language.model.name!r} gives no {wanted}; "
                    "name one with a tagger and a senter or parser, or none for the one that "
                    "comes with PRISM."
                )
        for word in nlp.meta.get("frequent_words", ()):
            nlp.make_doc(word)  # outside a memory zone the tokenizer keeps what it has read
        return cls(nlp, source, name, lemmas=lemmas, entities=entities)

    def sentences(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of one paragraph."""
        return next(self.annotate([text]))

    def retag(self, sentence: Sentence) -> Sentence:
        """The same tokens, annotated anew from nothing but their surfaces and white space."""
        shown = [token for token in sentence.tokens if token.text.strip()]
        if not shown:
            return sentence
        words = [token.text for token in shown]
        gaps = [token.whitespace for token in shown]
        with self._lock, one_thread(), self._nlp.memory_zone():
            doc = Doc(self._nlp.vocab, words=words, spaces=[gap != "" for gap in gaps])
            (doc,) = self._with_entities([self._nlp(doc)])
            columns = _copy(doc, _Strings(doc.vocab.strings))
        annotated = iter(_tokens(words, gaps, columns))
        return Sentence(
            tuple(next(annotated) if token.text.strip() else token for token in sentence.tokens)
        )

    def annotate(self, texts: Iterable[str]) -> Iterator[tuple[Sentence, ...]]:
        """The sentences of each text, one paragraph each, in order; read ahead by a batch."""
        for batch in _batches(texts):
            segments = [list(split_segments(text)) for text in batch]
            views = self._columns(
                [
                    lowercase_headline(segment.view, self._language)
                    for segments_of_text in segments
                    for segment in segments_of_text
                ]
            )
            for text, segments_of_text in zip(batch, segments, strict=True):
                found: list[Sentence] = []
                for segment in segments_of_text:
                    found += _sentences(text, segment, next(views), self._rules)
                apart = map(self._split_pronouns, found)
                yield tuple(correct_noun_tags(sentence, self._language) for sentence in apart)

    def __reduce__(self) -> tuple[object, ...]:
        return self._load_again, ()

    def _split_pronouns(self, sentence: Sentence) -> Sentence:
        """Verbs (``VB-CL``, or by their accent) apart from the pronouns written to them: each is a
        word by itself."""
        enclitics = self._language.grammar.enclitics
        accented = {
            place: parts
            for place, token in enumerate(sentence.tokens if enclitics.verbs else ())
            if (parts := enclitics.split(token.text)) is not None
        }
        if not accented and not any(one.tag.endswith(_WITH_PRONOUNS) for one in sentence.tokens):
            return sentence
        tokens: list[Token] = []
        for place, token in enumerate(sentence.tokens):
            if place in accented:
                tag, (verb, *pronouns) = accented[place]
                tokens.append(Token(verb, "", tag, enclitics.bare(verb.lower())))
                tokens += [Token(one, "", "PRP", one.lower()) for one in pronouns]
                tokens[-1] = tokens[-1]._replace(whitespace=token.whitespace)
                continue
            written = token.tag.endswith(_WITH_PRONOUNS) and self._verb.fullmatch(token.text)
            if written:
                verb = written[1]
                tag = penn_tag(token.tag)
                tokens.append(token._replace(text=verb, whitespace="", tag=tag))
                rest = token.text[len(verb) :]
                token = token._replace(text=rest, tag="PRP", lemma=rest.lower())
            tokens.append(token)
        return Sentence(tuple(tokens))

    def _columns(self, views: Sequence[str]) -> Iterator[_Columns]:
        """The pipeline's annotation of each view, copied out of spaCy's memory."""
        for batch in _batches(views):
            with self._lock, one_thread(), self._nlp.memory_zone():
                strings = _Strings(self._nlp.vocab.strings)
                copied: list[_Columns] = []
                docs = self._nlp.pipe(batch, batch_size=_BATCH)
                while some := list(islice(docs, _BATCH)):
                    copied += [_copy(doc, strings) for doc in self._with_entities(some)]
            yield from copied

    def _with_entities(self, docs: list[Doc]) -> list[Doc]:
        if self._entities is not None:
            self._entities.annotate(docs)
        return docs


def _leave_out_unread(nlp: Pipeline, *, lemmas: bool) -> None:
    """Spare ``nlp`` the components for ``lemmas`` if none are wanted, and every new word the
    attributes that no component reads: a third of its cost."""
    for name in nlp.pipe_names:
        assigned = set(nlp.get_pipe_meta(name).assigns)
        if not lemmas and assigned and assigned <= _LEMMAS:
            nlp.remove_pipe(name)
    factories = {nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
    if factories <= _LEARNED:
        getters = nlp.vocab.lex_attr_getters  # type: ignore[attr-defined] # missing in the stubs
        for attribute in getters.keys() - _READ_BY_LEARNED:
            del getters[attribute]


def _spare_plain_words(nlp: Pipeline) -> None:
    """Have the tokenizer of a pipeline that ships look for nothing within words of nothing but
    ASCII letters: their last pattern alone is 12,000 characters long, and finds nothing there."""
    tokenizer = cast(Tokenizer, nlp.tokenizer)
    tokenizer.prefix_search = _unless_plain(tokenizer.prefix_search, None)
    tokenizer.suffix_search = _unless_plain(tokenizer.suffix_search, None)
    tokenizer.url_match = _unless_plain(tokenizer.url_match, None)
    tokenizer.infix_finditer = _unless_plain(tokenizer.infix_finditer, ())


def _unless_plain(find: Callable[[str], _Affix], nothing: _Affix) -> Callable[[str], _Affix]:
    return lambda text: nothing if text.isalpha() and text.isascii() else find(text)


class _Strings(dict[int, str]):
    """What spaCy's hashes stand for, looked up once each; as short-lived as a memory zone."""

    def __init__(self, store: StringStore) -> None:
        super().__init__()
        self._store = store

    def __missing__(self, key: int) -> str:
        self[key] = self._store[key]
        return self[key]


def _copy(doc: Doc, strings: _Strings) -> _Columns:
    starts, lengths, tags, lemmas, morphs, entities, begins = doc.to_array(_COLUMNS).T.tolist()
    return _Columns(
        starts,
        list(map(add, starts, lengths)),
        [strings[tag] for tag in tags],
        [strings[lemma] for lemma in lemmas],
        [strings[morph].strip("_") for morph in morphs],
        [_ENTITIES.get(strings[entity], "") for entity in entities],
        [begin == 1 for begin in begins],
    )


def _sentences(
    text: str, segment: Segment, columns: _Columns, rules: BoundaryRules
) -> Iterator[Sentence]:
    """Tile the characters of ``segment`` with tokens; each sentence keeps the blanks after it."""
    starts = [*segment.offsets(columns.starts), segment.end]
    ends = [last + 1 for last in segment.offsets([end - 1 for end in columns.ends])]
    words = [text[start:end] for start, end in zip(starts, ends, strict=False)]
    gaps = [text[end:start] for end, start in zip(ends, starts[1:], strict=True)]
    tokens = _tokens(words, gaps, columns)
    before = _blank(text[segment.start : starts[0]])
    may_begin = True in columns.begins[1:] or DASHES.intersection(words)
    begins = _beginnings(segment, columns, rules) if may_begin else []
    if segment.end - segment.start > LONGEST_SENTENCE:
        begins = split_long(words, gaps, begins)
    for first, last in pairwise([0, *begins, len(tokens)]):
        of_sentence: Sequence[Token] = tokens[first:last]
        if not {token.whitespace for token in of_sentence} <= {"", " "}:
            of_sentence = _with_blanks(of_sentence)
        yield Sentence((*before, *of_sentence))
        before = []


def _tokens(words: Sequence[str], gaps: Sequence[str], columns: _Columns) -> list[Token]:
    """The tokens of a view; what follows each may be white space of any length."""
    tags = [_QUOTE_TAGS.get(word, tag) for word, tag in zip(words, columns.tags, strict=True)]
    lemmas = [
        word if tag == "NNP" and lemma == word.lower() else lemma  # a name keeps its capitals
        for word, tag, lemma in zip(words, columns.tags, columns.lemmas, strict=True)
    ]
    rows = zip(words, gaps, tags, lemmas, columns.morphs, columns.entities, strict=True)
    return list(map(Token._make, rows))


def _beginnings(segment: Segment, columns: _Columns, rules: BoundaryRules) -> list[int]:
    """The places after the first where a sentence begins."""
    places = zip(columns.starts, columns.ends, [0, *columns.ends], columns.begins, strict=False)
    guesses = [
        Guess(segment.view[start:end], start > end_before, begins)
        for start, end, end_before, begins in places
    ]
    return [index for index, begins in enumerate(rules.mend(guesses)) if begins and index]


def _with_blanks(tokens: Sequence[Token]) -> Sequence[Token]:
    """``tokens``, with one of white space for what follows a token beside a single blank."""
    apart: list[Token] = []
    for token in tokens:
        whitespace = " " if token.whitespace[:1] == " " else ""
        apart.append(token._replace(whitespace=whitespace))
        apart += _blank(token.whitespace[len(whitespace) :])
    return apart


def _blank(gap: str) -> list[Token]:
    return [Token(gap, "", "_SP", gap)] if gap else []


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        batch.append(text)
        characters += len(text)
        if characters >= _ZONE_CHARACTERS or len(batch) >= _ZONE_TEXTS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
