"""Alignment of a sentence with any translation of it, by a Firefox model that is made to write it.

The models learnt to attend, with one head, to the word that they translate next. That holds for a
translation by somebody else too. Nothing leaves the machine.

Entry: ``ForcedAligner.load`` -> ``ForcedAligner.align``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prism_core.alignment import Match, Span
from prism_core.drafts.doubtful_words import WrittenWord
from prism_core.drafts.forced_pass import Forced, ForcedPass
from prism_core.drafts.left_out import ReadWord
from prism_core.drafts.marian_model import Floats, Ids, MarianModel, Shortlist
from prism_core.errors import Misconfigured
from prism_core.plugins import how_to_install
from prism_core.translators import ModelFiles, keep_consistent, words_to_mark

Links = dict[Match, float]
"""Links from content words to those of a translation, in its order, each with its weight."""

LONGEST = 256
"""Largest number of pieces of a text, and of a translation; the models were trained on fewer."""

_BEGINS = "\u2581"
"""Sign with which the first piece of a word begins."""
_PIECES_AT_ONCE = 1024
"""Pieces of the texts and translations of a batch, padding included."""


class Judged(NamedTuple):
    """Words of a translation and of its source, as a model sees them that is made to write it."""

    written: list[WrittenWord]
    read: list[ReadWord]


class ForcedAligner:
    """Aligner for the one pair of languages of its model; threads may share it.

    Let NumPy use one thread (``OPENBLAS_NUM_THREADS``), as worker processes do: on a busy machine
    its threads wait for each other, for many times the processor time.
    """

    def __init__(
        self,
        model: MarianModel,
        source: Any,
        target: Any,
        language: str,
        shortlist: Shortlist | None = None,
    ) -> None:
        self._pass = ForcedPass(model)
        self._shortlist = shortlist
        self._source, self._target = source, target
        self._language = language

    @classmethod
    def load(cls, folder: Path) -> ForcedAligner:
        """Load the model in ``folder``. Raises ``Misconfigured`` where it cannot be used."""
        files = ModelFiles.find(folder)
        files.check_sums()
        source = _load_vocabulary(files.source_vocabulary)
        shared = files.source_vocabulary == files.target_vocabulary
        target = source if shared else _load_vocabulary(files.target_vocabulary)
        language, _, _ = (files.pair or "").partition("-")
        shortlist = Shortlist.read(files.shortlist) if files.shortlist else None
        aligner = cls(MarianModel.read(files.model), source, target, language, shortlist)
        last = [[words.id_to_piece(words.get_piece_size() - 1)] for words in (source, target)]
        try:
            ((weight, *_),), *_ = aligner._attend([(last[0], last[1])])
            if shortlist:
                shortlist.of(_pad(source, [last[0]])[0])
        except (LookupError, ValueError):
            weight = np.nan
        if not np.isfinite(weight):
            raise Misconfigured(
                f"The weights in {files.model} do not fit together, or not with the vocabulary."
            )
        return aligner

    def align(self, pairs: Sequence[tuple[str, str]]) -> list[Links]:
        """Link content words of each pair; none for texts of more than ``LONGEST`` pieces."""
        pieces = self._encode_pairs(pairs)
        found: list[Links] = [{} for _ in pairs]
        for batch in _group(pieces):
            weights = self._attend([pieces[index] for index in batch])
            for index, attention in zip(batch, weights, strict=True):
                (source, target), (read, written) = pairs[index], pieces[index]
                found[index] = link_by_attention(
                    (source, read), (target, written), attention, self._language
                )
        return found

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judged]:
        """Return what the model makes of the words of each of ``pairs``.

        No words for a text without pieces, or with more than ``LONGEST``.
        """
        pieces = self._encode_pairs(pairs)
        found = [Judged([], []) for _ in pairs]
        for batch in _group(pieces):
            forced = self._run([pieces[index] for index in batch])
            for index, states, attention in zip(batch, *forced, strict=True):
                read, written = pieces[index]
                may = self._shortlist and self._shortlist.of(_pad(self._source, [read])[0])
                ids = _pad(self._target, [written])[0]
                judged = self._pass.judge(states[: len(ids)], ids, may)
                rows = attention[: len(written), : len(read)]
                found[index] = Judged(
                    _collect_written(read, written, rows, *judged),
                    _collect_read(read, written, rows),
                )
        return found

    def _encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[str], list[str]]]:
        return [
            (_encode(self._source, text), _encode(self._target, other)) for text, other in pairs
        ]

    def _run(self, pieces: Sequence[tuple[list[str], list[str]]]) -> Forced:
        sources = _pad(self._source, [read for read, _ in pieces])
        targets = _pad(self._target, [written for _, written in pieces])
        return self._pass.run(sources, np.array([len(read) + 1 for read, _ in pieces]), targets)

    def _attend(self, pieces: Sequence[tuple[list[str], list[str]]]) -> list[list[list[float]]]:
        """Return the attention of each piece that is written to those that are read."""
        return [
            rows[: len(written), : len(read)].tolist()
            for rows, (read, written) in zip(self._run(pieces).attention, pieces, strict=True)
        ]


def _load_vocabulary(path: Path) -> Any:
    try:
        import sentencepiece
    except ImportError:
        raise Misconfigured(
            f"Aligning by a model needs SentencePiece. {how_to_install('firefox')}"
        ) from None
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError):
        raise Misconfigured(f"{path} is no vocabulary of SentencePiece.") from None


def _encode(vocabulary: Any, text: str) -> list[str]:
    """Return the pieces of ``text``, which may hold half a pair of surrogates."""
    found: list[str] = vocabulary.encode(text.encode(errors="replace").decode(), out_type=str)
    return found


def _collect_read(read: Sequence[str], written: Sequence[str], attention: Floats) -> list[ReadWord]:
    """Find out how much the words of the translation, not its marks, attend to each word read."""
    is_word = [any(map(str.isalnum, piece)) for piece in written]
    most = attention[is_word].max(axis=0, initial=0.0)
    spans = pairwise([*_find_starts(read), len(read)])
    return [
        ReadWord("".join(read[first:end]).lstrip(_BEGINS), float(most[first:end].max()))
        for first, end in spans
    ]


def _collect_written(
    read: Sequence[str],
    written: Sequence[str],
    attention: Floats,
    entropies: Floats,
    surprises: Floats,
) -> list[WrittenWord]:
    """Add up what is known of the pieces of each word, the marks around it included."""
    words, starts = [], _find_starts(read)
    for first, end in pairwise([*_find_starts(written), len(written)]):
        seen = attention[first:end].sum(axis=0)
        source = int(np.argmax(np.add.reduceat(seen, starts)))
        words.append(
            WrittenWord(
                "".join(written[first:end]).lstrip(_BEGINS),
                float(entropies[first:end].sum()),
                float(surprises[first + 1 : end].sum()),
                tuple(read[starts[source] : [*starts, len(read)][source + 1]]),
            )
        )
    return words


def _find_starts(pieces: Sequence[str]) -> list[int]:
    return [n for n, piece in enumerate(pieces) if n == 0 or piece.startswith(_BEGINS)]


def _group(pieces: Sequence[tuple[list[str], list[str]]]) -> Iterator[list[int]]:
    """Yield the indices of pairs that are computed together, of similar length."""
    sizes = [(len(read), len(written)) for read, written in pieces]
    usable = [
        n for n, (read, written) in enumerate(sizes) if read and 0 < written <= LONGEST >= read
    ]
    batch: list[int] = []
    for index in sorted(usable, key=lambda n: sum(sizes[n])):
        widest = sum(max(sizes[n][side] for n in [*batch, index]) for side in (0, 1))
        if batch and widest * (len(batch) + 1) > _PIECES_AT_ONCE:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _pad(vocabulary: Any, texts: Sequence[list[str]]) -> Ids:
    """Return the numbers of the pieces of ``texts``, each with the end of a text behind."""
    padded = np.full((len(texts), max(map(len, texts)) + 1), vocabulary.eos_id())
    for row, text in zip(padded, texts, strict=True):
        row[: len(text)] = vocabulary.piece_to_id(text)
    return padded


LEAST_ATTENTION = 0.4
"""Share of a word's attention from which it is aligned with the word that has it."""

