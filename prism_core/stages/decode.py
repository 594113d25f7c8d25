"""Stage 5: answers into translations of what was written, or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace

from prism_core.decoding import UNSURE, Draw, Way, align, link_places
from prism_core.encoding import UNRESTORED, Encoder
from prism_core.errors import PrismError
from prism_core.settings import DecodingSettings, Treatment
from prism_core.stages.run import Counted, Run, stage
from prism_core.state import Answered, Chunk, Restoration, SentenceStatus

FAULT = "decoder-fault"
ADDED = "added"
"""Begins what is said of a sentence whose answer has what nothing that was sent can be it for."""
_AGAIN = (SentenceStatus.NEW, SentenceStatus.SENT)


@stage("decode", in_workers=True)
def decode(run: Run, chunk: Chunk) -> Counted:
    """Decode the answered sentences of ``chunk``.

    ``again`` in the result counts those that could not be restored. Where marks help, the very same
    text is sent once more with its words marked, which shows the translator nothing new. Else, and
    where that did not help, they wait for what was lost to be drawn anew, and are sent so; what was
    sent and what came back is kept for that. After ``Encoder.most_draws``
    encodings a sentence is left in the source language. By elimination words are looked for where
    the settings (``decoding.elimination``) say so.
    """
    groups = run.store.documents.by_treatment(chunk)
    counted = [_decode(run, treatment, group) for treatment, group in groups.items()]
    run.store.decoys.settle(chunk)
    return Counted(
        documents=len(chunk),
        sentences=sum(group.sentences for group in counted),
        again=sum(group.again for group in counted),
    )


def _decode(run: Run, treatment: Treatment, chunk: Chunk) -> Counted:
    """Decode documents that are treated alike."""
    store, encoder = run.store, run.encoder(treatment)
    translators = run.job.under(treatment).settings.translators
    marks_help = any(settings.asked_marks == "lost" for settings in translators)
    asked = run.job.settings.decoding
    sentences = again = 0
    for batch in store.sentences.answered(chunk):
        restored = [_restore(encoder, asked, a, marks_help=marks_help) for a in batch]
        store.sentences.set_restored(restored)
        sentences += len(batch)
        again += sum(restoration.status in _AGAIN for restoration in restored)
    return Counted(sentences=sentences, again=again)


def _restore(
    encoder: Encoder, asked: DecodingSettings, answered: Answered, *, marks_help: bool
) -> Restoration:
    last = answered.draws >= encoder.most_draws
    to_mark = marks_help and not answered.marked
    eliminates = asked.elimination == "always" or (asked.elimination == "last" and last)
    # Marks tell more surely than what usually stands for a word: they are asked for first.
    left_out = UNSURE if to_mark else frozenset() if eliminates else {Way.ELIMINATION}
    try:
        draws = [
            Draw(encoded, answer.text, link_places(answered.source, encoded, answer))
            for encoded, answer in answered.all_answers
        ]
        encoded, decoded = encoder.decode_draws(draws, frozenset(Way) - left_out)
        alignment = () if decoded.unrestored else align(answered.source, encoded, decoded)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd answer; the sentence stays as it was)
        return Restoration(answered.id, SentenceStatus.WITHHELD, reason=FAULT)
    done = Restoration(
        answered.id,
        SentenceStatus.DONE,
        text=decoded.text,
        reason=f"{ADDED}: {', '.join(sorted(decoded.added))}" if decoded.added else "",
        alignment=alignment,
        to_restore=encoded.to_restore,
        restored=decoded.restored + decoded.fallback,
        ways=decoded.ways_counted,
        unsure=decoded.is_unsure,
        untranslated=decoded.untranslated,
    )
    if not decoded.unrestored:
        return done
    lost = replace(
        done, text=None, reason="", unsure=False, untranslated=0, earlier=answered.all_answers
    )
    if to_mark:
        return replace(lost, status=SentenceStatus.SENT, marked=True)
    if last:
        return replace(lost, status=SentenceStatus.WITHHELD, reason=UNRESTORED, earlier=())
    return replace(lost, status=SentenceStatus.NEW)
