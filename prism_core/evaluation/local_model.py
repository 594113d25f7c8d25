"""The model on this machine in clear: the baseline of quality.

Encoding is worth it only where its result is better than what a free model writes here, to which
nothing is exposed.

Entry: ``LocalModel.translate``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from prism_core.drafts import draft_sentences
from prism_core.errors import Misconfigured
from prism_core.language import Sentence
from prism_core.settings import TranslatorSettings


@dataclass(frozen=True)
class LocalModel:
    """Model that ``prism models add`` put on this machine for a pair of languages."""

    source: str
    target: str

    def digest(self) -> str:
        """Return a digest of the model. Raises ``Misconfigured`` where there is none."""
        settings = TranslatorSettings.choose(name="firefox")
        if (path := settings.model_file(self.source, self.target)) is None:
            pair = f"{self.source}-{self.target}"
            raise Misconfigured(f"No model for {pair} is on this machine: prism models add {pair}.")
        return sha256(path.read_bytes()).hexdigest()[:16]

    def translate(self, sentences: Sequence[Sentence]) -> list[str]:
        """Translate in clear, as a run does; a sentence that the model does not take stays as is.

        Raises ``Misconfigured`` where there is no model.
        """
        settings = TranslatorSettings.choose(name="firefox")
        drafts = draft_sentences(settings, sentences, self.source, self.target)
        pairs = zip(sentences, drafts, strict=True)
        return [sentence.text.strip() if made is None else made.text for sentence, made in pairs]
