"""Frames: short source sentences with one open place, which a translator fills in by inflecting.

A frame costs one call a word and gives the inflected form for one slot. What the translator
writes *around* the form ("El _", "La _") is the residue, and the residue is the agreement class:
nothing of the target language's grammar is written here. See docs/dictionary.md.

Several such sentences are asked in one text, and each costs a share of a call (``translate_packed``).

Entry: ``translate_packed`` for the sentences of a language's frames, then ``FrameReader.filled``; what
they show of a word: ``select_known_proposals``, then ``make_proposed_entry`` for each and
``make_untranslated_entries`` for the others. ``find_stable_names``: public names that are written one way
wherever they stand.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from prism_core.building.word_candidates import Candidate
from prism_core.dictionary import LEFT_PREFIX, Entry, Form, target_tokens
from prism_core.language import Sentence, penn_tag
from prism_core.languages import Frame, Frames, Language

COMMON_SHARE = 0.04
"""A target token in more than this share of a frame's outputs belongs to the frame."""
LONGEST_FORM = 6
"""A form of more tokens than this is no word translation."""
PLACE = "_"


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What one frame shows of one word: its form, and the residue around it."""

    feature: str
    form: str
    residue: str


class FrameReader:
    """Reads forms and residues off the outputs of one frame for many words.

    ``outputs`` are the translations of the frame filled with each word. What most outputs share
    is the frame's; the run of tokens they do not share is the word's.
    """

    def __init__(self, frame: Frame, outputs: Sequence[str]) -> None:
        self.frame = frame
        self._tokens = [target_tokens(output) for output in outputs]
        seen = Counter(token for tokens in self._tokens for token in set(tokens))
        threshold = max(3.0, COMMON_SHARE * len(outputs))
        self._common = {token for token, count in seen.items() if count > threshold}

    def filled(self) -> list[FrameReading | None]:
        """One for each output, in order; None where no single run of tokens is the word's."""
        return [self._read(tokens) for tokens in self._tokens]

    def _read(self, tokens: Sequence[str]) -> FrameReading | None:
        own = [index for index, token in enumerate(tokens) if token not in self._common]
        if not own or own[-1] - own[0] >= LONGEST_FORM:
            return None
        first, last = own[0], own[-1] + 1
        form = " ".join(tokens[first:last])
        if not form.replace(" ", "").isalpha():
            return None
        residue = " ".join([*tokens[:first], PLACE, *tokens[last:]])
        return FrameReading(self.frame.feature, form, residue)


_SENTENCE = re.compile(r"[^.!?]*[.!?]+")

Ask = Callable[[Sequence[str]], list[str]]
"""T for one language pair: as many texts back, in order."""


def translate_packed(ask: Ask, sentences: Sequence[str], size: int) -> list[str]:
    """The translation of each sentence, ``size`` of them to a text, in order.

    Every sentence must end with a full stop and hold no other. An answer with more or fewer
    sentences than were sent is not guessed at: its sentences are asked one by one.
    """
    packs = [sentences[start : start + size] for start in range(0, len(sentences), size)]
    answers = ask([" ".join(pack) for pack in packs])
    parts = []
    for answer in answers:
        found = _SENTENCE.findall(answer)
        is_whole = "".join(found) == answer.rstrip()
        parts.append([part.strip() for part in found] if is_whole else [])
    doubtful = [i for i, pack in enumerate(packs) if len(parts[i]) != len(pack)]
    alone = iter(ask(list(chain.from_iterable(packs[i] for i in doubtful))) if doubtful else [])
    for index in doubtful:
        parts[index] = [next(alone) for _ in packs[index]]
    return list(chain.from_iterable(parts))


def is_one_sentence(text: str) -> bool:
    """Whether ``text`` can be packed: it ends with its only full stop."""
    return _SENTENCE.findall(text) == [text] and text[-2:-1] not in ".!?"


UNKNOWN_CLASS_SHARE = 0.5
"""In the class of words that T does not know, more than this share comes back unchanged."""
NOT_SHOWN = "?"
"""Stands for the residue of a frame in which no form was found."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A word in its frames: ``shown`` in those that give forms, ``after`` in those of behaviour."""

    word: Candidate
    shown: tuple[FrameReading | None, ...]
    after: tuple[FrameReading | None, ...] = ()

    @property
    def filled(self) -> tuple[FrameReading, ...]:
        """The frames in which a form was found."""
        return tuple(one for one in self.shown if one is not None)

    @property
    def residue(self) -> str:
        """The residue of the first frame that shows a form."""
        return self.filled[0].residue if self.filled else NOT_SHOWN


