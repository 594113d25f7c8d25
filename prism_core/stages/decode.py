"""Stage 5: answers into translations of what was written, or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace

from prism_core.decoding import align
from prism_core.encoding import Encoder
from prism_core.errors import PrismError
from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted, stage
from prism_core.stages.shared import open_encoder, open_store
from prism_core.state import Answered, Chunk, Restoration, SentenceStatus

UNRESTORED = "unrestored"
FAULT = "decoder-fault"


@stage("decode")
def decode(job: Job, chunk: Chunk) -> Counted:
    """Decode the answered sentences of ``chunk``.

    ``again`` in the result counts those that could not be restored and now wait to be encoded and
    sent afresh. After ``Encoder.most_draws`` encodings a sentence is left in the source language.
    """
    groups = open_store(job).documents.by_treatment(chunk)
    counted = [_decode(job.under(treatment), group) for treatment, group in groups.items()]
    open_store(job).decoys.settle(chunk)
    return Counted(
        documents=len(chunk),
        sentences=sum(one.sentences for one in counted),
        again=sum(one.again for one in counted),
    )


def _decode(job: Job, chunk: Chunk) -> Counted:
    """Decode documents that are treated alike."""
    store, encoder = open_store(job), open_encoder(job)
    sentences = again = 0
    for batch in store.sentences.answered(chunk):
        restored = [_restored(encoder, one) for one in batch]
        store.sentences.set_restored(restored)
        sentences += len(batch)
        again += sum(item.status is SentenceStatus.NEW for item in restored)
    return Counted(sentences=sentences, again=again)


def _restored(encoder: Encoder, one: Answered) -> Restoration:
    try:
        decoded = encoder.decode(one.encoded, one.answer)
        alignment = () if decoded.unrestored else align(one.source, one.encoded, decoded)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd answer; the sentence stays as it was)
        return Restoration(one.id, SentenceStatus.WITHHELD, reason=FAULT)
    done = Restoration(
        one.id,
        SentenceStatus.DONE,
        text=decoded.text,
        alignment=alignment,
        to_restore=one.encoded.to_restore,
        restored=decoded.restored + decoded.fallback,
        fallback=decoded.fallback,
        untranslated=decoded.untranslated,
    )
    if not decoded.unrestored:
        return done
    last = one.draws >= encoder.most_draws
    return replace(
        done,
        status=SentenceStatus.WITHHELD if last else SentenceStatus.NEW,
        reason=UNRESTORED if last else "",
        text=None,
        untranslated=0,
    )