CONTENT_LETTERS = 4
"""Number of letters from which a word is no less likely to be a content word than a longer one. A
model attends to the word that is due while it writes function words before it."""


def link_by_attention(
    source: tuple[str, Sequence[str]],
    target: tuple[str, Sequence[str]],
    attention: Sequence[Sequence[float]],
    language: str,
) -> dict[Match, float]:
    """Align the content words of ``source``, a text in ``language``, with words of ``target``.

    Both texts come with their pieces; ``attention`` has a row for each piece of the target, of a
    weight for each piece of the source. A word of the target is aligned with the one that has most
    of its attention, and of several such words one alone is. Returns the links in the order of the
    target, each with its share of the attention.
    """
    strongest: dict[Span, tuple[float, Match, float]] = {}
    sources = _tokenize(*source)
    for place, rows in _tokenize(*target) if sources else ():
        of_sources = [
            sum(attention[row][n] for row in rows for n in cells) / len(rows)
            for _, cells in sources
        ]
        share = max(of_sources)
        link = Match(sources[of_sources.index(share)][0], place)
        letters = sum(map(str.isalnum, target[0][slice(*link.target)]))
        strength = share * min(letters, CONTENT_LETTERS)
        if share >= LEAST_ATTENTION and strength > strongest.get(link.source, (0.0,))[0]:
            strongest[link.source] = strength, link, share
    words = words_to_mark(source[0], language)
    shares: dict[Span, float] = {}
    links = []
    for _, link, share in strongest.values():
        inside = [word for word in words if link.source[0] <= word[0] and word[1] <= link.source[1]]
        if len(inside) == 1:
            shares[inside[0]] = share
            links.append(Match(inside[0], link.target))
    kept = keep_consistent(words, target[0], links)
    return {link: shares[link.source] for link in kept}


def _tokenize(text: str, pieces: Sequence[str]) -> list[tuple[Span, list[int]]]:
    """Return the words between blanks, each with its ``pieces``; none if they differ.

    The punctuation at a word is attended to by itself, so its pieces are not those of the word.
    """
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    groups = [range(*ends) for ends in pairwise([*_find_starts(pieces), len(pieces)])]
    if len(spans) != len(groups):
        return []
    named = [[n for n in each if any(map(str.isalnum, pieces[n]))] or [*each] for each in groups]
    return list(zip(spans, named, strict=True))
