"""What sending gains over the model on this machine, on recorded answers of commercial translators.

    python -m benchmarks.margins --pair en-pt --text flores-dev [--translator google]
        [--strength standard] [--asked] [--every N] [--json]

Roles are swapped: a recorded answer belongs to its real line, so the line plays the text that was
sent; the answer is decoded to the drawn words, and back to its own. That flatters, since the
translator saw sense. With ``--asked`` the model on this machine translates what a run would send,
so its loss is a real one, and is taken off the quality that the translator has in clear. Only lines
that come back at the first send count (``returned`` of ``lines``).

Each row has chrF against a person: of the translator in clear, through PRISM (``restored``), with
the words of the local draft (``fused``), and of the model on this machine (``local``). ``expected``
is the quality through PRISM: ``fused``, with ``--asked`` ``clear`` less what ``local`` is above
``fused``. ``low`` and ``high`` bound expected less local with 95 % (paired bootstrap).

``gain``, ``gain_low`` and ``gain_high`` are of what the chooser takes (``taken`` of the lines) over
the local translation, the mean of the lines, with the lead of the translator. With ``--asked`` the
translator's gain in clear on the line is added; ``equal`` is the gain without it, of a translator
that is taken for a better one, and is not. ``best`` is the gain of the better of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import argument_parser, show
from benchmarks.roles import SHARED, TRANSLATORS
from prism_core.alignment import Translation
from prism_core.decoding import STRONG, Decoded, align, link_places, replaced_words
from prism_core.dictionary import Glossary
from prism_core.drafts import AlignedDraft, Drafter, draft_sentences, fuse, rewrite
from prism_core.drafts.fusion import LOSS, measure_agreement
from prism_core.evaluation.metrics import CHRF
from prism_core.evaluation.role_swap import swap_roles
from prism_core.evaluation.roles import load_roles_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.margins import find_lead
from prism_core.record import Encoded, Kind
from prism_core.settings import Settings, load_settings
from prism_core.translators import make_translator

STRENGTHS = ("standard", "light", "identifiers-only")
NAMES = {"microsoft": "azure"}
"""Names in ``data/margins.tsv`` of recorded translators."""

Rows = NDArray[np.int64]
_SEED = 1
_DRAWS = 1000
_AT_ONCE = 32
_SWAPPED = (Kind.WORD, Kind.NUMBER, Kind.KEPT)
"""Kinds that are swapped: names mostly stay, and of unknown words no translation is known."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A line, a translator's answer to it, and a person's translation."""

    sentences: tuple[Sentence, ...]
    answer: str
    reference: str

    @property
    def line(self) -> Sentence:
        """The sentences of the line as one, which is how the translators had it."""
        return Sentence.join(self.sentences)


@dataclass(frozen=True, slots=True)
class Sent:
    """An encoded line with its answer, links included.

    ``undone`` is the part of the encoding that the answer is decoded by.
    """

    row: Answered
    encoded: Encoded
    undone: Encoded
    answer: Translation


@dataclass(frozen=True, slots=True)
class Returned:
    """Translations of a line that came back whole, and how far the fused one is like the draft."""

    reference: str
    clear: str
    restored: str
    fused: str
    local: str
    agreement: float

    @property
    def gain(self) -> float:
        """Quality of the fused translation less that of the local one, in chrF."""
        return self._score(self.fused) - self._score(self.local)

    @property
    def clear_gain(self) -> float:
        """Quality of the translator in clear less that of the local translation, in chrF."""
        return self._score(self.clear) - self._score(self.local)

    def _score(self, text: str) -> float:
        return CHRF.compare([text], [self.reference])


