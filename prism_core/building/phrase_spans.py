"""Spans of possible phrases in a text, and the text with each as one token.

A run of two to four tokens is a candidate when it has the shape of a phrase of a verb, a noun or an
adverb, and its parts co-occur far more often than by chance.

Entry: ``find_phrases`` (``_find_candidate_spans`` -> ``_select_collocations``); ``join_tokens`` and
``join_links`` rewrite a sentence and its links.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from prism_core.building.corpus_occurrences import NOUNS, TranslatorOutput
from prism_core.building.parallel_alignment import Links
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Language

LEAST_SPANS = 3
"""Minimum number of spans that a phrase has in the text, all inflections of its head together."""
LEAST_TOGETHER = {"V": 10.83, "N": 10.83, "R": 30.0}
"""Log-likelihood ratio of a phrase's parts, cut anywhere; by chance 1 in 1,000 pairs has 10.83.

Adverbs need more: many a preposition stands before a noun because of the verb.
"""
LEAST_ADDED = 4
"""Letters of a target word that may belong to a phrase though it is linked to nothing."""

_SHAPES = {"V": "[vg](p{1,2}|rp?|pn|np?)", "R": "pd?j?n|pj|[apd]r|arp"}
"""Shapes of phrases of verbs and adverbs, in the letters of ``_get_letter``."""
FUNCTION_LETTERS = {"IN": "p", "RP": "p", "RB": "a", "DT": "d", "PRP$": "d"}
CONTENT = "vgnjr"
LONGEST = 4


class PhraseSpan(NamedTuple):
    """Span of a phrase: in a sentence, from ``first`` on; ``head`` is the token of its tag.

    ``key`` is its kind (a key of ``LEAST_TOGETHER``), a blank, and the phrase with the lemma of its
    head; ``content`` is the number of its content words.
    """

    sentence: int
    first: int
    length: int
    head: int
    tag: str
    key: str
    ends_in_noun: bool
    content: int


Lexicon = Mapping[str, Sequence[PhraseSpan]]
"""Spans of each phrase, by its key."""


def find_phrases(sentences: Sequence[Sentence], language: Language) -> Lexicon:
    """Find every run of tokens that may be a phrase, whether or not it is translated as one."""
    return _select_collocations(_find_candidate_spans(sentences, language), sentences)


def are_disjoint(span: PhraseSpan, other: PhraseSpan) -> bool:
    """Return True if two spans of one sentence have no token in common."""
    return span.first + span.length <= other.first or other.first + other.length <= span.first


def _find_candidate_spans(sentences: Sequence[Sentence], language: Language) -> Lexicon:
    """Find every run of tokens that has the shape of a phrase, whether or not it is one."""
    found: dict[str, list[PhraseSpan]] = defaultdict(list)
    of_kind = {**_SHAPES, "N": language.grammar.noun_phrases}
    shapes = [(kind, re.compile(shape)) for kind, shape in of_kind.items()]
    for index, sentence in enumerate(sentences):
        letters = "".join(_get_letter(token, language) for token in sentence.tokens) + "."
        for kind, shape in shapes:
            for first in range(len(letters)):
                for length in range(2, LONGEST + 1):
                    if shape.fullmatch(letters, first, first + length):
                        run = letters[first : first + length]
                        span = _make_span(index, sentence.tokens, first, run, kind, language)
                        if _is_whole(sentence.tokens, span, kind, letters[first + length]):
                            found[span.key].append(span)
    return found


def _get_letter(token: Token, language: Language) -> str:
    """Return the part of speech in one letter; function words have their own, others ``.``."""
    text, tag = token.text, penn_tag(token.tag)
    if not (text.isalpha() and text.islower()):
        return "."
    if text in language.words.of:
        return "o"
    if language.is_function_word(text):
        return "f" if text in language.grammar.outside_phrases else FUNCTION_LETTERS.get(tag, "f")
    if len(text) == 1:
        return "."
    if tag in ("VBG", "VBN"):
        return "g"
    return {"NN": "n", "VB": "v", "JJ": "j", "RB": "r"}.get(tag[:2], ".")


def _make_span(
    index: int, tokens: Sequence[Token], first: int, letters: str, kind: str, language: Language
) -> PhraseSpan:
    length = len(letters)
    content = sum(letter in CONTENT for letter in letters)
    head = first if kind == "V" else first + length - 1
    if kind == "N" and language.grammar.head_first:
        head = first + letters.index("n")
    words = [token.text for token in tokens[first : first + length]]
    if kind != "R":
        words[head - first] = tokens[head].lemma.lower() or words[head - first]
    tag = "RB" if kind == "R" else tokens[head].tag
    ends_in_noun = penn_tag(tokens[first + length - 1].tag) in NOUNS
    key = f"{kind} {' '.join(words)}"
    return PhraseSpan(index, first, length, head, tag, key, ends_in_noun, content)


def _is_whole(tokens: Sequence[Token], span: PhraseSpan, kind: str, after: str) -> bool:
    """Return True if only blanks separate its tokens, and it does not end within another phrase.

    *In fact* is an adverb, but not in *in fact books*; *in order to* is none.
    """
    last = span.first + span.length - 1
    if any(token.whitespace != " " for token in tokens[span.first : last]):
        return False
    if kind != "R":
        return after != "n"
    goes_on = last + 1 < len(tokens) and tokens[last + 1].text in ("of", "to")
    return tokens[span.first].text != "to" and after not in "nj" and not goes_on


def _select_collocations(found: Lexicon, sentences: Sequence[Sentence]) -> Lexicon:
    """Select the phrases of ``found`` whose parts co-occur more often than by chance."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        words = [token.text.lower() for token in sentence.tokens]
        lemmas = [token.lemma.lower() or token.text.lower() for token in sentence.tokens]
        for length in range(1, LONGEST + 1):
            for first in range(len(words) - length + 1):
                run = words[first : first + length]
                forms = {" ".join(run)}
                forms.add(" ".join([lemmas[first], *run[1:]]))
                forms.add(" ".join([*run[:-1], lemmas[first + length - 1]]))
                counts.update(forms)
    total = sum(len(sentence.tokens) for sentence in sentences)
    return {
        key: spans
        for key, spans in found.items()
        if len(spans) >= LEAST_SPANS
        and _compute_least_likelihood(key.split()[1:], counts, total) >= LEAST_TOGETHER[key[0]]
    }


