"""Ways to protect a document before it is sent: those of PRISM, other tools, and none.

Entry: ``Senders.send_by`` with the name of a method; another tool is compared by its output.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from prism_core.encoding import Encoder, load_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.adversaries import attack_case
from prism_core.evaluation.adversaries.cases import (
    Sending,
    make_case,
    observe_encoder,
    public_knowledge,
)
from prism_core.evaluation.adversaries.observer import Documents
from prism_core.evaluation.findings import Finding
from prism_core.evaluation.subjects.records import Sent, Subject, as_request
from prism_core.evaluation.surviving import LANGUAGE
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence, split_clauses
from prism_core.settings import Settings

IN_CLEAR = "in-clear"
STRENGTHS = ("identifiers-only", "light", "standard", "strongest")
CONTROLS = 3
"""Archives of other words whose mean is the chance of attacks on hidden words."""
_WORD_ATTACKS = frozenset({"originals", "rebuilding by genre", "topic"})


@dataclass(frozen=True, slots=True)
class Protected:
    """What one method sends of each subject, and what attacks on its hidden words found."""

    sent: tuple[Sent, ...]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Senders:
    """Senders of the documents of ``subjects``; ``settings_of`` makes the settings of a strength.

    The substitutes are drawn with ``rng``.
    """

    subjects: Sequence[Subject]
    settings_of: Callable[[str], Settings]
    rng: Random

    def send_by(self, method: str) -> Protected:
        """Protect the documents by ``method``; nothing is sent to anybody.

        It is ``in-clear``, a strength of PRISM, or a file of lines ``{"subject": NAME, "text":
        TEXT}``, the output of another tool. Raises ``ConfigurationError`` for any other.
        """
        if method in STRENGTHS:
            return self._encode(self.settings_of(method))
        if method == IN_CLEAR:
            return Protected(tuple(subject.as_sent() for subject in self.subjects))
        texts = _read_outputs(Path(method))
        if missing := sorted({subject.name for subject in self.subjects} - texts.keys()):
            raise ConfigurationError(f"{method} has no text of {missing[0]}: give one line each.")
        return Protected(
            tuple(
                [as_request(line) for line in texts[subject.name].splitlines() if line.strip()]
                for subject in self.subjects
            )
        )

    @cached_property
    def _documents(self) -> Documents:
        model = LanguageModel.load(LANGUAGE.code, lemmas=False)
        annotated = (model.annotate(subject.lines) for subject in self.subjects)
        return [[found for found in chain(*lines) if found.text.strip()] for lines in annotated]

    def _encode(self, settings: Settings) -> Protected:
        """Encode as a run does, and attack the hidden words; equal sentences are sent once."""
        encoder = load_encoder(settings)
        documents = (
            _cut(self._documents, encoder) if settings.mixing.split_clauses else self._documents
        )
        known = encoder.add_identifiers(DenyList(), chain(*documents))
        public = public_knowledge(encoder.dictionary, (), ())
        seen = observe_encoder(encoder, public.prior, known, self.rng)
        requests = list(seen.observe(documents))
        case = make_case(
            requests,
            documents,
            (),
            public,
            Sending(),
            self.rng,
            controls=seen.observe_controls(documents, CONTROLS),
        )
        countries = {at: who.country for at, who in enumerate(self.subjects) if who.country}
        case = replace(case, topics={"country": countries} if countries else {})
        sent: list[list[Any]] = [[] for _ in documents]
        for each in requests:
            sent[each.document].append(each.request)
        found = attack_case(case, self.rng, _WORD_ATTACKS)
        return Protected(tuple(sent), tuple(finding for finding in found if finding.n))


def _cut(documents: Documents, encoder: Encoder) -> Documents:
    """Cut sentences into clauses where that is as safe, as a run does before it encodes."""

    def cut(sentence: Sentence) -> Sequence[Sentence]:
        parts = split_clauses(sentence, encoder.dictionary.language)
        return parts if encoder.may_cut(sentence, parts) else [sentence]

    return [list(chain(*map(cut, document))) for document in documents]


def _read_outputs(path: Path) -> dict[str, str]:
    """Read what another tool made of each subject's document. Raises ``ConfigurationError``."""
    try:
        lines = map(json.loads, path.read_text("utf-8").splitlines())
        return {str(line["subject"]): str(line["text"]) for line in lines}
    except OSError:
        raise ConfigurationError(
            f"There is no method {path}: choose from {', '.join((IN_CLEAR, *STRENGTHS))}, "
            "or name a file with the texts of another tool."
        ) from None
    except (ValueError, LookupError, TypeError):
        raise ConfigurationError(
            f'{path} is no file of lines {{"subject": NAME, "text": TEXT}}.'
        ) from None
