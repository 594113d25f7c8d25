"""Attack of a translator that drops words from its answers, to be sent other encodings.

What differs between two encodings of a sentence is a substitute, and what it left out and is still
the same was kept. It is taken to know which requests are of one sentence, and never to be stopped.

Entry: ``observe_asking``, which plays the translator against an encoder, then
``attack_by_dropping_words``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random

from prism_core.decoding import STRONG, AnsweredDraw, SearchStrategy
from prism_core.dictionary import Dictionary
from prism_core.evaluation.adversaries.base import AskedSentence, Case, Words
from prism_core.evaluation.adversaries.observer import Observer, tokens_sent
from prism_core.evaluation.findings import Finding, share
from prism_core.language import Sentence
from prism_core.record import Encoded, Kind
from prism_core.recovery import redraw_allowance
from prism_core.settings import DecodingSettings

LeaveOut = Callable[[Words, Sequence[int], Collection[int]], set[int]]
"""Places to drop, by the sent tokens, those of content words, and guessed substitutes.
"""
_EVERY = 5


LEFT_OUT: Mapping[str, LeaveOut] = {
    "capitals": lambda tokens, *_: {p for p, word in enumerate(tokens) if word[0].isupper()},
    "fifth": lambda _, content, __: set(content[::_EVERY]),
    # All words that may have been kept, and one that was not, to be asked for it.
    "suspects": lambda _, content, guessed: {*content} - {*guessed} | {*sorted(guessed)[:1]},
}
"""Choices of dropped places, by the name of the attack."""


def observe_asking(seen: Observer, sentences: Sequence[Sentence]) -> Iterator[AskedSentence]:
    """Yield what ``seen`` sends of ``sentences`` to a translator that drops words of its answers.

    It gives back everything else as the dictionary has it, and is sent as much as a run may send.
    """
    encoder = seen.encoder
    for way, leave_out in LEFT_OUT.items():
        firsts = [
            (sentence, encoded) for sentence in sentences if (encoded := seen.encode(sentence))
        ]
        room = redraw_allowance(len(firsts), DecodingSettings().redraws)
        for sentence, encoded in firsts:
            cut = encoder.cut(sentence, seen.deny_list)
            shown = [tokens_sent(encoder.fit(cut, encoded), encoded)]
            words = tuple(text for _, text in shown[0])
            is_kept = encoder.dictionary.language.is_function_word
            content = [p for p, text in enumerate(words) if text.isalpha() and not is_kept(text)]
            left = leave_out(words, content, {place for _, place in seen.guess([words])})
            draws: list[AnsweredDraw] = []
            while True:
                draws.append(AnsweredDraw(encoded, _answer(encoder.dictionary, cut, encoded, left)))
                is_last = len(draws) == encoder.most_draws
                strategies = frozenset(SearchStrategy) if is_last else STRONG
                if is_last or not room or not encoder.decode_draws(draws, strategies)[1].unrestored:
                    break
                encoded = encoder.encode_again(sentence, draws, seen.deny_list, seen.rng)
                if encoded.withheld:
                    break
                room -= 1
                shown.append(tokens_sent(encoder.fit(cut, encoded), encoded))
            replaced = {replacement.position for replacement in draws[0].encoded.record}
            kept = {place for place in content if shown[0][place][0] not in replaced}
            later = [dict(tokens) for tokens in shown]  # one may replace several tokens as one
            sent = tuple(tuple(encoding.get(at, "") for at, _ in shown[0]) for encoding in later)
            yield AskedSentence(way, sent, frozenset(content), frozenset(left), frozenset(kept))


def _answer(
    dictionary: Dictionary, cut: Sentence, encoded: Encoded, left_out: Collection[int]
) -> str:
    """Return the answer: every substitute translated by the dictionary, kept words as they are."""
    forms = {replacement.position: replacement.substitute for replacement in encoded.record}
    for replacement in encoded.record:
        entry = dictionary.find(replacement.substitute, replacement.drawn_as)
        if replacement.kind is Kind.NAME:
            forms[replacement.position] = dictionary.translate_surrogate(replacement.substitute)
        elif entry and entry.forms.texts:
            forms[replacement.position] = entry.forms.texts[0]
    return " ".join(
        forms.get(position, text)
        for place, (position, text) in enumerate(tokens_sent(cut, encoded))
        if place not in left_out
    )


def attack_by_dropping_words(case: Case, _rng: Random) -> Iterator[Finding]:
    """Guess which sentences are sent again and which words were kept, for each choice of places.

    ``kept-alike`` takes all for kept that are the same in every encoding, ``kept-left-out`` those
    that were left out and are the same; ``kept-found`` is how many kept words that finds, where a
    blind guess finds none.
    """
    for way in LEFT_OUT:
        asked = [sentence for sentence in case.asked if sentence.way == way]
        again = [sentence for sentence in asked if len(sentence.sent) > 1]
        yield share(f"asked-again@{way}", len(again), 0.0, len(asked))
        words = sum(len(sentence.content) for sentence in again)
        kept = sum(len(sentence.kept) for sentence in again)
        alike = [(sentence.alike, sentence.kept) for sentence in again]
        left = [(sentence.alike & sentence.left_out, sentence.kept) for sentence in again]
        for attack, named in (("kept-alike", alike), ("kept-left-out", left)):
            hits = sum(len(places & kept_places) for places, kept_places in named)
            n = sum(len(places) for places, _ in named)
            yield share(f"{attack}@{way}", hits, kept / max(words, 1), n)
        every = sum(len(sentence.kept) for sentence in asked)
        yield share(f"kept-found@{way}", hits, 0.0, every)  # those of kept-left-out