class MarginBench:
    """One pair and strength: the encoder, and the model on this machine."""

    def __init__(self, pair: str, strength: str, translator: str) -> None:
        self._source, _, self._target = pair.partition("-")
        flags = {"source": self._source, "target": self._target, "strength": strength}
        settings: Settings = load_settings(flags=flags, asks_nobody=True)
        self._encoder = load_roles_encoder(settings, translator)
        local = settings.local_translator
        drafter = Drafter.open(local, self._source, self._target)
        if local is None or drafter is None:
            raise SystemExit(f"Install a model: prism models add {pair}")
        self._local, self.drafter = local, drafter

    def read(self, text: str, translator: str, every: int = 1) -> list[Answered]:
        """Read one of ``every`` so many lines of ``text``, with the recorded answers."""
        folder = SHARED / "wmt" / f"{self._source}-{self._target}"
        names = self._source, f"{translator}.{self._target}", self._target
        sources, answers, references = (
            (folder / f"{text}.{name}").read_text("utf-8").splitlines()[::every] for name in names
        )
        annotated = LanguageModel.load(self._source).annotate(sources)
        return [
            Answered(tuple(sentences), unescape(answer), reference)
            for sentences, answer, reference in zip(annotated, answers, references, strict=True)
        ]

    def observe(self, rows: Sequence[Answered], *, asked: bool) -> Iterator[Returned]:
        """Yield the lines that come back at the first send.

        ``asked``: the answers are those of the model on this machine to what would be sent.
        """
        rng = Random(_SEED)
        for start in range(0, len(rows), _AT_ONCE):
            encoded = [
                (row, self._encoder.encode(row.line, DenyList(), rng))
                for row in rows[start : start + _AT_ONCE]
            ]
            allowed = [(row, made) for row, made in encoded if not made.withheld]
            yield from self._restore((self._ask if asked else self._swap)(allowed))

    def _ask(self, pairs: Sequence[tuple[Answered, Encoded]]) -> list[Sent]:
        """Return the answers of the model on this machine, and their links."""
        languages = self._source, self._target
        model = make_translator(self._local, *languages)
        answers = asyncio.run(model.translate([made.text for _, made in pairs], *languages))
        return self._link(
            [
                Sent(row, made, made, Translation(answer))
                for (row, made), answer in zip(pairs, answers, strict=True)
            ]
        )

    def _swap(self, pairs: Sequence[tuple[Answered, Encoded]]) -> list[Sent]:
        """Return what would have been the answers, where every word of a line is found."""
        texts = [(row.line.text.strip(), Translation(row.answer)) for row, _ in pairs]
        answers = self.drafter.align(texts)
        sent = []
        for (row, made), (text, _), answer in zip(pairs, texts, answers, strict=True):
            undone = replace(made, record=tuple(r for r in made.record if r.kind in _SWAPPED))
            linked = link_places(made.text, swap_roles(made, text), answer)
            swapped = swap_roles(undone, text)
            there = self._encoder.decode(swapped, answer.text, linked, STRONG)
            if not there.unrestored:
                sent.append(Sent(row, made, undone, Translation(there.text)))
        return self._link(sent)

    def _link(self, sent: Sequence[Sent]) -> list[Sent]:
        linked = self.drafter.align([(one.encoded.text, one.answer) for one in sent])
        return [replace(one, answer=answer) for one, answer in zip(sent, linked, strict=True)]

    def _restore(self, sent: Sequence[Sent]) -> Iterator[Returned]:
        decoded = [(one, self._decode(one)) for one in sent]
        found = [(one, result) for one, result in decoded if not result.unrestored]
        drafts = self.drafter.draft([one.row.line.text.strip() for one, _ in found])
        texts = self.translate_here([one.row for one, _ in found])
        for (one, result), draft, local in zip(found, drafts, texts, strict=True):
            yield _fuse(one, result, draft, local)

    def _decode(self, sent: Sent) -> Decoded:
        linked = link_places(sent.row.line.text.strip(), sent.encoded, sent.answer)
        return self._encoder.decode(sent.undone, sent.answer.text, linked, STRONG)

    def translate_here(self, rows: Sequence[Answered]) -> list[str]:
        """Translate lines as the stage ``translate_here`` does, sentence by sentence."""
        pair = self._source, self._target
        sentences = [sentence for row in rows for sentence in row.sentences]
        drafts = draft_sentences(self._local, sentences, *pair)
        texts = iter(
            sentence.text.strip() if draft is None else draft.text
            for sentence, draft in zip(sentences, drafts, strict=True)
        )
        return [" ".join(next(texts) for _ in row.sentences) for row in rows]


