"""An archive attacked on this machine before anything of it is sent: what would leak?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from prism_core.evaluation import Embedder, Finding, attack_case, observe_archive
from prism_core.identifiers import read_terms
from prism_core.language import Sentence
from prism_core.settings.job import Job
from prism_core.stages.gather import Wave
from prism_core.stages.judging import estimated_privacy_score
from prism_core.stages.shared import known_identifiers, open_encoder, open_model, open_store

MOST_DOCUMENTS = 400
MOST_SENTENCES = 200
"""Of one document: what memory holds is bounded by the product."""
FEWEST_DOCUMENTS = 8
PIECE = 10
"""Sentences of a piece, where there are too few documents to compare."""

Document = list[Sentence]


@dataclass(frozen=True, slots=True)
class Attacked:
    """What was found out about the documents that are treated alike.

    ``documents`` of them were attacked, with ``sentences`` in all, by one who has ``known`` other
    ones of the same archive in clear. ``in_pieces``: there were too few, so that pieces of them
    stand for documents. ``privacy_score``: PPS of questions made from them (see ``judging``).
    """

    treatment: str
    mechanism: str
    documents: int
    known: int
    sentences: int
    in_pieces: bool
    privacy_score: float | None
    findings: tuple[Finding, ...]


def attacked(
    job: Job, waves: Sequence[Wave], rng: Random, embedder: Embedder | None = None
) -> Iterator[Attacked]:
    """Attack the documents of ``waves``, which are read and not encoded, by their treatment.

    A sample of ``MOST_DOCUMENTS`` is taken of many. Half of the sample is encoded, for nobody but
    the adversary; the other half is what the adversary knows of the kind, in clear. ``rng`` draws
    from OS entropy except in tests. A treatment with less than two pieces is left out. With an
    ``embedder`` what was sent is linked by meaning too.
    """
    for treatment, ids in _by_treatment(job, waves).items():
        chosen = rng.sample(ids, min(MOST_DOCUMENTS, len(ids)))
        documents = [found for one in chosen if (found := _sentences(job, one))]
        in_pieces = len(documents) < FEWEST_DOCUMENTS
        if in_pieces:
            documents = [piece for one in documents for piece in _pieces(one)]
        rng.shuffle(documents)
        if len(documents) > 1:
            yield _attacked(
                job.under(treatment), treatment, documents, rng, embedder, in_pieces=in_pieces
            )


def _attacked(
    job: Job,
    treatment: str,
    documents: Sequence[Document],
    rng: Random,
    embedder: Embedder | None,
    *,
    in_pieces: bool,
) -> Attacked:
    own, known = documents[::2], documents[1::2]
    encoder, settings = open_encoder(job), job.settings
    decoys = _decoys(job, sum(map(len, own)), rng)
    deny_list, _ = known_identifiers(job)
    case = observe_archive(
        encoder,
        own,
        known,
        decoys,
        deny_list,
        rng,
        decoy_rate=settings.mixing.decoy_rate,
        embedder=embedder,
    )
    flat = [sentence for document in own for sentence in document]
    private = [flat[original] for original in case.sent_originals]
    return Attacked(
        treatment=treatment,
        mechanism=encoder.mechanism.name,
        documents=len(own),
        known=len(known),
        sentences=len(private),
        in_pieces=in_pieces,
        privacy_score=estimated_privacy_score(encoder, private, rng),
        findings=tuple(one for one in attack_case(case, rng) if one.n),
    )


def _by_treatment(job: Job, waves: Sequence[Wave]) -> dict[str, list[str]]:
    store = open_store(job)
    found: dict[str, list[str]] = {}
    for chunk in (chunk for wave in waves for chunk in wave):
        for treatment, ids in store.documents.by_treatment(chunk).items():
            found.setdefault(treatment, []).extend(ids)
    return found


def _sentences(job: Job, document: str) -> Document:
    """The sentences of ``document`` that no memory holds, some of them where it has many."""
    batches = open_store(job).sentences.to_encode((document,), "")
    return list(islice((one for batch in batches for _, one in batch), MOST_SENTENCES))


def _pieces(document: Document) -> Iterator[Document]:
    for start in range(0, len(document), PIECE):
        yield document[start : start + PIECE]


def _decoys(job: Job, sentences: int, rng: Random) -> Document:
    """As many public sentences as the settings send with so many."""
    mixing = job.settings.mixing
    if not mixing.decoy_rate:
        return []
    lines = list(dict.fromkeys(read_terms(mixing.decoys_file)))
    wanted = min(len(lines), math.ceil(mixing.decoy_rate * sentences))
    annotated = open_model(job).annotate(rng.sample(lines, wanted))
    return [group[0] for group in annotated if group]
