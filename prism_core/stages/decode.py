"""Stage 5: answers into translations of what was written, or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace

from prism_core.decoding import UNSURE, Way, align, link_places
from prism_core.encoding import Encoder
from prism_core.errors import PrismError
from prism_core.settings import Treatment
from prism_core.stages.run import Counted, Run, stage
from prism_core.state import Answered, Chunk, Restoration, SentenceStatus
from prism_core.translators import marks_of

UNRESTORED = "unrestored"
FAULT = "decoder-fault"
_AGAIN = (SentenceStatus.NEW, SentenceStatus.SENT)


@stage("decode")
def decode(run: Run, chunk: Chunk) -> Counted:
    """Decode the answered sentences of ``chunk``.

    ``again`` in the result counts those that could not be restored. Where marks help, the very same
    text is sent once more with its words marked, which shows the translator nothing new. Else, and
    where that did not help, they wait to be encoded and sent afresh. After ``Encoder.most_draws``
    encodings a sentence is left in the source language.
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
    marks_help = any(marks_of(settings) == "lost" for settings in translators)
    sentences = again = 0
    for batch in store.sentences.answered(chunk):
        restored = [_restore(encoder, answered, marks_help=marks_help) for answered in batch]
        store.sentences.set_restored(restored)
        sentences += len(batch)
        again += sum(restoration.status in _AGAIN for restoration in restored)
    return Counted(sentences=sentences, again=again)


def _restore(encoder: Encoder, answered: Answered, *, marks_help: bool) -> Restoration:
    encoded, answer = answered.encoded, answered.answer
    try:
        linked = link_places(answered.source, encoded, answer)
        # Marks tell more surely than what usually stands for a word: they are asked for first.
        ways = frozenset(Way) - (UNSURE if marks_help and not answered.marked else frozenset())
        decoded = encoder.decode(encoded, answer.text, linked, ways)
        alignment = () if decoded.unrestored else align(answered.source, encoded, decoded)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd answer; the sentence stays as it was)
        return Restoration(answered.id, SentenceStatus.WITHHELD, reason=FAULT)
    done = Restoration(
        answered.id,
        SentenceStatus.DONE,
        text=decoded.text,
        alignment=alignment,
        to_restore=encoded.to_restore,
        restored=decoded.restored + decoded.fallback,
        fallback=decoded.fallback,
        untranslated=decoded.untranslated,
    )
    if not decoded.unrestored:
        return done
    lost = replace(done, text=None, untranslated=0)
    if marks_help and not answered.marked:
        return replace(lost, status=SentenceStatus.SENT, marked=True)
    last = answered.draws >= encoder.most_draws
    if last:
        return replace(lost, status=SentenceStatus.WITHHELD, reason=UNRESTORED)
    return replace(lost, status=SentenceStatus.NEW)
