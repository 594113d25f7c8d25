"""Language model: texts in, sentences of tagged tokens out, every character accounted for.

Entry: ``LanguageModel.load``, then ``annotate``: texts are split into segments, spaCy annotates the
view of each (``_columns``), and ``_sentences`` tiles the text with tokens.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice, pairwise
from operator import add
from pathlib import Path
from typing import Any, NamedTuple

import spacy
from spacy.attrs import (
    ENT_TYPE,
    IDX,
    LEMMA,
    LENGTH,
    MORPH,
    SENT_START,
    TAG,
)
from spacy.language import Language as Pipeline
from spacy.strings import StringStore
from spacy.tokens import Doc

from prism_core.errors import ConfigurationError
from prism_core.language.boundaries import (
    DASHES,
    LONGEST_SENTENCE,
    BoundaryRules,
    Guess,
    UnpaddedSegment,
    lowercase_headline,
    split_long,
    split_segments,
)
from prism_core.language.entity_pass import EntityPass, replace_recognizer
from prism_core.language.pipeline import describe_missing, read_version
from prism_core.language.possible_tags import use_possible_tags
from prism_core.language.sentence import Sentence, Token, correct_noun_tags, penn_tag
from prism_core.language.tok2vec_pass import (
    LEMMA_COMPONENTS,
    remove_unread,
    replace_tok2vec,
    skip_plain_words,
    use_one_thread,
    use_openblas,
)
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
"""Ending of the tag of a verb with attached pronouns."""
_COLUMNS = [IDX, LENGTH, TAG, LEMMA, MORPH, ENT_TYPE, SENT_START]
# One memory zone: long enough to spread the cost of clearing what spaCy kept, short enough for a
# thread that waits its turn, or to fork, to wait about a second.
_ZONE_CHARACTERS = 60_000
_ZONE_TEXTS = 1_000
_BATCH = 256
"""Views that spaCy processes at a time. Larger batches repeat more words, and take more memory."""

_MOST_WORDS = 1 << 14
"""Words that a vocabulary reads before its tables are made anew; they take 3 MB by then."""


class _Columns(NamedTuple):
    """Annotation of the tokens of one view, a column each; offsets are the view's."""

    starts: list[int]
    ends: list[int]
    tags: list[str]
    lemmas: list[str]
    morphs: list[str]
    entities: list[str]
    begins: list[bool]


class LanguageModel:
    """A spaCy pipeline behind plain data.

    For any text, its sentences joined are the text again, byte for byte. A sentence ends after a
    newline, a tab or another control character that ends a line. Nothing of a text stays in memory
    once its sentences are returned. One model may be used by several threads, one at a time, and by
    child processes forked while it is loaded; unpickling loads it again by name.
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
        self._reload = partial(LanguageModel.load, source, name, lemmas=lemmas)
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
        """Load the shipped pipeline for ``source``, or the spaCy pipeline ``name``.

        ``name`` is an installed package or a folder. Without ``lemmas`` tokens have neither lemma
        nor morphology, which encoding does not read, and the components that find them do not run.

        Raises ``ConfigurationError`` when there is no such pipeline, it lacks tags or sentence
        boundaries, or the language ``source`` is unknown.
        """
        language = load_language(source)
        try:
            if name is None:
                nlp = spacy.load(language.model, exclude=() if lemmas else LEMMA_COMPONENTS)
            else:
                nlp = spacy.load(name)
        except (OSError, ValueError, ImportError):
            raise ConfigurationError(describe_missing(name)) from None
        remove_unread(nlp, lemmas=lemmas)
        if name is None:
            skip_plain_words(nlp)
        with use_one_thread():
            use_possible_tags(nlp)
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
        """Return the sentences of one paragraph."""
        return next(self.annotate([text]))

    def retag(self, sentence: Sentence) -> Sentence:
        """Annotate the same tokens again, from nothing but their texts and white space."""
        shown = [token for token in sentence.tokens if token.text.strip()]
        if not shown:
            return sentence
        words = [token.text for token in shown]
        gaps = [token.whitespace for token in shown]
        with self._open_zone():
            doc = Doc(self._nlp.vocab, words=words, spaces=[gap != "" for gap in gaps])
            (doc,) = self._annotate_entities([self._nlp(doc)])
            columns = _copy_columns(doc, _Strings(doc.vocab.strings))
        annotated = iter(_tokens(words, gaps, columns))
        return Sentence(
            tuple(next(annotated) if token.text.strip() else token for token in sentence.tokens)
        )

    def annotate(self, texts: Iterable[str]) -> Iterator[tuple[Sentence, ...]]:
        """Yield the sentences of each text, one paragraph each, in order; reads a batch ahead."""
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
                sentences: list[Sentence] = []
                for segment in segments_of_text:
                    sentences += _sentences(text, segment, next(views), self._rules)
                split = map(self._split_pronouns, sentences)
                yield tuple(correct_noun_tags(sentence, self._language) for sentence in split)

    def __reduce__(self) -> tuple[object, ...]:
        return self._reload, ()

    def _split_pronouns(self, sentence: Sentence) -> Sentence:
        """Split verbs, by tag (``VB-CL``) or accent, from each pronoun attached to them."""
        enclitics = self._language.grammar.enclitics
        accented = {
            place: parts
            for place, token in enumerate(sentence.tokens if enclitics.verbs else ())
            if (parts := enclitics.split(token.text)) is not None
        }
        if not accented and not any(
            token.tag.endswith(_WITH_PRONOUNS) for token in sentence.tokens
        ):
            return sentence
        tokens: list[Token] = []
        for place, token in enumerate(sentence.tokens):
            if place in accented:
                tag, (verb, *pronouns) = accented[place]
                tokens.append(Token(verb, "", tag, enclitics.bare(verb.lower())))
                tokens += [Token(token, "", "PRP", token.lower()) for token in pronouns]
                tokens[-1] = tokens[-1]._replace(whitespace=token.whitespace)
                continue
            written = token.tag.endswith(_WITH_PRONOUNS) and self._verb.fullmatch(token.text)
            if written:
                verb, rest = written[1], token.text[len(written[1]) :]
                tokens.append(token._replace(text=verb, whitespace="", tag=penn_tag(token.tag)))
                token = token._replace(text=rest, tag="PRP", lemma=rest.lower())
            tokens.append(token)
        return Sentence(tuple(tokens))

    def _columns(self, views: Sequence[str]) -> Iterator[_Columns]:
        """Yield the pipeline's annotation of each view, copied out of spaCy's memory."""
        for batch in _batches(views):
            with self._open_zone():
                strings = _Strings(self._nlp.vocab.strings)
                copied: list[_Columns] = []
                docs = self._nlp.pipe(batch, batch_size=_BATCH)
                while group := list(islice(docs, _BATCH)):
                    copied += [
                        _copy_columns(doc, strings) for doc in self._annotate_entities(group)
                    ]
            yield from copied

    @contextmanager
    def _open_zone(self) -> Iterator[None]:
        """Hold the pipeline; its vocabulary forgets the words of the block at its end."""
        with self._lock, use_one_thread():
            with self._nlp.memory_zone():
                yield
            if len(self._nlp.vocab) > _MOST_WORDS:
                _renew_tables(self._nlp.vocab)

    def _annotate_entities(self, docs: list[Doc]) -> list[Doc]:
        if self._entities is not None:
            self._entities.annotate(docs)
        return docs


class _Strings(dict[int, str]):
    """Strings of spaCy's hashes, each looked up once; valid as long as a memory zone."""

    def __init__(self, store: StringStore) -> None:
        super().__init__()
        self._store = store

    def __missing__(self, key: int) -> str:
        self[key] = self._store[key]
        return self[key]


