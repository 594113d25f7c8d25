"""Checks of the forms that frames show: a frame's own words belong to no form.

A translator that rewrites a sentence for one word (*The red police were there: a polícia vermelha
estava lá*) leaves words of the frame in a form. Each form is compared with the answers in which
those words cannot stand: that of the word alone, and those of other frames.

A form that has lost the negation of its word (*unregistered: registrado*) would say the opposite.
An entry none of whose forms is of its part of speech was misread.

Entry: ``check_forms`` of readings; ``drop_lost_negations``, ``drop_misread_entries`` of entries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from prism_core.building.associations import CORPUS
from prism_core.building.corpus_occurrences import NOUNS
from prism_core.building.frame_queries import FrameReading, Proposal, join_tokens
from prism_core.building.treebank import Endings
from prism_core.dictionary import ASSOCIATED, SLOT, Entry, common_start, target_tokens
from prism_core.language import penn_tag
from prism_core.languages import Language

USUAL_SHARE = 0.05
"""Share of a frame's readings from which on a residue is one that the frame usually has."""
LONGEST_ENDING = 3
"""Maximum number of letters in which inflections of a word differ at their ends."""
SHORTEST_START = 2
"""Minimum number of letters that they share."""
_NEGATABLE = frozenset({"JJ", "RB", "VBD", "VBG", "VBN"})
"""Tags of words whose prefix may be a negation."""
_ADVERBS = ("RB", "RBR", "RBS")


