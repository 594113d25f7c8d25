"""Stage 5: decode answers into translations of the original text, or say why there is none.

Entry: ``decode`` -> ``_decode`` (documents with the same treatment) -> ``_draft``, if a model on
this machine can, -> ``restore`` for each sentence -> ``_restore_by``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from prism_core import decoding, drafts, encoding
from prism_core.alignment import Span, Translation
from prism_core.dictionary import Dictionary, Glossary
from prism_core.errors import PrismError, sanitize_errors
from prism_core.languages import load_language, read_words
from prism_core.margins import find_lead
from prism_core.record import Encoded, Kind
from prism_core.settings import DecodingSettings, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.run import Run, stage
from prism_core.state import (
    LOCAL_BETTER,
    WHOLE,
    Answered,
    Answers,
    Chunk,
    Part,
    Restoration,
    SentenceStatus,
)
from prism_core.translation_memory import WORD_ALONE, is_unclear_alone

FAULT = "decoder-fault"
_PERSON = "PERSON"
ADDED = "added"
"""Prefix of the reason of a sentence whose answer contains text that nothing sent accounts for."""
_AGAIN = (SentenceStatus.NEW, SentenceStatus.SENT)


@stage("decode", in_workers=True)
def decode(run: Run, chunk: Chunk, part: Part = WHOLE) -> StageResult:
    """Decode the answered sentences of a ``part`` of ``chunk``.

    ``again`` in the result counts sentences that could not be restored. Where markup helps, the
    same text is sent once more with its words marked, which shows the translator no other word;
    this is not done where ε is bounded. Otherwise, and where markup did not help, the sentence
    waits until the lost words are drawn anew, and is sent with those; the earlier requests and
    answers are kept for that. After ``Encoder.most_draws`` encodings a sentence is left in the
    source language. Words are looked for by elimination where the settings
    (``decoding.elimination``) say so; a translation that only elimination completes is kept for the
    case that no more of the sentence may be sent.
    """
    groups = run.by_treatment(chunk)
    counted = [_decode(run, treatment, group, part) for treatment, group in groups.items()]
    run.store.decoys.settle(chunk, part)
    return StageResult(
        documents=len(chunk),
        sentences=sum(group.sentences for group in counted),
        again=sum(group.again for group in counted),
    )


def _decode(run: Run, treatment: Treatment, chunk: Chunk, part: Part) -> StageResult:
    """Decode documents that have the same treatment."""
    store, encoder = run.store, run.encoder(treatment)
    settings = run.job.under(treatment).settings
    marks_help = any(to.asked_marks == "lost" for to in settings.translators)
    asked, drafter = run.job.settings.decoding, run.encoders.drafter(treatment)
    chooses = settings.on_withheld == "local" and encoder.mechanism.restores
    pair = run.job.under(treatment).source, run.job.target
    leads = (find_lead(*pair, to.name) for to in settings.translators)
    lead = min(leads) if chooses else None
    sentences = again = 0
    for batch in store.sentences.answered(chunk, part, treatment.source):
        drafted_of = sanitize_errors(partial(_draft, drafter, batch, lead)) if drafter else {}
        restored = []
        for answered in batch:
            drafted = drafted_of.get(answered.id, Drafted(answered.all_answers))
            found = restore(encoder, asked, drafted, answered, marks_help=marks_help)
            restored.append(mark_doubts(found, drafted, answered.source, pair))
        if drafter is not None:
            glossary = encoder.dictionary.glossary
            restored = _estimate(drafter, glossary, batch, drafted_of, restored)
        store.sentences.set_restored(restored)
        sentences += len(batch)
        again += sum(restoration.status in _AGAIN for restoration in restored)
    return StageResult(sentences=sentences, again=again)


def _estimate(
    drafter: drafts.Drafter,
    glossary: Glossary,
    batch: Sequence[Answered],
    drafted_of: Mapping[str, Drafted],
    restored: Sequence[Restoration],
) -> list[Restoration]:
    """Estimate the quality of translations, except those that the local model replaces."""
    rated = {
        n: (answered.source, found.text, draft.text)
        for n, (answered, found) in enumerate(zip(batch, restored, strict=True))
        if (draft := drafted_of[answered.id].draft) and found.reason != LOCAL_BETTER and found.text
    }
    found = list(restored)
    for n, rating in zip(rated, drafter.rate([*rated.values()], glossary), strict=True):
        found[n] = replace(found[n], quality=rating.quality)
        if rating.faults:
            found[n] = _mark_unsure(found[n], ", ".join(sorted(rating.faults)))
    return found


@dataclass(frozen=True, slots=True)
class Drafted:
    """Answers to a sentence with the links that are known, and a draft, if there is one.

    Where the model on this machine is likely better, its translation is written: in clear the
    translator has a ``lead`` over it, in chrF. None: it is not written.
    """

    answers: Answers
    draft: drafts.AlignedDraft | None = None
    lead: float | None = None


def _draft(
    drafter: drafts.Drafter, batch: Sequence[Answered], lead: float | None
) -> dict[str, Drafted]:
    """Draft the sentences of ``batch``, and link the answers to what was sent, on this machine."""
    found = drafter.draft([answered.source for answered in batch])
    answers = [answer for answered in batch for answer in answered.all_answers]
    linked = iter(drafter.align([(encoded.text, answer) for encoded, answer in answers]))
    return {
        answered.id: Drafted(
            tuple((encoded, next(linked)) for encoded, _ in answered.all_answers), draft, lead
        )
        for answered, draft in zip(batch, found, strict=True)
    }


def restore(
    encoder: encoding.Encoder,
    asked: DecodingSettings,
    drafted: Drafted,
    answered: Answered,
    *,
    marks_help: bool,
) -> Restoration:
    """Restore one answered sentence, or choose how it is sent again."""
    last = answered.draws >= encoder.most_draws
    # Under a bounded ε, asking again would reveal that the lost word had been replaced.
    to_mark = marks_help and not answered.marked and not encoder.bounds_epsilon
    eliminates = asked.elimination == "always" or (asked.elimination == "last" and last)
    # Markup is more reliable than the usual translation of a word, so it is tried first.
    ways = decoding.SearchStrategy
    left_out = decoding.UNSURE if to_mark else frozenset() if eliminates else {ways.ELIMINATION}
    try:
        draws = [decoding.AnsweredDraw.of(answered.source, *draw) for draw in drafted.answers]
        found = _restore_by(frozenset(ways) - left_out, encoder, answered, draws, drafted)
        # The fallback if no more of the sentence may be sent.
        fallback = None
        if found.text is None and asked.elimination == "last" and not (last or to_mark):
            fallback = _restore_by(frozenset(ways), encoder, answered, draws, drafted)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd answer leaves its sentence untranslated)
        return Restoration(answered.id, SentenceStatus.WITHHELD, reason=FAULT)
    if found.text is not None:
        return found
    if last and not to_mark:
        return replace(found, status=SentenceStatus.WITHHELD, reason=encoding.UNRESTORED)
    if fallback is not None and fallback.text is not None:
        found = fallback
    status = SentenceStatus.SENT if to_mark else SentenceStatus.NEW
    return replace(found, status=status, marked=to_mark, earlier=answered.all_answers)


def mark_doubts(
    restored: Restoration, drafted: Drafted, text: str, pair: tuple[str, str]
) -> Restoration:
    """Mark a translation of ``text`` whose negations, modal verbs or numbers are others as unsure.

    Separators of numbers are corrected. Marked is also a word in a sense that is hardly meant, and
    one word of several senses, since a dictionary cannot tell which one it has. Where the model on
    this machine may translate the sentence, and does better, it does instead.
    """
    if restored.text is None or restored.reason == LOCAL_BETTER:
        return restored
    separated, doubts = _find_changes(text, restored.text, pair)
    written = drafts.rewrite(restored.text, separated, restored.alignment)
    restored = replace(restored, text=written.text, alignment=tuple(written.matches))
    if is_unclear_alone(text, pair[0]):
        doubts.add(WORD_ALONE)
    if not doubts:
        return restored
    draft = drafted.draft
    if drafted.lead is not None and draft and not _find_changes(text, draft.text, pair)[1]:
        return replace(restored, reason=LOCAL_BETTER)
    return _mark_unsure(restored, ", ".join(sorted(doubts)))


def _find_changes(
    text: str, translation: str, pair: tuple[str, str]
) -> tuple[Mapping[Span, str], set[str]]:
    """Return numbers of a translation of ``text`` to separate otherwise, and what it changes."""
    numbers, is_other = drafts.check_numbers(text, translation, load_language(pair[0]), pair[1])
    changes = {*map(str, drafts.find_changes(text, translation, *pair))}
    if drafts.find_wrong_senses(text, translation, *pair):
        changes.add(drafts.Fault.SENSE.value)
    if is_other:
        changes.add(drafts.Fault.NUMBER.value)
    return numbers.rewritten, changes


def _mark_unsure(restored: Restoration, doubts: str) -> Restoration:
    reason = "; ".join(filter(None, (restored.reason, doubts)))
    return replace(restored, reason=reason, unsure=True)


def _restore_by(
    strategies: Collection[decoding.SearchStrategy],
    encoder: encoding.Encoder,
    answered: Answered,
    draws: Sequence[decoding.AnsweredDraw],
    drafted: Drafted,
) -> Restoration:
    """Restore the sentence from ``draws`` with the given ``strategies``.

    Ordinary words get the forms of the draft, and a sentence with a word that stays in the source
    language is the draft's. The result has no text if a substitute was not found.
    """
    encoded, decoded = encoder.decode_draws(draws, strategies)
    counted = Restoration(
        answered.id,
        SentenceStatus.DONE,
        to_restore=encoded.to_restore,
        restored=decoded.restored + decoded.fallback,
        ways=decoded.strategies_counted,
    )
    if decoded.unrestored:
        return counted
    places = decoding.align(answered.source, encoded, decoded)
    text, untranslated = Translation(decoded.text, places), decoded.untranslated
    reason = f"{ADDED}: {', '.join(sorted(decoded.added))}" if decoded.added else ""
    if (draft := drafted.draft) is not None:
        terms = encoder.dictionary.glossary
        words = decoding.replaced_words(answered.source, encoded, decoded, terms)
        changes = drafts.fuse(decoded.text, words, draft, encoder.dictionary.target)
        text = drafts.rewrite(decoded.text, changes, places)
        untranslated = drafts.count_left(
            text.text, draft, _words_to_translate(encoded, encoder.dictionary)
        )
        lead = drafted.lead
        if lead is not None and (untranslated or drafts.prefers_local(text.text, draft.text, lead)):
            reason = LOCAL_BETTER
    return replace(
        counted,
        text=text.text,
        reason=reason,
        alignment=tuple(text.matches),
        unsure=decoded.is_unsure,
        untranslated=untranslated,
    )


def _words_to_translate(encoded: Encoded, dictionary: Dictionary) -> list[str]:
    """Return the original words that no dictionary has, and the names that a person hardly has.

    Such a name is an ordinary word, or a place, a people or an abbreviation.
    """
    plain, words = read_words(dictionary.language.plain), list[str]()
    for replacement in encoded.record:
        word, is_wanted = replacement.word, replacement.kind is Kind.UNKNOWN
        if replacement.kind is Kind.NAME:
            is_known = word in dictionary.exonyms or word.isupper() or dictionary.knows(word)
            is_wanted = word.lower() in plain or (is_known and replacement.tag != _PERSON)
        if is_wanted:
            words.append(word)
    return words
