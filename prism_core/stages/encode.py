"""Stage 3: encode sentences into text that may be sent, and keep the secret that undoes it.

Entry: ``encode`` -> ``_encode`` (documents with the same treatment) -> ``encode_sentence`` for
each -> ``add_decoys``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random, SystemRandom

from prism_core import decoding, drafts, encoding
from prism_core.alignment import Translation
from prism_core.errors import ConfigurationError, PrismError
from prism_core.identifiers import DenyList, Scope, derive_secret
from prism_core.language import Sentence
from prism_core.record import DOUBTFUL, UNREAD, Encoded, Fate
from prism_core.recovery import redraw_allowance
from prism_core.settings import Stay, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.gate import redraw_budget
from prism_core.stages.run import Run, stage
from prism_core.stages.translate_here import keeps_formulas, read_contexts
from prism_core.state import WHOLE, Chunk, Decoy, Part
from prism_core.translation_memory import SingleWordTranslations, is_unclear_alone

FAULT = "encoder-fault"
POLICY = "policy"
"""Reason for withholding the sentences of a document of which nothing may be sent."""
SPENT = "redraws-spent"
"""Reason for leaving a sentence that lost a substitute when no more redraws are allowed."""
_KIND = "surrogates"
_TRIES = 3
"""Number of encodings of a sentence that are tried on this machine."""


@stage("encode", in_workers=True)
def encode(run: Run, chunk: Chunk, part: Part = WHOLE) -> StageResult:
    """Encode and store the sentences of a ``part`` of ``chunk`` that have no encoding yet.

    The encoding is stored for good. A sentence of nothing but names, numbers and codes would come
    back unchanged: it is copied and not sent. A sentence that is a single word of grammar is
    translated here, where such translations ship (``SingleWordTranslations``) and the mechanism
    does not bound ε; one with several senses (*left*) is marked as unsure. Where a model on this
    machine can, it tries each encoding first, and words that it does not give back are drawn again
    (``redraw_lost``). If an answer lost a word, that word alone is drawn anew, as long as the run
    may have redraws (``Redraws``); after that the sentence is withheld.

    Decoys are added if the settings ask for them. Draws use the operating system's random source;
    draws of surrogates that must be consistent use the store's key. Every document of the archive
    has been read by now, so the leak check knows every identifier in it.
    """
    groups = run.by_treatment(chunk)
    sentences = [_encode(run, treatment, group, part) for treatment, group in groups.items()]
    return StageResult(documents=len(chunk), sentences=sum(sentences))


def _encode(run: Run, treatment: Treatment, chunk: Chunk, part: Part) -> int:
    """Encode documents that have the same treatment, and return the number of their sentences."""
    store, encoder = run.store, run.encoder(treatment)
    deny_list, checks = run.known_identifiers(treatment)
    rng, dictionary = SystemRandom(), encoder.dictionary
    alone = SingleWordTranslations(dictionary.language.code, run.job.target, dictionary.is_term)
    most = partial(redraw_allowance, redraws=redraw_budget(run))
    marks_formulas, bounded = keeps_formulas(run, treatment), run.job.bounded_treatments
    tests_draws = not treatment.stays_here and not encoder.bounds_epsilon
    drafter = run.encoders.drafter(treatment) if tests_draws else None
    stays = (run.job.settings.stays or POLICY) if treatment.stays_here else ""
    sentences = 0
    for batch in store.sentences.to_encode(chunk, checks, part, treatment.source):
        ids = [row_id for row_id, _ in batch]
        scope_of = find_scopes(run, ids)
        earlier = store.sentences.earlier(ids)
        translations: dict[str, Translation] = {}
        copied: dict[str, Sentence] = {}
        encoded: list[tuple[str, Encoded]] = []
        redrawn: list[tuple[str, Encoded]] = []
        for row_id, sentence in batch:
            scope, draws = scope_of.get(row_id, Scope()), earlier.get(row_id, ())
            made = encode_sentence(
                encoder, alone, sentence, draws, deny_list, rng, scope, stays=stays
            )
            if made is None:
                copied[row_id] = sentence
            elif isinstance(made, Translation):
                translations[row_id] = made
            else:
                (redrawn if draws else encoded).append((row_id, made))
        if drafter is not None:
            encoded = redraw_lost(drafter, encoder, dict(batch), encoded, deny_list, rng, scope_of)
        unclear = {
            row_id
            for row_id, sentence in batch
            if is_unclear_alone(sentence.text, dictionary.language.code)
        }
        store.recalled.settle(translations, unclear=unclear)
        store.sentences.set_copied(copied, unclear)
        if marks_formulas:  # before anything may be sent, whatever ends the process
            sendable = [(row_id, made) for row_id, made in encoded if not made.withheld]
            store.formulas.mark({row_id: read_contexts(made) for row_id, made in sendable})
        store.sentences.set_encoded(encoded, checks)
        store.redraws.grant(run.job.run_id, redrawn, checks, most, SPENT, bounded)
        sentences += len(batch)
    if not treatment.stays_here:
        add_decoys(run, chunk, encoder, checks, rng)
    return sentences


def redraw_lost(
    drafter: drafts.Drafter,
    encoder: encoding.Encoder,
    sentences: Mapping[str, Sentence],
    encoded: list[tuple[str, Encoded]],
    deny_list: DenyList,
    rng: Random,
    scope_of: Mapping[str, Scope],
) -> list[tuple[str, Encoded]]:
    """Draw again what the model on this machine does not give back, before anything is sent.

    What it loses, a provider mostly loses, too. The words behind the substitutes are not known to
    the decision: it reads x_pub, and where its substitutes stand. Links are made only where they
    may show more than the forms do.
    """
    tested = dict(encoded)
    waiting = [row_id for row_id, made in encoded if made.to_restore and not made.withheld]
    for _ in range(_TRIES):
        texts = [tested[row_id].text for row_id in waiting]
        unclear = {}
        for row_id, answer in zip(waiting, drafter.translate(texts), strict=True):
            # as if each of its substitutes stood for itself
            own = tuple(r._replace(word=r.substitute) for r in tested[row_id].record)
            draw = decoding.AnsweredDraw(replace(tested[row_id], record=own), answer.text)
            if decoding.needs_links(draw, encoder.dictionary):
                unclear[row_id] = draw.encoded, answer
        linked = drafter.align([(public.text, answer) for public, answer in unclear.values()])
        lost_at = {}
        for (row_id, (public, _)), answer in zip(unclear.items(), linked, strict=True):
            draw = decoding.AnsweredDraw.of(public.text, public, answer)
            if lost := decoding.find_lost(draw, encoder.dictionary):
                lost_at[row_id] = lost
        waiting = []
        for row_id, lost in lost_at.items():
            scope, sentence = scope_of.get(row_id, Scope()), sentences[row_id]
            drawn = encoder.redraw(sentence, tested[row_id], lost, deny_list, rng, scope)
            if drawn is not None and not drawn.withheld:
                tested[row_id] = drawn
                waiting.append(row_id)
        if not waiting:
            break
    return list(tested.items())


def _withhold(sentence: Sentence, reason: str) -> Encoded:
    """Return an encoding of ``sentence`` that sends nothing, for ``reason``."""
    return Encoded("", (), (Fate.KEPT,) * len(sentence.tokens), withheld=reason)


def encode_sentence(
    encoder: encoding.Encoder,
    alone: SingleWordTranslations,
    sentence: Sentence,
    earlier: Sequence[tuple[Encoded, Translation]],
    deny_list: DenyList,
    rng: Random,
    scope: Scope,
    *,
    stays: str = "",
) -> Encoded | Translation | None:
    """Encode a sentence after ``earlier`` answers, or translate one that is a single word.

    Returns None for a sentence that is its own translation. Returns a withheld encoding when
    nothing of its document is sent (``stays`` is the reason), when OCR was not sure of a word, and
    when the encoder fails on this sentence: fails closed.
    """
    try:
        if DOUBTFUL in sentence.text and not encoder.bounds_epsilon:
            return _withhold(sentence, UNREAD)
        if isinstance(stays, Stay) and any(map(str.isalpha, sentence.text)):
            return _withhold(sentence, stays)
        if not encoder.needs_translator(sentence, deny_list):
            return None
        if stays:
            return _withhold(sentence, stays)
        if not encoder.bounds_epsilon and (known := alone.translate(sentence.text)):
            return Translation(known)
        draws = [decoding.AnsweredDraw.of(sentence.text, *answered) for answered in earlier]
        return encoder.encode_again(sentence, draws, deny_list, rng, scope)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (one odd sentence is withheld; the archive goes on)
        return _withhold(sentence, FAULT)


def find_scopes(run: Run, sentences: Sequence[str]) -> Mapping[str, Scope]:
    """Return the scope of each of ``sentences``, by id; a missing one has a scope of its own.

    The secrets derive from the store's key, so none has to be stored. A sentence of several
    documents is encoded and sent once: it has the scope of the document with the smallest id.
    """
    settings = run.job.settings.identifiers
    if settings.consistency == "sentence":
        return {}
    key = run.store.cipher.keyed_hash(_KIND).digest()
    archive = derive_secret(key, "archive") if settings.consistency == "archive" else None
    found: dict[str, Scope] = {}
    for sentence, (document, draws) in run.store.documents.first_with(sentences).items():
        secret = archive or derive_secret(key, "document", document)
        found[sentence] = Scope(secret).for_retry(draws)
    return found


_AT_ONCE = 200


def add_decoys(run: Run, chunk: Chunk, encoder: encoding.Encoder, checks: str, rng: Random) -> None:
    """Add the decoys that the documents of ``chunk`` lack to reach ``mixing.decoy_rate``.

    The archive's deny list does not affect them: otherwise an observer who has the decoy list would
    see which of its words are names in the archive. Each line of the list is used once in an
    archive, because a repeated structure would be recognised as a decoy. Raises
    ``ConfigurationError`` when the list has no unused line left, before any sentence of the chunk
    is sent without its decoys.
    """
    rate = run.job.settings.mixing.decoy_rate
    if not rate:
        return
    decoys = run.store.decoys
    lacking = decoys.missing(chunk, rate, run.part)
    # Rounded at random, so that the mean is the number that is lacking.
    numbers = {
        document: int(lacks) + (rng.random() < lacks % 1) for document, lacks in lacking.items()
    }
    documents = [document for document, number in numbers.items() for _ in range(number)]
    candidates = _make_decoys(run, encoder, rng)
    while documents:
        batch = [
            replace(decoy, document=document)
            for document, decoy in zip(documents[:_AT_ONCE], candidates, strict=False)
        ]
        if not batch:
            raise ConfigurationError(
                "the list of decoys (mixing.decoys_file) has no unused sentence left, and each is "
                "used once: give a longer list, or lower mixing.decoy_rate"
            )
        taken = decoys.add(run.job.run_id, batch, checks)
        unplaced = [decoy.document for decoy in batch if decoy.id not in taken]
        documents = [*documents[len(batch) :], *unplaced]


def _make_decoys(run: Run, encoder: encoding.Encoder, rng: Random) -> Iterator[Decoy]:
    """Yield a decoy for each unused line, beginning at a random line; it has no document yet."""
    decoys, lines = run.store.decoys, run.decoy_lines
    start = rng.randrange(len(lines)) if lines else 0
    ordered = iter((*lines[start:], *lines[:start]))
    while batch := list(islice(ordered, _AT_ONCE)):
        line_of_id = {decoys.id_of(line): line for line in batch}
        own_lines = {row_id: line for row_id, line in line_of_id.items() if run.part.has(row_id)}
        used = decoys.find_used(list(own_lines))
        for row_id, line in own_lines.items():
            for sentence in () if row_id in used else run.model().sentences(line)[:1]:
                if encoder.needs_translator(sentence, DenyList()):
                    encoded = encoder.encode(sentence, DenyList(), rng)
                    if not encoded.withheld:
                        yield Decoy(row_id, "", sentence, encoded)