def _fuse(sent: Sent, decoded: Decoded, draft: AlignedDraft, local: str) -> Returned:
    source = sent.row.line.text.strip()
    words = replaced_words(source, sent.encoded, decoded, Glossary())
    changes = fuse(decoded.text, words, draft)
    fused = rewrite(decoded.text, changes, align(source, sent.encoded, decoded)).text
    agreement = measure_agreement(fused, draft.text)
    return Returned(sent.row.reference, sent.row.answer, decoded.text, fused, local, agreement)


def summarize(returned: Sequence[Returned], lead: float, *, asked: bool) -> dict[str, object]:
    """Return chrF of each kind of translation, and the intervals of the differences."""
    columns = {
        "clear": [found.clear for found in returned],
        "restored": [found.restored for found in returned],
        "fused": [found.fused for found in returned],
        "local": [found.local for found in returned],
    }
    counts = {
        name: np.array(
            [
                CHRF.count([text], [found.reference])
                for text, found in zip(texts, returned, strict=True)
            ]
        )
        for name, texts in columns.items()
    }

    def score(rows: Rows) -> dict[str, float]:
        scores = {name: CHRF.score(found[rows].sum(0)) for name, found in counts.items()}
        gain = scores["clear"] - scores["local"] if asked else 0.0
        return {**scores, "expected": scores["fused"] + gain}

    rng = np.random.default_rng(_SEED)
    size = len(returned)
    takes = np.array([lead > LOSS * (1 - found.agreement) for found in returned])
    equal = np.array([found.gain for found in returned])
    gains = equal + np.array([found.clear_gain for found in returned]) if asked else equal
    rows = [rng.integers(size, size=size) for _ in range(_DRAWS)]
    low, high = _bound([found["expected"] - found["local"] for found in map(score, rows)])
    gain_low, gain_high = _bound([float((gains * takes)[drawn].mean()) for drawn in rows])
    return {
        "returned": size,
        **{name: round(found, 1) for name, found in score(np.arange(size)).items()},
        "low": low,
        "high": high,
        "gain": round(float((gains * takes).mean()), 2),
        "gain_low": gain_low,
        "gain_high": gain_high,
        "equal": round(float((equal * takes).mean()), 2),
        "best": round(float(np.maximum(gains, 0).mean()), 2),
        "taken": round(float(takes.mean()), 2),
    }


def _bound(differences: Sequence[float]) -> tuple[float, float]:
    low, high = np.percentile(differences, [2.5, 97.5])
    return round(float(low), 2), round(float(high), 2)


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--pair", default="en-pt")
    parser.add_argument("--text", default="flores-dev")
    parser.add_argument("--every", type=int, default=1, help="read one of so many lines")
    parser.add_argument("--translator", action="append", choices=TRANSLATORS)
    parser.add_argument("--strength", action="append", choices=STRENGTHS)
    parser.add_argument("--asked", action="store_true")
    given = parser.parse_args()
    rows = []
    for strength in given.strength or STRENGTHS:
        for translator in given.translator or TRANSLATORS:
            bench = MarginBench(given.pair, strength, translator)
            read = bench.read(given.text, translator, given.every)
            returned = list(bench.observe(read, asked=given.asked))
            lead = find_lead(*given.pair.split("-"), NAMES.get(translator, translator))
            row = {"pair": given.pair, "translator": translator, "strength": strength}
            row |= {"text": given.text, "asked": given.asked, "lines": len(read)}
            rows.append({**row, **summarize(returned, lead, asked=given.asked)})
    show(rows, as_json=given.json)


if __name__ == "__main__":
    main()
