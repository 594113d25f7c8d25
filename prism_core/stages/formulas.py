"""Between encoding and sending: sentences that are formulas of the archive stay on this machine.

A sentence that others have word for word but for what is hidden (*The ▢ alleged a ▢ of Article ▢*)
is read by whoever has texts of the same genre. Where a model on this machine can translate it, it
is not sent.

Entry: ``read_skeleton`` of an encoding; ``keep_formulas_here`` for a wave that is encoded.
"""

from __future__ import annotations

from prism_core.language import penn_tag
from prism_core.record import Encoded, Kind, Replacement
from prism_core.settings import Treatment
from prism_core.stages.chunks import Counted
from prism_core.stages.run import Run, Wave, stage

RECURRING = "recurring"
"""Why a sentence is withheld that is a formula."""
_WORDS = (Kind.WORD, Kind.UNKNOWN)
_LEFT = "LEFT-"


def read_skeleton(encoded: Encoded) -> str:
    """Return what is sent of a sentence with parts of speech in the place of substitutes.

    Empty for a sentence in which no word is hidden: it is the same whatever it says.
    """
    record = [one for one in encoded.record if one.kind is not Kind.KEPT]
    if not any(one.kind in _WORDS for one in record):
        return ""
    pieces, at = [], 0
    for (start, end), replacement in zip(encoded.drawn, record, strict=True):
        pieces += [encoded.text[at:start].lower(), f"\0{_kind_of(replacement)}\0"]
        at = end
    return "".join((*pieces, encoded.text[at:].lower()))


def _kind_of(replacement: Replacement) -> str:
    if replacement.kind in _WORDS:
        return penn_tag(replacement.drawn_as.removeprefix(_LEFT))
    return replacement.kind.name


def keeps_formulas(run: Run, treatment: Treatment) -> bool:
    """Return True where formulas of documents under ``treatment`` are not sent."""
    settings = run.job.under(treatment).settings
    return not treatment.stays_here and settings.mixing.keeps_formulas(
        settings.on_withheld, settings.mechanism
    )


@stage("keep formulas here")
def keep_formulas_here(run: Run, wave: Wave) -> Counted:
    """Withhold the sentences of ``wave`` that stand in several documents but for what is hidden.

    Counted are all documents that are encoded by now, of earlier runs too. What was sent already
    stays sent. Only where ``keeps_formulas``.
    """
    withheld = 0
    for chunk in wave:
        for treatment, group in run.by_treatment(chunk).items():
            if keeps_formulas(run, treatment):
                least = run.job.settings.mixing.formulas_from
                withheld += run.store.formulas.withhold(group, least, RECURRING)
    return Counted(sentences=withheld)
