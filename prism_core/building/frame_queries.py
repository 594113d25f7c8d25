"""Queries by frames: short source sentences with one slot, which a translator inflects.

A frame costs one call for each word and gives the inflected form for one slot. The text that the
translator writes *around* the form ("El _", "La _") is the residue, and the residue is the
agreement class: no grammar of the target language is written here. See docs/dictionary.md.

Several such sentences are packed into one text, and each costs a share of a call
(``translate_packed``).

Entry: ``translate_packed`` for the sentences of a language's frames, then ``FrameReader.read_all``.
``form_checks`` takes the words of a frame out of the forms. ``select_known_proposals`` keeps the
words that the translator (T) knows; ``make_proposed_entry`` makes the entry of each,
``make_untranslated_entries`` those of the others.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import (
    FRAME_SEPARATOR,
    LEFT_PREFIX,
    PART_SEPARATOR,
    SLOT,
    Entry,
    Form,
    target_tokens,
)
from prism_core.language import penn_tag
from prism_core.languages import Frame

COMMON_SHARE = 0.04
"""Share of a frame's outputs above which a target token belongs to the frame."""
LONGEST_FORM = 6
"""Maximum number of tokens in the translation of a word."""


@dataclass(frozen=True, slots=True)
class FrameReading:
    """Reading of one frame output for one word: the word's form, and the residue around it."""

    feature: str
    form: str
    residue: str


class FrameReader:
    """Reader of forms and residues from the outputs of one frame for many words.

    ``outputs`` are the translations of the frame filled with each word. Tokens that most outputs
    share belong to the frame (``common``); the run of the other tokens is the word's form.
    """

    def __init__(self, frame: Frame, outputs: Sequence[str]) -> None:
        self.frame = frame
        self._tokens = [target_tokens(output) for output in outputs]
        seen = Counter(token for tokens in self._tokens for token in set(tokens))
        threshold = max(3.0, COMMON_SHARE * len(outputs))
        self.common = frozenset(token for token, count in seen.items() if count > threshold)

    def read_all(self) -> list[FrameReading | None]:
        """Return a reading for each output, in order; None where no single run is the word's."""
        return [self._read(tokens) for tokens in self._tokens]

    def _read(self, tokens: Sequence[str]) -> FrameReading | None:
        word_indices = [index for index, token in enumerate(tokens) if token not in self.common]
        if not word_indices or word_indices[-1] - word_indices[0] >= LONGEST_FORM:
            return None
        first, last = word_indices[0], word_indices[-1] + 1
        while last + 1 < len(tokens) and tokens[last] == "-":  # sexta-feira, as quinta-feira
            last += 2
        form = join_tokens(tokens[first:last])
        if not re.sub(r"(?<=\w)[ -](?=\w)", "", form).isalpha():
            return None
        residue = " ".join([*tokens[:first], SLOT, *tokens[last:]])
        return FrameReading(self.frame.feature, form, residue)


def join_tokens(tokens: Sequence[str]) -> str:
    """Return the text of a form; a hyphen joins the words on both sides of it."""
    return " ".join(tokens).replace(" - ", "-")


_SENTENCE = re.compile(r"[^.!?]*[.!?]+")

Translate = Callable[[Sequence[str]], list[str]]
"""Translator of one language pair as a function: returns as many texts, in order."""


def translate_packed(translate: Translate, sentences: Sequence[str], size: int) -> list[str]:
    """Translate each sentence, ``size`` of them in one text, and return the answers in order.

    Every sentence must end with a full stop and contain no other. An answer with more or fewer
    sentences than were sent is discarded, and its sentences are sent again in two texts, until a
    single one is at fault: its answer is taken as it is.
    """
    parts = [""] * len(sentences)
    packs = [
        range(len(sentences))[start : start + size] for start in range(0, len(sentences), size)
    ]
    while packs:
        answers = translate([" ".join(sentences[index] for index in pack) for pack in packs])
        doubtful = []
        for pack, answer in zip(packs, answers, strict=True):
            found = split_sentences(answer)
            if len(pack) == 1:
                parts[pack[0]] = answer
            elif len(found) == len(pack) and "".join(found) == answer.rstrip():
                for index, part in zip(pack, found, strict=True):
                    parts[index] = part.strip()
            else:
                middle = len(pack) // 2
                doubtful += [pack[:middle], pack[middle:]]
        packs = doubtful
    return parts


def split_sentences(text: str) -> list[str]:
    """Split ``text`` at its full stops; what follows the last one is left out."""
    return _SENTENCE.findall(text)


def is_one_sentence(text: str) -> bool:
    """Return True if ``text`` can be packed: it ends with its only full stop."""
    return split_sentences(text) == [text] and text[-2:-1] not in ".!?"


