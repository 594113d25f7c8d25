"""Between encoding and sending: sentences that are formulas of the archive stay on this machine.

Whoever has texts of the same genre reads a hidden word from what stands around it (*The ▢ alleged a
▢ of Article ▢*). Where other documents have the same around most words of a sentence, and a model
on this machine can translate it, it is not sent.

Entry: ``read_contexts`` of an encoding; ``keep_formulas_here`` for a wave that is encoded.
"""

from __future__ import annotations

import re

from prism_core.language import penn_tag
from prism_core.record import Encoded, Fate, Kind
from prism_core.settings import Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.run import Run, Wave, stage

_LEFT = "LEFT-"
_REACH = 3
_EDGE = "\n"
_TOKEN = re.compile(r"\w+|[^\w\s]")


def read_contexts(encoded: Encoded) -> list[str]:
    """Return what stands around each hidden word: three tokens to each side, as they are sent.

    Of substitutes the part of speech, of surrogates the kind; what the sentence begins and ends
    with counts.
    """
    record = [one for one in encoded.record if one.kind is not Kind.KEPT]
    tokens, words, at = [_EDGE] * _REACH, list[int](), 0
    for (start, end), replacement in zip(encoded.drawn, record, strict=True):
        tokens += _TOKEN.findall(encoded.text[at:start].lower())
        is_word = encoded.fates[replacement.position] is not Fate.IDENTIFIER
        if is_word:
            words.append(len(tokens))
        tag = penn_tag(replacement.drawn_as.removeprefix(_LEFT))
        tokens.append(tag if is_word else f"<{replacement.kind.name}>")
        at = end
    tokens += [*_TOKEN.findall(encoded.text[at:].lower()), *[_EDGE] * _REACH]
    return [" ".join(tokens[place - _REACH : place + _REACH + 1]) for place in words]


def keeps_formulas(run: Run, treatment: Treatment) -> bool:
    """Return True where formulas of documents under ``treatment`` are not sent."""
    settings = run.job.under(treatment).settings
    return not treatment.stays_here and settings.mixing.keeps_formulas(
        settings.on_withheld, settings.mechanism
    )


@stage("keep formulas here")
def keep_formulas_here(run: Run, wave: Wave) -> StageResult:
    """Withhold the sentences of ``wave`` that are formulas by all documents encoded by now.

    Those of earlier runs count too. What was sent already stays sent. Nothing of ``wave`` may be on
    its way: what is withheld then would be sent all the same.
    """
    withheld = 0
    for chunk in wave:
        for treatment, group in run.by_treatment(chunk).items():
            if keeps_formulas(run, treatment):
                least = run.job.settings.mixing.formulas_from
                withheld += run.store.formulas.withhold(group, least)
    return StageResult(sentences=withheld)
