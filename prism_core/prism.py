"""PRISM as a library: encode texts, have anyone translate them, decode the answers.

Entry: ``Prism.load``; then ``encode`` and ``decode``, or ``protect``, which does both around a
function that translates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random, SystemRandom

from prism_core.decoding import STRONG, AnsweredDraw, SearchStrategy
from prism_core.encoding import Encoder, load_encoder
from prism_core.errors import BadAnswer, ConfigurationError, PrismError
from prism_core.identifiers import SECRET_BYTES, DenyList, Scope
from prism_core.language import LanguageModel, Sentence
from prism_core.record import Encoded
from prism_core.recovery import redraw_allowance
from prism_core.settings import Consistency, DecodingSettings, Settings, load_settings
from prism_core.translation_memory import SingleWordTranslations

Translate = Callable[[list[str]], Sequence[str]]
"""Function that translates: it returns as many texts as it gets, in their order."""

TOGETHER = 100
"""Texts that ``protect`` mixes and gives to the translator at a time."""


class NothingToSend(PrismError):
    """Error raised when the text may not be sent; the message has the reason, never the text."""


class Unrestored(PrismError):
    """Error raised when the answer lacks a substitute: encode and send again."""


class Prism:
    """Encoder and decoder for one language pair.

    Example::

        prism = Prism.load("en-es")
        sent = prism.encode("Alice is heading to the hideout.")
        prism.decode(sent, translated)   # translated: the translation of sent.text

    ``sent.text`` is the part that may leave; ``sent.record`` is the secret. A text is one paragraph
    or less. Nothing of a text is kept once it was returned. Loading takes a few seconds: keep the
    object. Where surrogates are to be consistent (``identifiers.consistency``), the texts of one
    call are a document, and those of one object an archive.
    """

    def __init__(
        self,
        model: LanguageModel,
        encoder: Encoder,
        rng: Random | None = None,
        consistency: Consistency = "sentence",
        redraws: float = DecodingSettings().redraws,
        target: str = "",
    ) -> None:
        self._model = model
        self._redraws = redraws
        self._encoder = encoder
        self._single_words = SingleWordTranslations(
            encoder.dictionary.language.code, target, encoder.dictionary.is_term
        )
        self._rng = rng or SystemRandom()
        self._consistency = consistency
        self._secret = self._rng.randbytes(SECRET_BYTES)

    @classmethod
    def load(cls, pair: str, settings: Settings | None = None) -> Prism:
        """Load the model and dictionary for ``pair`` (``en-es``), shipped or from ``settings``."""
        source, _, target = pair.partition("-")
        if settings is None:
            settings = load_settings(flags={"source": source, "target": target})
        elif (settings.source, settings.target) != (source, target):
            raise ConfigurationError(f"The settings are for another language pair than {pair}.")
        model = LanguageModel.load(settings.source, settings.language.model, lemmas=False)
        encoder = load_encoder(settings, model.retag)
        consistency, redraws = settings.identifiers.consistency, settings.decoding.redraws
        return cls(model, encoder, consistency=consistency, redraws=redraws, target=target)

    def deny_list(self, texts: Iterable[str]) -> DenyList:
        """Collect the names and identifiers in ``texts``, to be hidden in all of them."""
        return self._encoder.add_identifiers(DenyList(), self._annotate(texts))

    def encode(self, text: str, deny_list: DenyList | None = None) -> Encoded:
        """Return x_pub and H of ``text``. Raises ``NothingToSend``."""
        (encoded,) = self.encode_all([text], deny_list)
        if encoded.withheld:
            raise NothingToSend(f"Nothing was encoded that may be sent: {encoded.withheld}.")
        return encoded

    def encode_all(
        self, texts: Iterable[str], deny_list: DenyList | None = None
    ) -> Iterator[Encoded]:
        """Yield x_pub and H of each of ``texts``, in order; read a batch ahead, keep no more.

        A text that may not be sent gives an ``Encoded`` with the reason in ``withheld`` and an
        empty ``text``. Pass a ``deny_list`` of all texts; otherwise a name that is recognised in
        only one of them may stay in another.
        """
        known, scope = deny_list or DenyList(), self._scope()
        for sentence in self._annotate(texts):
            yield self._encoder.encode(sentence, known, self._rng, scope)

    def _scope(self) -> Scope:
        """Return the scope of one call."""
        call = self._rng.randbytes(SECRET_BYTES)
        wider = {"document": call, "archive": self._secret}
        return Scope(wider.get(self._consistency))

    def decode(self, encoded: Encoded, translated: str) -> str:
        """Return y_pri. Raises ``Unrestored`` rather than return a text with a substitute in it."""
        decoded = self._encoder.decode(encoded, translated)
        if decoded.unrestored:
            raise Unrestored(
                f"{decoded.unrestored} words could not be restored; protect() sends them anew."
            )
        return decoded.text

    def decode_all(self, encoded: Iterable[Encoded], translated: Iterable[str]) -> Iterator[str]:
        """Yield y_pri of each, in order. Raises as ``decode``; ``BadAnswer`` for other counts."""
        answers = iter(translated)
        for sent in encoded:
            answer = next(answers, None)
            if answer is None:
                raise BadAnswer("fewer translations than texts came back")
            yield self.decode(sent, answer)
        if next(answers, None) is not None:
            raise BadAnswer("more translations than texts came back")

    def protect(
        self,
        texts: Iterable[str],
        translate: Translate,
        deny_list: DenyList | None = None,
        *,
        leave: bool = False,
    ) -> Iterator[str]:
        """Yield the translations of ``texts``, in order; ``translate`` sees nothing but encodings.

        A hundred texts at a time are read, and passed to ``translate`` in a random order, equal
        ones once. If a text cannot be restored, its lost words are drawn again and it is sent
        again, at most twice, never where the mechanism forbids it (``Encoder.most_draws``),
        and no more often in all than ``decoding.redraws`` says. A text that then still fails, or
        may not be sent, raises ``Unrestored`` or ``NothingToSend``; with ``leave`` it is returned
        untranslated. A text of names and numbers alone is its own translation.

        Where the mechanism bounds ε, each text is sent by itself, equal ones too, and all further
        texts are sent before ``Unrestored`` is raised: an early end of the requests would tell
        which words had been replaced.

        Without ``deny_list``, identifiers recognised in one text are hidden in all texts that are
        read with it or after it.
        """
        known, scope = deny_list or DenyList(), self._scope()
        source = iter(texts)
        while together := list(islice(source, TOGETHER)):
            try:
                done = self._translate_together(together, translate, known, scope, leave=leave)
            except Unrestored:
                while self._encoder.bounds_epsilon and (rest := list(islice(source, TOGETHER))):
                    self._translate_together(rest, translate, known, scope, leave=True)
                raise
            yield from done

    def _translate_together(
        self,
        texts: list[str],
        translate: Translate,
        known: DenyList,
        scope: Scope,
        *,
        leave: bool,
    ) -> list[str]:
        """Return the translation of each of ``texts``.

        Internally a text is identified by its index; equal ones by the index of the first, so that
        they are sent once, unless the mechanism bounds ε.
        """
        first_index: dict[str, int] = {}
        by_itself = self._encoder.bounds_epsilon
        indices = [
            number if by_itself else first_index.setdefault(text, number)
            for number, text in enumerate(texts)
        ]
        different = list(dict.fromkeys(indices))
        read = map(self._encoder.look, self._annotate(texts[index] for index in different))
        sentences = dict(zip(different, read, strict=True))
        self._encoder.add_identifiers(known, sentences.values())
        done = self._translate_locally(sentences, texts, known)
        waiting = {index: sentence for index, sentence in sentences.items() if index not in done}
        draws: dict[int, list[AnsweredDraw]] = {index: [] for index in waiting}
        room = redraw_allowance(len(waiting), self._redraws)
        for draw in range(self._encoder.most_draws):
            is_last = draw + 1 == self._encoder.most_draws
            strategies = frozenset(SearchStrategy) if is_last else STRONG
            sent = self._encode_waiting(waiting, draws, known, scope.for_retry(draw), leave=leave)
            if draw:
                sent = dict(islice(sent.items(), room))
                room -= len(sent)
            asked = [encoded.text for encoded in sent.values()]
            answers = translate(asked) if asked else []
            if len(answers) != len(asked):
                raise BadAnswer(f"{len(answers)} translations came back for {len(asked)} texts")
            for (index, encoded), answer in zip(sent.items(), answers, strict=True):
                draws[index].append(AnsweredDraw(encoded, answer))
                _, decoded = self._encoder.decode_draws(draws[index], strategies)
                if not decoded.unrestored:
                    done[index] = decoded.text
            waiting = {index: waiting[index] for index in sent if index not in done}
            if not waiting:
                break
        for index, answered in draws.items():
            if index not in done and answered:  # no more of it may be sent
                _, decoded = self._encoder.decode_draws(answered)
                done |= {} if decoded.unrestored else {index: decoded.text}
        if (left := len(different) - len(done)) and not leave:
            raise Unrestored(f"{left} texts could not be restored.")
        return [done.get(index, text) for index, text in zip(indices, texts, strict=True)]

    def _translate_locally(
        self, sentences: dict[int, Sentence], texts: Sequence[str], known: DenyList
    ) -> dict[int, str]:
        """Translate those of ``texts`` that need no translator.

        Names and numbers alone stay as they are; single function words are translated, unless the
        mechanism bounds ε.
        """
        done = {}
        for index, sentence in sentences.items():
            translation = (
                None if self._encoder.bounds_epsilon else self._single_words.translate(texts[index])
            )
            if not self._encoder.needs_translator(sentence, known):
                done[index] = texts[index]
            elif translation is not None:
                done[index] = translation
        return done

    def _encode_waiting(
        self,
        waiting: dict[int, Sentence],
        draws: dict[int, list[AnsweredDraw]],
        known: DenyList,
        scope: Scope,
        *,
        leave: bool,
    ) -> dict[int, Encoded]:
        """Encode each text again after ``draws``, where allowed, in a random order."""
        order = list(waiting)
        self._rng.shuffle(order)
        drawn = {
            index: self._encoder.encode_again(waiting[index], draws[index], known, self._rng, scope)
            for index in order
        }
        reasons = [
            encoded.withheld
            for index, encoded in drawn.items()
            if encoded.withheld and not draws[index]
        ]
        if reasons and not leave:
            raise NothingToSend(f"Nothing was encoded that may be sent: {reasons[0]}.")
        return {index: encoded for index, encoded in drawn.items() if not encoded.withheld}

    def _annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        yield from map(Sentence.join, self._model.annotate(texts))
