"""Stage 3: sentences into what may be sent, and the secret to undo it.

Entry: ``encode`` -> ``_encode`` (documents that are treated alike) -> ``_encode_sentence`` for each
-> ``add_decoys``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random, SystemRandom

from prism_core.alignment import Translation
from prism_core.decoding import AnsweredDraw, link_places
from prism_core.encoding import Encoder
from prism_core.errors import ConfigurationError, PrismError
from prism_core.identifiers import DenyList, Scope, secret_of
from prism_core.language import Sentence
from prism_core.record import Encoded, Fate
from prism_core.recovery import redraw_allowance
from prism_core.settings import Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.formulas import keeps_formulas, read_contexts
from prism_core.stages.gate import redraw_budget
from prism_core.stages.run import Run, stage
from prism_core.state import WHOLE, Chunk, Decoy, Part
from prism_core.translation_memory import SingleWordTranslations

FAULT = "encoder-fault"
POLICY = "policy"
"""Why a sentence is withheld of a document of which nothing may be sent."""
SPENT = "redraws-spent"
"""Why a sentence stays as it was that lost a substitute, when no more may be drawn anew."""
_KIND = "surrogates"


@stage("encode", in_workers=True)
def encode(run: Run, chunk: Chunk, part: Part = WHOLE) -> StageResult:
    """Encode the sentences of a ``part`` of ``chunk`` that have no encoding yet, and store each
    one's for good.

    A sentence of nothing but names, numbers and codes would come back as it is: it is copied, and
    nothing of it is sent; one that is a word of grammar alone is translated here, where that
    ships (``SingleWordTranslations``) and the mechanism bounds no ε. Of a sentence whose answer
    lost something that alone is drawn anew, as long as the run may have such (``Redraws``); else
    it is withheld.
    Decoys join them, if any are asked for. Draws come from the operating system, those of
    surrogates from the store's key where they are to be consistent. Every document of the archive
    has been read by now, so the leak check knows every identifier in it.
    """
    groups = run.by_treatment(chunk)
    sentences = [_encode(run, treatment, group, part) for treatment, group in groups.items()]
    return StageResult(documents=len(chunk), sentences=sum(sentences))


def _encode(run: Run, treatment: Treatment, chunk: Chunk, part: Part) -> int:
    """Encode documents that are treated alike; gives how many sentences that were."""
    store, encoder = run.store, run.encoder(treatment)
    deny_list, checks = run.known_identifiers(treatment)
    rng, dictionary = SystemRandom(), encoder.dictionary
    alone = SingleWordTranslations(dictionary.language.code, run.job.target, dictionary.is_term)
    most = partial(redraw_allowance, redraws=redraw_budget(run))
    marks_formulas, bounded = keeps_formulas(run, treatment), run.job.bounded_treatments
    sentences = 0
    for batch in store.sentences.to_encode(chunk, checks, part, treatment.source):
        ids = [row_id for row_id, _ in batch]
        scope_of = scopes(run, ids)
        earlier = store.sentences.earlier(ids)
        here: dict[str, Translation] = {}
        copied: dict[str, Sentence] = {}
        encoded: list[tuple[str, Encoded]] = []
        redrawn: list[tuple[str, Encoded]] = []
        for row_id, sentence in batch:
            scope, draws = scope_of.get(row_id, Scope()), earlier.get(row_id, ())
            stays = treatment.stays_here
            made = _encode_sentence(
                encoder, alone, sentence, draws, deny_list, rng, scope, stays=stays
            )
            if made is None:
                copied[row_id] = sentence
            elif isinstance(made, Translation):
                here[row_id] = made
            else:
                (redrawn if draws else encoded).append((row_id, made))
        store.recalled.settle(here)
        store.sentences.set_copied(copied)
        if marks_formulas:  # before anything may be sent, whatever ends the process
            sendable = [(row_id, made) for row_id, made in encoded if not made.withheld]
            store.formulas.mark({row_id: read_contexts(made) for row_id, made in sendable})
        store.sentences.set_encoded(encoded, checks)
        store.redraws.grant(run.job.run_id, redrawn, checks, most, SPENT, bounded)
        sentences += len(batch)
    if not treatment.stays_here:
        add_decoys(run, chunk, encoder, checks, rng)
    return sentences


def _withhold(sentence: Sentence, reason: str) -> Encoded:
    """Nothing to send of ``sentence``."""
    return Encoded("", (), (Fate.KEPT,) * len(sentence.tokens), withheld=reason)


def _encode_sentence(
    encoder: Encoder,
    alone: SingleWordTranslations,
    sentence: Sentence,
    earlier: Sequence[tuple[Encoded, Translation]],
    deny_list: DenyList,
    rng: Random,
    scope: Scope,
    *,
    stays: bool,
) -> Encoded | Translation | None:
    """What to send after ``earlier`` answers, or the translation of a word ``alone``; None for a
    sentence that is its own translation.

    A withheld one when nothing of its document may be sent (``stays``), and when the encoder breaks
    on this sentence: fails closed.
    """
    try:
        if not encoder.needs_translator(sentence, deny_list):
            return None
        if stays:
            return _withhold(sentence, POLICY)
        if not encoder.bounds_epsilon and (said := alone.translate(sentence.text)):
            return Translation(said)
        draws = [
            AnsweredDraw(sent, answer.text, link_places(sentence.text, sent, answer))
            for sent, answer in earlier
        ]
        return encoder.encode_again(sentence, draws, deny_list, rng, scope)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd sentence stays here; the rest of the archive goes on)
        return _withhold(sentence, FAULT)


def scopes(run: Run, sentences: Sequence[str]) -> Mapping[str, Scope]:
    """The scope of each of ``sentences``, by id; those that are missing have one of their own.

    The secrets follow from the store's key, so that nothing is to be kept. A sentence of several
    documents is encoded and sent once: it goes with the one whose id is the least.
    """
    asked = run.job.settings.identifiers
    if asked.consistency == "sentence" and asked.dates == "random":
        return {}
    key = run.store.cipher.keyed_hash(_KIND).digest()
    archive = secret_of(key, "archive") if asked.consistency == "archive" else None
    found: dict[str, Scope] = {}
    for sentence, (document, draws) in run.store.documents.first_with(sentences).items():
        own = secret_of(key, "document", document)
        identifiers = own if asked.consistency == "document" else archive
        dates = secret_of(own, "dates") if asked.dates == "shift" else None
        found[sentence] = Scope(identifiers, dates).again(draws)
    return found


_AT_ONCE = 200


def add_decoys(run: Run, chunk: Chunk, encoder: Encoder, checks: str, rng: Random) -> None:
    """Give the documents of ``chunk`` the decoys that they lack to ``mixing.decoy_rate``.

    What the archive denies has no say in them: whoever has their list would see which of its words
    are names there. Each line of the list is used once in an archive: a structure that came twice
    would be known for a decoy. Raises ``ConfigurationError`` when the list has no unused line left,
    before any sentence of the chunk is sent without its decoys.
    """
    rate = run.job.settings.mixing.decoy_rate
    if not rate:
        return
    decoys = run.store.decoys
    lacking = decoys.missing(chunk, rate, run.part)
    # A whole number of each whose mean is what it lacks.
    numbers = {place: int(lacks) + (rng.random() < lacks % 1) for place, lacks in lacking.items()}
    places = [place for place, number in numbers.items() for _ in range(number)]
    made = _make(run, encoder, rng)
    while places:
        batch = [
            replace(decoy, document=place)
            for place, decoy in zip(places[:_AT_ONCE], made, strict=False)
        ]
        if not batch:
            raise ConfigurationError(
                "the list of decoys (mixing.decoys_file) has no unused sentence left, and each is "
                "used once: give a longer list, or lower mixing.decoy_rate"
            )
        taken = decoys.add(run.job.run_id, batch, checks)
        lost = [decoy.document for decoy in batch if decoy.id not in taken]
        places = [*places[len(batch) :], *lost]


def _make(run: Run, encoder: Encoder, rng: Random) -> Iterator[Decoy]:
    """A decoy from every line that was not used yet, from a random line on; no document yet."""
    decoys, lines = run.store.decoys, run.decoy_lines
    start = rng.randrange(len(lines)) if lines else 0
    ordered = iter((*lines[start:], *lines[:start]))
    while batch := list(islice(ordered, _AT_ONCE)):
        named = {decoys.id_of(line): line for line in batch}
        ids = {row_id: line for row_id, line in named.items() if run.part.has(row_id)}
        used = decoys.find_used(list(ids))
        for row_id, line in ids.items():
            for sentence in () if row_id in used else run.model().sentences(line)[:1]:
                if encoder.needs_translator(sentence, DenyList()):
                    encoded = encoder.encode(sentence, DenyList(), rng)
                    if not encoded.withheld:
                        yield Decoy(row_id, "", sentence, encoded)