def _compute_least_likelihood(words: Sequence[str], counts: Counter[str], total: int) -> float:
    """Return Dunning's log-likelihood ratio of the two parts, at the cut where it is smallest."""
    both = counts[" ".join(words)]
    cuts = ((" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))
    return min(_compute_log_likelihood(both, counts[a], counts[b], total) for a, b in cuts)


def _compute_log_likelihood(both: int, first: int, second: int, total: int) -> float:
    """Return -2 log λ of a 2 x 2 table (Dunning 1993); 0 where the parts avoid each other."""
    cells = (both, first - both, second - both, total - first - second + both)
    if both * total <= first * second or min(cells) < 0:
        return 0.0
    rows = (first, first, total - first, total - first)
    columns = (second, total - second, second, total - second)
    return 2 * sum(
        cell * math.log(cell * total / (row * column))
        for cell, row, column in zip(cells, rows, columns, strict=True)
        if cell
    )


def join_links(
    links: Links,
    positions: Sequence[int],
    spans: Iterable[PhraseSpan],
    output: TranslatorOutput,
) -> Links:
    """Return ``links`` to the joined tokens, adding unlinked neighbours to a run that lacks words.

    *Polar* may be linked to nothing, and *polar* beside *oso* too: then it is of *polar bear*.
    """
    moved = {(positions[i], j) for i, j in links}
    taken = {j for _, j in links}
    for span in spans:
        target_spans = output.spans[span.sentence]
        run = {j for i, j in links if span.first <= i < span.first + span.length}
        beside = [
            j
            for j in {j + step for j in run for step in (-2, -1, 1, 2)} - taken
            if 0 <= j < len(target_spans) and len(target_spans[j][0]) >= LEAST_ADDED
        ]
        beside.sort(key=lambda j: (output.rate[target_spans[j][0]], j))
        linked = {i for i, _ in links}
        inside = range(span.first, span.first + span.length)
        linked_words = sum(len(target_spans[j][0]) >= LEAST_ADDED for j in run)
        missing_words = max(span.content - linked_words, span.head not in linked)
        moved.update((positions[span.first], j) for j in beside[:missing_words])
        if span.tag == "RB" and run and inside[0] not in linked and min(run) - 1 not in taken:
            moved.add((positions[span.first], min(run) - 1))
    return sorted(link for link in moved if link[1] >= 0)


def join_tokens(sentence: Sentence, spans: Iterable[PhraseSpan]) -> tuple[Sentence, list[int]]:
    """Join each of ``spans`` to one token; return the sentence and each old token's new index."""
    starts = {span.first: span for span in spans}
    tokens: list[Token] = []
    new_positions: list[int] = []
    while len(new_positions) < len(sentence.tokens):
        span = starts.get(len(new_positions))
        length = span.length if span else 1
        group = sentence.tokens[len(new_positions) : len(new_positions) + length]
        new_positions += [len(tokens)] * length
        if span is None:
            tokens += group
        else:
            text = " ".join(token.text for token in group)
            head = sentence.tokens[span.head]
            lemma = span.key.partition(" ")[2]
            tokens.append(
                head._replace(text=text, whitespace=group[-1].whitespace, tag=span.tag, lemma=lemma)
            )
    return Sentence(tuple(tokens)), new_positions