def select_known_proposals(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Those that T knows.

    A word that changes in some frame is known. One that never does is a cognate (*hospital*) where
    words of its kind have one frame, and its residue is that of known words; a word T does not
    know falls into a residue where nearly everything is unchanged. Where a kind has several
    frames, they ask for different numbers or persons, and a word that is the same in all of them
    is not known.
    """
    present = [proposal for proposal in proposals if proposal.filled]
    unchanged: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for one in present:
        total[one.word.tag, one.residue] += 1
        unchanged[one.word.tag, one.residue] += not _changes(one)

    def is_cognate(one: Proposal) -> bool:
        kind = one.word.tag, one.residue
        return (
            may_stay_unchanged(one.word.tag)
            and unchanged[kind] <= UNKNOWN_CLASS_SHARE * total[kind]
        )

    return [one for one in present if _changes(one) or is_cognate(one)]


COGNATES = ("NN", "NNS", "CD", "JJ-S", "MONTH", "WEEKDAY")
"""Tags whose frames all ask for one form, so that an unchanged word may be a known one."""


def may_stay_unchanged(tag: str) -> bool:
    """Whether words of ``tag`` may be known although they come back as they are."""
    return tag in COGNATES or penn_tag(tag) in COGNATES


MOST_LEFT = 400
"""Words of one tag that are kept as left as they are: a pool, not a list of all."""
LEAST_SEEN = 2


def make_untranslated_entries(
    proposals: Iterable[Proposal], accepted: Iterable[Proposal], share: float
) -> list[Entry]:
    """Public words that T leaves as they are, under tags of their own: the commonest of each tag.

    What T does with a word it does not know it will do with another: so these stand in for the
    words of a text that no dictionary has.
    """
    known_words = {one.word.word for one in accepted}
    counts: Counter[str] = Counter()
    entries = []
    for one in sorted(proposals, key=lambda one: -one.word.count):
        word, tag = one.word.word, one.word.tag
        fits = one.filled and not _changes(one) and " " not in word and word not in known_words
        if fits and one.word.count >= LEAST_SEEN and counts[tag] < MOST_LEFT:
            counts[tag] += 1
            form = Form(word, 1.0)
            entries.append(Entry(word, LEFT_PREFIX + tag, (form,), "", 1.0, 2 * share))
    return entries


def _changes(proposal: Proposal) -> bool:
    return any(shown.form != proposal.word.word for shown in proposal.filled)


def make_proposed_entry(proposal: Proposal, senses: str, share: float) -> Entry:
    """The entry of a known word; each frame cost ``share`` of a call.

    The agreement class has three parts: what T writes around the word and which of its forms are
    alike; what it does to what stands before or after; the parts of speech it may be.
    """
    features: dict[str, list[str]] = defaultdict(list)
    for one in proposal.filled:
        features[one.form].append(one.feature)
    after = " / ".join(one.residue if one else NOT_SHOWN for one in proposal.after)
    around = proposal.residue
    if len(proposal.shown) > 1:
        around += f" {encode_pattern([one.form for one in proposal.filled])}"
    parts = (around, after, senses)
    return Entry(
        word=proposal.word.word,
        tag=proposal.word.tag,
        forms=tuple(Form(text, 0.0, tuple(seen)) for text, seen in features.items()),
        agreement=" | ".join(part for part in parts if part),
        confidence=0.0,
        calls=share * (len(proposal.shown) + len(proposal.after)),
    )


def encode_pattern(forms: Sequence[str]) -> str:
    """Which of ``forms`` are alike: ``0011`` for *grande, grande, grandes, grandes*.

    It tells apart words that vary with their neighbours from words that do not.
    """
    order = list(dict.fromkeys(forms))
    return "".join(str(order.index(form)) for form in forms)


PACKED = 8


def list_name_contexts(language: Language) -> tuple[str, ...]:
    """The sentences that every name is put into."""
    frames = language.frames
    return (frames.name.text, *frames.name_contexts, *chain.from_iterable(frames.alike))


def find_stable_names(
    names: Sequence[tuple[str, str]], ask: Ask, language: Language, packed: int = PACKED
) -> list[Entry]:
    """The entries of those ``names`` that are written one way in every context.

    ``packed`` sentences make a text.
    """
    contexts, frame = list_name_contexts(language), language.frames.name
    answers = {
        context: translate_packed(ask, [context.format(name) for name, _ in names], packed)
        for context in contexts
    }
    forms = FrameReader(frame, answers[frame.text]).filled()
    entries = []
    for index, (name, tag) in enumerate(names):
        own = {context: answers[context][index] for context in contexts}
        if not (found := forms[index]):
            continue
        answer = own[frame.text]
        start = answer.lower().find(found.form)  # forms are in lower case
        text = answer[start : start + len(found.form)] if start >= 0 else ""
        if text[:1].isupper() and _is_stable(text, own, language.frames):
            entries.append(
                Entry(name, tag, (Form(text, 1.0, ("name",)),), "", 1.0, len(own) / packed)
            )
    return entries


def _is_stable(form: str, answers: Mapping[str, str], frames: Frames) -> bool:
    everywhere = all(
        re.search(rf"(?<!\w){re.escape(form)}(?!\w)", answers[context])
        for context in (*frames.name_contexts, *chain.from_iterable(frames.alike))
    )
    (genitive, of), (first, later) = frames.alike
    after = answers[first].partition(form)[2]
    # Catalan may begin with a small letter there, Esperanto lose a blank.
    one, other = ("".join(answers[context].split()).casefold() for context in (genitive, of))
    return everywhere and one == other and answers[later].endswith(after)


METHOD = "names"
_WORDS = re.compile(r"\w+")


def find_unchanged_names(
    sentences: Sequence[Sentence],
    targets: Mapping[str, Sequence[str]],
    names: Sequence[tuple[str, str]],
    built: str = "",
) -> list[Entry]:
    """The entries of those ``names`` (name, tag) that every translation of every sentence keeps.

    Only a token tagged as a name is a sighting. A name that was never seen has no entry: of those
    that were, one in twenty is translated (*Francis*, *Virginia*). ``confidence`` is
    (n + .5) / (n + 1) for n sightings.
    """
    wanted = {name for name, _ in names}
    seen: Counter[str] = Counter()
    changed: set[str] = set()
    for index, sentence in enumerate(sentences):
        present = {t.text for t in sentence.tokens if t.tag in ("NNP", "NNPS")} & wanted
        for lines in targets.values() if present else ():
            seen.update(present)
            changed |= present - set(_WORDS.findall(lines[index]))
    return [
        Entry(
            word=name,
            tag=tag,
            forms=(Form(name, score=1.0, features=("name",)),),
            agreement="",
            confidence=(seen[name] + 0.5) / (seen[name] + 1),
            calls=0.0,
            translator=translator,
            method=METHOD,
            built=built,
        )
        for name, tag in names
        if seen[name] and name not in changed
        for translator in targets
    ]