UNKNOWN_CLASS_SHARE = 0.5
"""Share of unchanged words above which a residue is that of words T does not know."""
NOT_SHOWN = "?"
"""Placeholder for the residue of a frame in which no form was found."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Word in its frames: those that give forms, those of behaviour, and ``alone``.

    None stands for a frame in which no form was found.
    """

    word: WordCandidate
    in_frames: tuple[FrameReading | None, ...]
    in_behaviour_frames: tuple[FrameReading | None, ...] = ()
    alone: FrameReading | None = None

    @property
    def readings(self) -> tuple[FrameReading, ...]:
        """Readings of the frames that gave a form, in order; the first has the residue."""
        return tuple(reading for reading in self.in_frames if reading is not None)

    @property
    def residue(self) -> str:
        """Residue of the first frame that shows a form."""
        return self.readings[0].residue if self.readings else NOT_SHOWN


def select_known_proposals(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Select the proposals whose word T knows.

    A word that changes in some frame is known. A word that never changes is a cognate (*hospital*)
    where words of its kind have one frame, and its residue is that of known words; the residue of
    an unknown word is one in which nearly all words are unchanged. Where a kind has several frames,
    they request different numbers or persons, and a word that is the same in all of them is not
    known.
    """
    present = [proposal for proposal in proposals if proposal.readings]
    unchanged: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for proposal in present:
        total[proposal.word.tag, proposal.residue] += 1
        unchanged[proposal.word.tag, proposal.residue] += not _changes(proposal)

    def is_cognate(proposal: Proposal) -> bool:
        kind = proposal.word.tag, proposal.residue
        return (
            may_stay_unchanged(proposal.word.tag)
            and unchanged[kind] <= UNKNOWN_CLASS_SHARE * total[kind]
        )

    return [proposal for proposal in present if _changes(proposal) or is_cognate(proposal)]


COGNATES = ("NN", "NNS", "CD", "JJ-S", "MONTH", "WEEKDAY")
"""Tags whose frames all request one form, so that an unchanged word may be a known one."""


def may_stay_unchanged(tag: str) -> bool:
    """Return True if words of ``tag`` may be known although they come back unchanged."""
    return tag in COGNATES or penn_tag(tag) in COGNATES


MOST_LEFT = 400
"""Maximum number of words of one tag that are kept as untranslated: a pool, not a list of all."""
LEAST_SEEN = 2


def make_untranslated_entries(
    proposals: Iterable[Proposal], accepted: Iterable[Proposal], share: float
) -> list[Entry]:
    """Make entries, under tags of their own, of the commonest words that T leaves unchanged.

    T treats one unknown word like another. These entries therefore stand in for the words of a text
    that no dictionary has.
    """
    known_words = {proposal.word.word for proposal in accepted}
    counts: Counter[str] = Counter()
    entries = []
    for proposal in sorted(proposals, key=lambda proposal: -proposal.word.count):
        word, tag = proposal.word.word, proposal.word.tag
        fits = (
            proposal.readings
            and not _changes(proposal)
            and " " not in word
            and word not in known_words
        )
        if fits and proposal.word.count >= LEAST_SEEN and counts[tag] < MOST_LEFT:
            counts[tag] += 1
            form = Form(word, 1.0)
            entries.append(Entry(word, LEFT_PREFIX + tag, (form,), "", 1.0, 2 * share))
    return entries


def _changes(proposal: Proposal) -> bool:
    return any(reading.form != proposal.word.word for reading in proposal.readings)


def make_proposed_entry(proposal: Proposal, senses: str, share: float) -> Entry:
    """Make the entry of a known word; each frame cost ``share`` of a call.

    The agreement class has three parts: the text that T writes around the word, with the pattern of
    equal forms; the effect on the words before or after it; the parts of speech it may be.
    """
    features: dict[str, list[str]] = defaultdict(list)
    for reading in proposal.readings:
        features[reading.form].append(reading.feature)
    behaviour = FRAME_SEPARATOR.join(
        reading.residue if reading else NOT_SHOWN for reading in proposal.in_behaviour_frames
    )
    around = proposal.residue
    if len(proposal.in_frames) > 1:
        around += f" {encode_pattern([reading.form for reading in proposal.readings])}"
    parts = (around, behaviour, senses)
    return Entry(
        word=proposal.word.word,
        tag=proposal.word.tag,
        forms=tuple(
            Form(text, 0.0, tuple(frame_features)) for text, frame_features in features.items()
        ),
        agreement=PART_SEPARATOR.join(part for part in parts if part),
        confidence=0.0,
        calls=share * (len(proposal.in_frames) + len(proposal.in_behaviour_frames)),
    )


def encode_pattern(forms: Sequence[str]) -> str:
    """Encode the equal ``forms``: ``0011`` for *grande, grande, grandes, grandes*.

    The pattern separates words that vary with their neighbours from words that do not.
    """
    order = list(dict.fromkeys(forms))
    return "".join(str(order.index(form)) for form in forms)