def check_forms(proposals: Sequence[Proposal], frame_words: Collection[str]) -> list[Proposal]:
    """Return ``proposals`` with words of the frames taken out of their forms.

    ``frame_words`` are the words that the frames have of their own, and the commonest words of the
    target language. A form that is left without a word of its own is dropped.
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for proposal in proposals:
        for reading in proposal.readings:
            counts[proposal.word.tag, reading.feature][reading.residue] += 1
    most_usual = {frame: residues.most_common(1)[0][0] for frame, residues in counts.items()}
    usual = {
        frame: {text for text, n in residues.items() if n >= USUAL_SHARE * residues.total()}
        for frame, residues in counts.items()
    }
    # The words that stand right before nouns, which a translator adds to a word alone.
    articles = {
        word
        for (tag, _), residues in usual.items()
        if penn_tag(tag) in NOUNS
        for residue in residues
        for word in residue.partition(SLOT)[0].split()[-1:]
    }

    def check(proposal: Proposal) -> Proposal:
        others = [
            _drop_articles(target_tokens(reading.form) if reading else [], articles)
            for reading in (proposal.alone, *proposal.in_behaviour_frames)
        ]
        alone = others[0]
        checked = []
        for reading in proposal.in_frames:
            if reading is not None:
                kind = proposal.word.tag, reading.feature
                if penn_tag(proposal.word.tag) in _ADVERBS:
                    reading = _join_adverb(reading, most_usual[kind], alone)
                is_usual = reading.residue in usual[kind]
                reading = _check_reading(_extend(reading, alone), is_usual, frame_words, others)
            checked.append(reading)
        return replace(proposal, in_frames=tuple(checked))

    return [check(proposal) for proposal in proposals]


def drop_lost_negations(entries: Iterable[Entry], language: Language) -> Iterator[Entry]:
    """Drop the forms of negated words that are forms of the same word without its prefix.

    An entry that is left without a form is dropped. Nouns and inflected verbs keep theirs: most
    with such a beginning are no negations (*inhabitant*, *imprint*).
    """
    entries = list(entries)
    texts: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.tag != ASSOCIATED:
            texts[entry.word].update(form.text.lower() for form in entry.forms)
    for entry in entries:
        opposite = set[str]()
        for prefix in language.words.negative_prefixes if entry.tag in _NEGATABLE else ():
            if entry.word.startswith(prefix):
                opposite |= texts.get(entry.word.removeprefix(prefix), set())
        kept = tuple(form for form in entry.forms if form.text.lower() not in opposite)
        if kept:
            yield entry if len(kept) == len(entry.forms) else entry.replace_forms(kept)


def _drop_articles(tokens: list[str], articles: Collection[str]) -> list[str]:
    while len(tokens) > 1 and tokens[0] in articles:
        tokens = tokens[1:]
    return tokens


def _join_adverb(reading: FrameReading, usual: str, alone: Sequence[str]) -> FrameReading:
    """Move the words before the slot that the ``usual`` residue has not into the adverb's form.

    Many adverbs are a preposition and a noun, which alone means another thing: *sem dúvida* for
    *undoubtedly*, and *sem saber*. A form that stands ``alone`` needs none.
    """
    before, _, after = reading.residue.partition(SLOT)
    frame, form = usual.partition(SLOT)[0].split(), target_tokens(reading.form)
    tokens = before.split()
    if form == alone or not frame or frame[-1] not in tokens:
        return reading
    own = tokens[len(tokens) - tokens[::-1].index(frame[-1]) :]
    rest = " ".join([*tokens[: len(tokens) - len(own)], SLOT]) + after
    return replace(reading, form=join_tokens([*own, *form]), residue=rest)


def _extend(reading: FrameReading, alone: Sequence[str]) -> FrameReading:
    """Widen the form of ``reading`` to that of the word ``alone`` if its residue has the rest.

    A word that many words have before them counts as the frame's: *em* of *em grande parte*.
    """
    form = target_tokens(reading.form)
    for start in range(len(alone) - len(form) + 1 if len(alone) > len(form) else 0):
        if alone[start : start + len(form)] == form:
            around = " ".join([*alone[:start], SLOT, *alone[start + len(form) :]])
            if f" {around} " in f" {reading.residue} ":
                residue = f" {reading.residue} ".replace(f" {around} ", f" {SLOT} ").strip()
                return replace(reading, form=join_tokens(alone), residue=residue)
    return reading


def _check_reading(
    reading: FrameReading,
    is_usual: bool,
    frame_words: Collection[str],
    others: Sequence[Sequence[str]],
) -> FrameReading | None:
    """Return ``reading`` without the words of its frame; None if no word of its own is left.

    A single word in a usual residue is the form (*foi*, which is also in a frame). So is what
    stands in one of ``others``, the answers without this frame, in any inflection.
    """
    tokens = target_tokens(reading.form)
    if len(tokens) == 1 and is_usual:
        return reading
    for length in range(len(tokens), 0, -1):
        for first in range(len(tokens) - length + 1):
            run = tokens[first : first + length]
            if any(_are_inflections(run, other) for other in others):
                return _narrow(reading, tokens, first, first + length)
    own = [index for index, token in enumerate(tokens) if token not in frame_words]
    if not own or len(own) < own[-1] + 1 - own[0]:
        return None
    return _narrow(reading, tokens, own[0], own[-1] + 1)


def _narrow(reading: FrameReading, tokens: Sequence[str], first: int, last: int) -> FrameReading:
    """Return ``reading`` with the form ``tokens[first:last]``; the other tokens are around it."""
    around = " ".join([*tokens[:first], SLOT, *tokens[last:]])
    form = join_tokens(tokens[first:last])
    return replace(reading, form=form, residue=reading.residue.replace(SLOT, around))


def _are_inflections(words: Sequence[str], others: Sequence[str]) -> bool:
    """Return True if two forms have the same words, each in any inflection."""

    def is_inflection(word: str, other: str) -> bool:
        shared = common_start(word, other)
        return word == other or (
            shared >= SHORTEST_START and max(len(word), len(other)) - shared <= LONGEST_ENDING
        )

    return len(words) == len(others) and all(map(is_inflection, words, others))


POSSIBLE_KINDS = {
    "JJ": ("ADJ", "VERB", "ADV"),
    "NN": ("NOUN", "ADJ", "PROPN"),
    "VB": ("VERB", "AUX", "ADJ"),
}
"""Parts of speech of the forms of a word, by the beginning of its tag; gerunds may be nouns too."""


def drop_misread_entries(entries: Iterable[Entry], endings: Endings) -> Iterator[Entry]:
    """Yield ``entries`` without tagger's errors read off texts: *overtime* as an adjective.

    The treebank supports none of the forms of such an entry. Where the word has no other reading
    for the same translator, such an adjective becomes a noun, and others stay, so that no word is
    lost.
    """
    entries = list(entries)
    read = [
        entry for entry in entries if entry.method == CORPUS and entry.tag[:2] in POSSIBLE_KINDS
    ]
    borne_out = {_get_key(entry) for entry in read if _is_borne_out(entry, endings)}
    others = {(word, translator) for word, _, translator in borne_out}
    misread = {_get_key(entry) for entry in read} - borne_out
    known = {_get_key(entry) for entry in entries}
    for entry in entries:
        noun = entry._replace(tag="NN", agreement="")
        if entry.method != CORPUS or _get_key(entry) not in misread:
            yield entry
        elif (entry.word, entry.translator) not in others:
            is_noun = entry.tag == "JJ" and _is_borne_out(noun, endings)
            yield noun if is_noun and _get_key(noun) not in known else entry


def _get_key(entry: Entry) -> tuple[str, str, str]:
    return *entry.key, entry.translator


def _is_borne_out(entry: Entry, endings: Endings) -> bool:
    kinds = POSSIBLE_KINDS[entry.tag[:2]] + (("NOUN",) if entry.tag == "VBG" else ())
    texts = entry.forms.texts
    return any(" " in text or endings.may_stand(text.lower(), kinds) for text in texts)
