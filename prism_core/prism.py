"""PRISM as a library: encode a text, have it translated by anyone, decode what comes back."""

from __future__ import annotations

from random import Random, SystemRandom

from prism_core.encoder import Encoder
from prism_core.errors import ConfigurationError, PrismError
from prism_core.identifiers.deny_list import DenyList
from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Encoded
from prism_core.settings import Settings, load_settings


class NothingToSend(PrismError):
    """The text may not be sent; the message has the reason, never the text."""


class Unrestored(PrismError):
    """What came back does not hold every substitute: encode and send again."""


class Prism:
    """Encodes and decodes for one language pair::

        prism = Prism.load("en-es")
        sent = prism.encode("Alice is heading to the hideout.")
        prism.decode(sent, translated)   # translated: the translation of sent.text

    ``sent.text`` is what may leave; ``sent.record`` is the secret.
    """

    def __init__(self, model: LanguageModel, encoder: Encoder, rng: Random | None = None) -> None:
        self._model = model
        self._encoder = encoder
        self._rng = rng or SystemRandom()

    @classmethod
    def load(cls, pair: str, settings: Settings | None = None) -> Prism:
        """The shipped model and dictionary for ``pair`` (``en-es``), or what ``settings`` name."""
        source, _, target = pair.partition("-")
        if settings is None:
            settings = load_settings(flags={"source": source, "target": target})
        elif (settings.source, settings.target) != (source, target):
            raise ConfigurationError(f"The settings are for another language pair than {pair}.")
        model = LanguageModel.load(settings.language.model)
        return cls(model, Encoder.load(settings, model.retag))

    def encode(self, text: str, deny_list: DenyList | None = None) -> Encoded:
        """x_pub and H of ``text`` (one paragraph). Raises ``NothingToSend``."""
        tokens = [token for sentence in self._model.sentences(text) for token in sentence.tokens]
        encoded = self._encoder.encode(Sentence(tuple(tokens)), deny_list or DenyList(), self._rng)
        if encoded.withheld:
            raise NothingToSend(f"Nothing was encoded that may be sent: {encoded.withheld}.")
        return encoded

    def decode(self, encoded: Encoded, translated: str) -> str:
        """y_pri. Raises ``Unrestored`` rather than give back a text with a substitute in it."""
        decoded = self._encoder.decode(encoded, translated)
        if decoded.unrestored:
            raise Unrestored(f"{decoded.unrestored} words could not be restored; encode afresh.")
        return decoded.text
