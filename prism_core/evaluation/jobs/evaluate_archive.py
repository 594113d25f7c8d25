"""Attacks on an archive on this machine, before anything of it is sent: what would leak?

Entry: ``archive_job`` -> ``evaluate_archive`` (read on a temporary state) -> ``attack`` (by
treatment) -> ``keep_evaluation``. Nothing is sent, and nothing but the figures is left.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path, PurePath
from random import Random, SystemRandom
from typing import NamedTuple

from prism_core.errors import OutputError
from prism_core.evaluation import (
    Embedder,
    Finding,
    Topics,
    attack_case,
    load_embedder,
    observe_archive,
)
from prism_core.files import make_folder
from prism_core.jobs import (
    choose_unused_output,
    job_without_state,
    prepare_job,
    read_on_scratch_state,
)
from prism_core.language import Sentence
from prism_core.privacy_score import estimate_privacy
from prism_core.report import write_pieces
from prism_core.settings import Job, Treatment
from prism_core.stages import Folders, Run, Wave

MOST_DOCUMENTS = 400
MOST_SENTENCES = 200
"""Maximum sentences of one document, which bounds memory."""
FEWEST_DOCUMENTS = 8
PIECE = 10
"""Sentences of a piece, where there are too few documents to compare."""
FEWEST_OF_A_FOLDER = 10
"""Minimum attacked documents of a folder that is a topic."""
_NO_TOPICS = (
    "topic: not attacked, since what documents are about is known by their folders alone, and "
    f"there are no two with {FEWEST_OF_A_FOLDER} attacked documents each"
)


class _Attackable(NamedTuple):
    """Document, or a piece of one, and the folder of the archive that it is in.

    A document that is in none has its own name there; a piece has none.
    """

    folder: str
    sentences: list[Sentence]


@dataclass(frozen=True, slots=True)
class Attacked:
    """Findings about the documents that are treated alike.

    ``documents`` of them were attacked, with ``sentences`` in all, by one who has ``known`` other
    ones of the same archive in clear. ``in_pieces``: there were too few, so that pieces of them
    stand for documents. ``left_out``: attacks for which something is missing, with what that is.
    ``privacy_score``: PPS of questions made from them (see ``prism_core.privacy_score``).
    """

    treatment: Treatment
    mechanism: str
    documents: int
    known: int
    sentences: int
    in_pieces: bool
    left_out: tuple[str, ...]
    privacy_score: float | None
    findings: tuple[Finding, ...]


def archive_job(
    archive: Path, settings_file: Path | None = None, flags: Mapping[str, object] | None = None
) -> Job:
    """Build the job of evaluating ``archive``: without an output, and without earlier runs.

    Raises ``ConfigurationError`` for wrong settings or an archive that is not there.
    """
    job = prepare_job(archive, choose_unused_output(archive), settings_file, flags)
    Folders(job).check()
    return job_without_state(job)


def evaluate_archive(job: Job, embeddings: Path | None = None) -> tuple[Attacked, ...]:
    """Attack the documents of ``job`` by their treatment; send nothing, leave nothing behind.

    ``embeddings``: a folder with a model of sentence embeddings, to link by meaning too. Empty
    where there is too little to attack. Raises ``PrismError`` for what stops any run.
    """
    embedder = load_embedder(embeddings) if embeddings else None
    with read_on_scratch_state(job) as (run, waves):
        return tuple(attack(run, waves, SystemRandom(), embedder))


def keep_evaluation(folder: Path, evaluated: Sequence[Attacked]) -> Path:
    """Write the figures to ``folder/archive.json`` atomically; return the file.

    Raises ``OutputError`` when that cannot be done.
    """
    file = folder / "archive.json"
    try:
        make_folder(folder)
    except OSError as error:
        raise OutputError(f"the folder {folder} cannot be made: {error.strerror}") from None
    write_pieces(file, [evaluation_json(evaluated), "\n"])
    return file


def evaluation_json(evaluated: Sequence[Attacked]) -> str:
    """Return the figures as JSON on one line, without names and text."""
    content = []
    for attacked in evaluated:
        findings = []
        for found in attacked.findings:
            low, high = found.interval()
            figures = {"attack": found.attack, "value": found.value, "chance": found.chance}
            figures |= {"low": low, "high": high, "n": found.n}
            findings.append({**figures, "verdict": found.verdict, "means": found.explanation})
        content.append({**asdict(attacked), "findings": findings})
    return json.dumps({"treatments": content})


def attack(
    run: Run, waves: Sequence[Wave], rng: Random, embedder: Embedder | None = None
) -> Iterator[Attacked]:
    """Attack the documents of ``waves``, which are read but not encoded, by their treatment.

    A sample of ``MOST_DOCUMENTS`` is taken of many. Half of the sample is encoded, for nobody but
    the adversary; the other half is what the adversary knows of the kind, in clear. ``rng`` draws
    from OS entropy except in tests. A treatment with less than two pieces is left out. With an
    ``embedder`` what was sent is linked by meaning too.
    """
    by_treatment: dict[Treatment, list[str]] = {}
    for chunk in (chunk for wave in waves for chunk in wave):
        for treatment, group in run.by_treatment(chunk).items():
            by_treatment.setdefault(treatment, []).extend(group)
    for treatment, ids in by_treatment.items():
        chosen = rng.sample(ids, min(MOST_DOCUMENTS, len(ids)))
        paths = run.store.documents.paths(chosen)
        documents = []
        for row_id in chosen:  # sentences that no memory holds
            batches = run.store.sentences.to_encode((row_id,), "", source=treatment.source)
            sentences = (sentence for batch in batches for _, sentence in batch)
            if found := list(islice(sentences, MOST_SENTENCES)):
                documents.append(_Attackable(PurePath(paths[row_id]).parts[0], found))
        in_pieces = len(documents) < FEWEST_DOCUMENTS
        if in_pieces:
            documents = [
                _Attackable("", sentences[start : start + PIECE])
                for _, sentences in documents
                for start in range(0, len(sentences), PIECE)
            ]
        rng.shuffle(documents)
        if len(documents) > 1:
            yield _attack_alike(run, treatment, documents, rng, embedder, in_pieces=in_pieces)


def _attack_alike(
    run: Run,
    treatment: Treatment,
    documents: Sequence[_Attackable],
    rng: Random,
    embedder: Embedder | None,
    *,
    in_pieces: bool,
) -> Attacked:
    own, known = (
        [document.sentences for document in half] for half in (documents[::2], documents[1::2])
    )
    topics = _topics([document.folder for document in documents[::2]])
    encoder, settings = run.encoder(treatment), run.job.under(treatment).settings
    decoys = _decoys(run, sum(map(len, own)), rng)
    deny_list, _ = run.known_identifiers(treatment)
    case = observe_archive(
        encoder,
        own,
        known,
        decoys,
        deny_list,
        rng,
        decoy_rate=settings.mixing.decoy_rate,
        embedder=embedder,
        topics=topics,
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
        left_out=() if topics else (_NO_TOPICS,),
        privacy_score=estimate_privacy(encoder, private, rng),
        findings=tuple(found for found in attack_case(case, rng) if found.n),
    )


def _topics(folders: Sequence[str]) -> Topics:
    """Return the ``folders`` with enough documents; none if all are in one."""
    sizes = Counter(folders)
    labels = {
        at: folder for at, folder in enumerate(folders) if sizes[folder] >= FEWEST_OF_A_FOLDER
    }
    return {"folder": labels} if len(set(labels.values())) > 1 else {}


def _decoys(run: Run, sentences: int, rng: Random) -> list[Sentence]:
    """Draw as many public sentences as the settings send with so many."""
    mixing = run.job.settings.mixing
    if not mixing.decoy_rate:
        return []
    lines = run.decoy_lines
    wanted = min(len(lines), math.ceil(mixing.decoy_rate * sentences))
    annotated = run.model().annotate(rng.sample(lines, wanted))
    return [group[0] for group in annotated if group]
