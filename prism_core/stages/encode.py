"""Stage 3: sentences into what may be sent, and the secret to undo it."""

from __future__ import annotations

from random import Random, SystemRandom

from prism_core.encoding import Encoder
from prism_core.errors import PrismError
from prism_core.identifiers import DenyList, Scope
from prism_core.language import Sentence
from prism_core.record import Encoded, Fate
from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted, stage
from prism_core.stages.decoys import add_decoys
from prism_core.stages.scopes import scopes
from prism_core.stages.shared import known_identifiers, open_encoder, open_store
from prism_core.state import Chunk

FAULT = "encoder-fault"


@stage("encode")
def encode(job: Job, chunk: Chunk) -> Counted:
    """Encode the sentences of ``chunk`` that have no encoding yet, and store each one's for good.

    A sentence of nothing but names, numbers and codes would come back as it is: it is copied, and
    nothing of it is sent. Decoys join them, if any are asked for. Draws come from the operating
    system, those of surrogates from the store's key where they are to be consistent. Every document
    of the archive has been read by now, so the leak check knows every identifier in it.
    """
    groups = open_store(job).documents.by_treatment(chunk)
    sentences = [_encode(job.under(treatment), group) for treatment, group in groups.items()]
    return Counted(documents=len(chunk), sentences=sum(sentences))


def _encode(job: Job, chunk: Chunk) -> int:
    """Encode documents that are treated alike; gives how many sentences that were."""
    store, encoder = open_store(job), open_encoder(job)
    deny_list, checks = known_identifiers(job)
    rng = SystemRandom()
    sentences = 0
    for batch in store.sentences.to_encode(chunk, checks):
        copied = {row_id: s for row_id, s in batch if _stays(encoder, s, deny_list)}
        store.sentences.set_copied(copied)
        scope_of = scopes(job, [row_id for row_id, _ in batch])
        encoded = [
            (row_id, _encoded(encoder, s, deny_list, rng, scope_of.get(row_id, Scope())))
            for row_id, s in batch
            if row_id not in copied
        ]
        store.sentences.set_encoded(encoded, checks)
        sentences += len(batch)
    add_decoys(job, chunk, encoder, deny_list, checks, rng)
    return sentences


def _stays(encoder: Encoder, sentence: Sentence, deny_list: DenyList) -> bool:
    """Whether the sentence is its own translation; one that breaks the encoder is left to it."""
    try:
        return not encoder.needs_translator(sentence, deny_list)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (the encoding of it will fail too, and closed)
        return False


def _encoded(
    encoder: Encoder, sentence: Sentence, deny_list: DenyList, rng: Random, scope: Scope
) -> Encoded:
    """The encoding, or a withheld one when the encoder breaks on this sentence: fails closed."""
    try:
        return encoder.encode(sentence, deny_list, rng, scope)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd sentence stays here; the rest of the archive goes on)
        fates = (Fate.KEPT,) * len(sentence.tokens)
        return Encoded(text="", record=(), fates=fates, withheld=FAULT)
