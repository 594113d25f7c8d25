"""Stage 5: answers into translations of what was written, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from prism_core.decoding import UNSURE, AnsweredDraw, Way, align, link_places
from prism_core.encoding import UNRESTORED, Encoder
from prism_core.errors import PrismError
from prism_core.settings import DecodingSettings, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.run import Run, stage
from prism_core.state import WHOLE, Answered, Chunk, Part, Restoration, SentenceStatus

FAULT = "decoder-fault"
ADDED = "added"
"""Begins what is said of a sentence whose answer has what nothing that was sent can be it for."""
_AGAIN = (SentenceStatus.NEW, SentenceStatus.SENT)


@stage("decode", in_workers=True)
def decode(run: Run, chunk: Chunk, part: Part = WHOLE) -> StageResult:
    """Decode the answered sentences of a ``part`` of ``chunk``.

    ``again`` in the result counts those that could not be restored. Where marks help, the very same
    text is sent once more with its words marked, which shows the translator no other word; not
    where ε is bounded. Else, and
    where that did not help, they wait for what was lost to be drawn anew, and are sent so; what was
    sent and what came back is kept for that. After ``Encoder.most_draws``
    encodings a sentence is left in the source language. By elimination words are looked for where
    the settings (``decoding.elimination``) say so; what only that finds is kept for the case that
    no more of the sentence may be sent.
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
    """Decode documents that are treated alike."""
    store, encoder = run.store, run.encoder(treatment)
    translators = run.job.under(treatment).settings.translators
    marks_help = any(settings.asked_marks == "lost" for settings in translators)
    asked = run.job.settings.decoding
    sentences = again = 0
    for batch in store.sentences.answered(chunk, part, treatment.source):
        restored = [_restore(encoder, asked, a, marks_help=marks_help) for a in batch]
        store.sentences.set_restored(restored)
        sentences += len(batch)
        again += sum(restoration.status in _AGAIN for restoration in restored)
    return StageResult(sentences=sentences, again=again)


def _restore(
    encoder: Encoder, asked: DecodingSettings, answered: Answered, *, marks_help: bool
) -> Restoration:
    last = answered.draws >= encoder.most_draws
    # Under a bounded ε to ask again would tell that what was lost had been replaced.
    to_mark = marks_help and not answered.marked and not encoder.bounds_epsilon
    eliminates = asked.elimination == "always" or (asked.elimination == "last" and last)
    # Marks tell more surely than what usually stands for a word: they are asked for first.
    left_out = UNSURE if to_mark else frozenset() if eliminates else {Way.ELIMINATION}
    try:
        draws = [
            AnsweredDraw(encoded, answer.text, link_places(answered.source, encoded, answer))
            for encoded, answer in answered.all_answers
        ]
        found = _restore_by(frozenset(Way) - left_out, encoder, answered, draws)
        # What is left if no more of it may be sent.
        rest = None
        if found.text is None and asked.elimination == "last" and not (last or to_mark):
            rest = _restore_by(frozenset(Way), encoder, answered, draws)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd answer; the sentence stays as it was)
        return Restoration(answered.id, SentenceStatus.WITHHELD, reason=FAULT)
    if found.text is not None:
        return found
    if last and not to_mark:
        return replace(found, status=SentenceStatus.WITHHELD, reason=UNRESTORED)
    if to_mark:
        status = SentenceStatus.SENT
    else:
        status, found = SentenceStatus.NEW, found if rest is None or rest.text is None else rest
    return replace(found, status=status, marked=to_mark, earlier=answered.all_answers)


def _restore_by(
    ways: Collection[Way], encoder: Encoder, answered: Answered, draws: Sequence[AnsweredDraw]
) -> Restoration:
    """What ``draws`` give when substitutes are looked for in ``ways``; without a text where one
    was not found."""
    encoded, decoded = encoder.decode_draws(draws, ways)
    counted = Restoration(
        answered.id,
        SentenceStatus.DONE,
        to_restore=encoded.to_restore,
        restored=decoded.restored + decoded.fallback,
        ways=decoded.ways_counted,
    )
    if decoded.unrestored:
        return counted
    return replace(
        counted,
        text=decoded.text,
        reason=f"{ADDED}: {', '.join(sorted(decoded.added))}" if decoded.added else "",
        alignment=align(answered.source, encoded, decoded),
        unsure=decoded.is_unsure,
        untranslated=decoded.untranslated,
    )