def _renew_tables(vocab: Any) -> None:
    """Make the hash tables of ``vocab`` anew, without the places of words that it forgot.

    Such places are not free again, so the tables would grow with the archive: by 31 MB with a
    million words. The tokenizer still holds its frequent words; elsewhere they are new again.
    """
    getters = dict(vocab.lex_attr_getters)
    rest = ("strings", "vectors", "lookups")
    vocab.from_bytes(vocab.to_bytes(exclude=rest), exclude=rest)  # empties the table of words alone
    vocab.lex_attr_getters = getters
    texts = vocab.strings._map
    vocab.strings._map = type(texts)()
    for key, place in texts.items():
        vocab.strings._map[key] = place


def _copy_columns(doc: Doc, strings: _Strings) -> _Columns:
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
    text: str, segment: UnpaddedSegment, columns: _Columns, rules: BoundaryRules
) -> Iterator[Sentence]:
    """Tile the characters of ``segment`` with tokens; each sentence keeps the blanks after it."""
    starts = [*segment.offsets(columns.starts), segment.end]
    ends = [last + 1 for last in segment.offsets([end - 1 for end in columns.ends])]
    words = [text[start:end] for start, end in zip(starts, ends, strict=False)]
    gaps = [text[end:start] for end, start in zip(ends, starts[1:], strict=True)]
    tokens = _tokens(words, gaps, columns)
    before = _blank_token(text[segment.start : starts[0]])
    has_stop = any(len(word) <= 2 and word[-1] == "." for word in words[:-1])  # *vitamin A. Then*
    may_begin = True in columns.begins[1:] or DASHES.intersection(words) or has_stop
    begins: list[int] = []
    if may_begin:
        before_start = [0, *columns.ends]
        rows = zip(columns.starts, columns.ends, before_start, columns.begins, strict=False)
        guesses = [
            Guess(segment.view[start:end], start > end_before, is_start)
            for start, end, end_before, is_start in rows
        ]
        begins = [index for index, is_start in enumerate(rules.mend(guesses)) if is_start and index]
    if segment.end - segment.start > LONGEST_SENTENCE:
        begins = split_long(words, gaps, begins)
    for first, last in pairwise([0, *begins, len(tokens)]):
        of_sentence: Sequence[Token] = tokens[first:last]
        if not {token.whitespace for token in of_sentence} <= {"", " "}:
            separated: list[Token] = []
            for token in of_sentence:  # white space beyond a single blank has tokens of its own
                whitespace = " " if token.whitespace[:1] == " " else ""
                separated.append(token._replace(whitespace=whitespace))
                separated += _blank_token(token.whitespace[len(whitespace) :])
            of_sentence = separated
        yield Sentence((*before, *of_sentence))
        before = []


def _tokens(words: Sequence[str], gaps: Sequence[str], columns: _Columns) -> list[Token]:
    """Return the tokens of a view; white space of any length may follow each."""
    tags = [_QUOTE_TAGS.get(word, tag) for word, tag in zip(words, columns.tags, strict=True)]
    lemmas = [
        word if tag == "NNP" and lemma == word.lower() else lemma  # a name keeps its capitals
        for word, tag, lemma in zip(words, columns.tags, columns.lemmas, strict=True)
    ]
    rows = zip(words, gaps, tags, lemmas, columns.morphs, columns.entities, strict=True)
    return list(map(Token._make, rows))


def _blank_token(gap: str) -> list[Token]:
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
