"""Keep sentences that are formulas of the archive on this machine, between encoding and sending.

A reader of texts of the same genre can guess a hidden word from its context (*The ▢ alleged a ▢ of
Article ▢*). A sentence is not sent where other documents have the same contexts around most of its
words, and a model on this machine can translate it.

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
    """Return the context of each hidden word: three tokens to each side, as they are sent.

    A substitute is represented by its part of speech, a surrogate by its kind. The beginning and
    the end of the sentence count as tokens.
    """
    record = [replacement for replacement in encoded.record if replacement.kind is not Kind.KEPT]
    tokens, words, position = [_EDGE] * _REACH, list[int](), 0
    for (start, end), replacement in zip(encoded.drawn, record, strict=True):
        tokens += _TOKEN.findall(encoded.text[position:start].lower())
        is_word = encoded.fates[replacement.position] is not Fate.IDENTIFIER
        if is_word:
            words.append(len(tokens))
        tag = penn_tag(replacement.drawn_as.removeprefix(_LEFT))
        tokens.append(tag if is_word else f"<{replacement.kind.name}>")
        position = end
    tokens += [*_TOKEN.findall(encoded.text[position:].lower()), *[_EDGE] * _REACH]
    return [" ".join(tokens[index - _REACH : index + _REACH + 1]) for index in words]


def keeps_formulas(run: Run, treatment: Treatment) -> bool:
    """Return True where formulas of documents under ``treatment`` are not sent."""
    settings = run.job.under(treatment).settings
    return not treatment.stays_here and settings.mixing.keeps_formulas(
        settings.on_withheld, settings.mechanism
    )


@stage("keep formulas here")
def keep_formulas_here(run: Run, wave: Wave) -> StageResult:
    """Withhold the sentences of ``wave`` that are formulas by all documents encoded by now.

    Documents of earlier runs count too. A sentence that was already sent stays sent. Nothing of
    ``wave`` may be in flight, because a sentence withheld then would still be sent.
    """
    withheld = 0
    for chunk in wave:
        for treatment, group in run.by_treatment(chunk).items():
            if keeps_formulas(run, treatment):
                least = run.job.settings.mixing.formulas_from
                withheld += run.store.formulas.withhold(group, least)
    return StageResult(sentences=withheld)
