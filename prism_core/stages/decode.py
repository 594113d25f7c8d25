"""Stage 5: answers into translations of what was written, or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace

from prism_core.decoding import align
from prism_core.encoding import Encoder
from prism_core.errors import PrismError
from prism_core.settings import Treatment
from prism_core.stages.run import Counted, Run, stage
from prism_core.state import Answered, Chunk, Restoration, SentenceStatus

UNRESTORED = "unrestored"
FAULT = "decoder-fault"


@stage("decode")
def decode(run: Run, chunk: Chunk) -> Counted:
    """Decode the answered sentences of ``chunk``.

    ``again`` in the result counts those that could not be restored and now wait to be encoded and
    sent afresh. After ``Encoder.most_draws`` encodings a sentence is left in the source language.
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
    sentences = again = 0
    for batch in store.sentences.answered(chunk):
        restored = [_restore(encoder, answered) for answered in batch]
        store.sentences.set_restored(restored)
        sentences += len(batch)
        again += sum(restoration.status is SentenceStatus.NEW for restoration in restored)
    return Counted(sentences=sentences, again=again)


def _restore(encoder: Encoder, answered: Answered) -> Restoration:
    try:
        decoded = encoder.decode(answered.encoded, answered.answer)
        alignment = () if decoded.unrestored else align(answered.source, answered.encoded, decoded)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd answer; the sentence stays as it was)
        return Restoration(answered.id, SentenceStatus.WITHHELD, reason=FAULT)
    done = Restoration(
        answered.id,
        SentenceStatus.DONE,
        text=decoded.text,
        alignment=alignment,
        to_restore=answered.encoded.to_restore,
        restored=decoded.restored + decoded.fallback,
        fallback=decoded.fallback,
        untranslated=decoded.untranslated,
    )
    if not decoded.unrestored:
        return done
    last = answered.draws >= encoder.most_draws
    return replace(
        done,
        status=SentenceStatus.WITHHELD if last else SentenceStatus.NEW,
        reason=UNRESTORED if last else "",
        text=None,
        untranslated=0,
    )
