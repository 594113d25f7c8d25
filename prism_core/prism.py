"""PRISM as a library: encode texts, have them translated by anyone, decode what comes back.

entry: ``Prism.load``; then ``encode`` and ``decode``, or ``protect``, which does both around a
function that translates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random, SystemRandom

from prism_core.decoding import AnsweredDraw, Way
from prism_core.encoding import Encoder, load_encoder
from prism_core.errors import BadAnswer, ConfigurationError, PrismError
from prism_core.identifiers import SECRET_BYTES, DenyList, Scope
from prism_core.language import LanguageModel, Sentence
from prism_core.record import Encoded
from prism_core.recovery import redraw_allowance
from prism_core.settings import Consistency, DecodingSettings, Settings, load_settings
from prism_core.translation_memory import WordsAlone

Translate = Callable[[list[str]], Sequence[str]]
"""Anything that translates: as many texts come back as were given, in their order."""

TOGETHER = 100
"""Texts that ``protect`` mixes and gives to the translator at a time."""


class NothingToSend(PrismError):
    """The text may not be sent; the message has the reason, never the text."""


class Unrestored(PrismError):
    """What came back does not hold every substitute: encode and send again."""


class Prism:
    """Encodes and decodes for one language pair::

        prism = Prism.load("en-es")
        sent = prism.encode("Alice is heading to the hideout.")
        prism.decode(sent, translated)   # translated: the translation of sent.text

    ``sent.text`` is what may leave; ``sent.record`` is the secret. A text is one paragraph or less.
    Nothing is kept of a text once it was given back. Loading takes a few seconds: keep the object.
    Where surrogates are to be consistent (``identifiers.consistency``), a document is what one call
    is given, and an archive all that one object is.
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
        self._alone = WordsAlone(
            encoder.dictionary.language.code, target, encoder.dictionary.is_term
        )
        self._rng = rng or SystemRandom()
        self._consistency = consistency
        self._secret = self._rng.randbytes(SECRET_BYTES)

    @classmethod
    def load(cls, pair: str, settings: Settings | None = None) -> Prism:
        """The shipped model and dictionary for ``pair`` (``en-es``), or what ``settings`` name."""
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
        """Whatever names someone or something in one of ``texts``, to be hidden in all of them."""
        return self._encoder.add_identifiers(DenyList(), self._annotate(texts))

    def encode(self, text: str, deny_list: DenyList | None = None) -> Encoded:
        """x_pub and H of ``text``. Raises ``NothingToSend``."""
        (encoded,) = self.encode_all([text], deny_list)
        if encoded.withheld:
            raise NothingToSend(f"Nothing was encoded that may be sent: {encoded.withheld}.")
        return encoded

    def encode_all(
        self, texts: Iterable[str], deny_list: DenyList | None = None
    ) -> Iterator[Encoded]:
        """x_pub and H of each of ``texts``, in order; reads a batch ahead, keeps no more.

        A text that may not be sent gives an ``Encoded`` with the reason in ``withheld`` and an
        empty ``text``. Give a ``deny_list`` of all texts, or a name that is recognised in one of
        them only may stay in another.
        """
        known, scope = deny_list or DenyList(), self._scope()
        for sentence in self._annotate(texts):
            yield self._encoder.encode(sentence, known, self._rng, scope)

    def _scope(self) -> Scope:
        """That of one call."""
        call = self._rng.randbytes(SECRET_BYTES)
        wider = {"document": call, "archive": self._secret}
        return Scope(wider.get(self._consistency), call)

    def decode(self, encoded: Encoded, translated: str) -> str:
        """y_pri. Raises ``Unrestored`` rather than give back a text with a substitute in it."""
        decoded = self._encoder.decode(encoded, translated)
        if decoded.unrestored:
            raise Unrestored(
                f"{decoded.unrestored} words could not be restored; protect() sends them anew."
            )
        return decoded.text

    def decode_all(self, encoded: Iterable[Encoded], translated: Iterable[str]) -> Iterator[str]:
        """y_pri of each; the translations come in the order of ``encoded``. Raises as ``decode``.

        Raises ``BadAnswer`` when there are more of the one than of the other.
        """
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
        """The translations of ``texts``, in order; ``translate`` sees nothing but encodings.

        A hundred texts at a time are read, and handed to ``translate`` in an order without meaning,
        equal ones once. Of what cannot be restored the words that were lost are drawn anew, and it
        is sent again, three times at most, or never where the mechanism forbids it
        (``Encoder.most_draws``), and no more often in all than ``decoding.redraws`` says. What then
        is left, or may not be sent, raises ``Unrestored`` or ``NothingToSend``; with ``leave`` it
        is given back untranslated. A text of names and numbers alone is its own translation.

        Where the mechanism bounds ε, each text is sent by itself, equal ones too, and all the rest
        is sent before ``Unrestored`` is raised: that nothing more came would tell which words had
        been replaced.

        Without ``deny_list``, what was recognised in one text is hidden in all that are read with
        it or after it.
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
        """The translation of each of ``texts``.

        Within, a text is named by its place; equal ones by the place of the first, so that they are
        sent once, unless the mechanism bounds ε.
        """
        first: dict[str, int] = {}
        apart = self._encoder.bounds_epsilon
        places = [i if apart else first.setdefault(text, i) for i, text in enumerate(texts)]
        different = list(dict.fromkeys(places))
        read = map(self._encoder.look, self._annotate(texts[place] for place in different))
        sentences = dict(zip(different, read, strict=True))
        self._encoder.add_identifiers(known, sentences.values())
        done = self._translate_here(sentences, texts, known)
        waiting = {place: own for place, own in sentences.items() if place not in done}
        draws: dict[int, list[AnsweredDraw]] = {place: [] for place in waiting}
        room = redraw_allowance(len(waiting), self._redraws)
        for draw in range(self._encoder.most_draws):
            is_last = draw + 1 == self._encoder.most_draws
            ways = frozenset(Way) - (frozenset() if is_last else {Way.ELIMINATION})
            sent = self._encode_waiting(waiting, draws, known, scope.for_retry(draw), leave=leave)
            if draw:
                sent = dict(islice(sent.items(), room))
                room -= len(sent)
            answers = _ask(translate, [encoded.text for encoded in sent.values()])
            for (place, encoded), answer in zip(sent.items(), answers, strict=True):
                draws[place].append(AnsweredDraw(encoded, answer))
                _, decoded = self._encoder.decode_draws(draws[place], ways)
                if not decoded.unrestored:
                    done[place] = decoded.text
            waiting = {place: waiting[place] for place in sent if place not in done}
            if not waiting:
                break
        for place, sent_of_it in draws.items():
            if place not in done and sent_of_it:  # no more of it may be sent
                _, decoded = self._encoder.decode_draws(sent_of_it)
                done |= {} if decoded.unrestored else {place: decoded.text}
        if (left := len(different) - len(done)) and not leave:
            raise Unrestored(f"{left} texts could not be restored.")
        return [done.get(place, text) for place, text in zip(places, texts, strict=True)]

    def _translate_here(
        self, sentences: dict[int, Sentence], texts: Sequence[str], known: DenyList
    ) -> dict[int, str]:
        """The translations of those of ``texts`` that need no translator: names and numbers alone,
        which stay as they are, and words of grammar alone, unless the mechanism bounds ε."""
        done = {}
        for place, sentence in sentences.items():
            said = None if self._encoder.bounds_epsilon else self._alone.translate(texts[place])
            if not self._encoder.needs_translator(sentence, known):
                done[place] = texts[place]
            elif said is not None:
                done[place] = said
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
        """What is to be sent after ``draws`` for each text that may be, in a random order."""
        order = list(waiting)
        self._rng.shuffle(order)
        drawn = {
            place: self._encoder.encode_again(waiting[place], draws[place], known, self._rng, scope)
            for place in order
        }
        reasons = [
            one.withheld for place, one in drawn.items() if one.withheld and not draws[place]
        ]
        if reasons and not leave:
            raise NothingToSend(f"Nothing was encoded that may be sent: {reasons[0]}.")
        return {place: encoded for place, encoded in drawn.items() if not encoded.withheld}

    def _annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        for sentences in self._model.annotate(texts):
            yield Sentence(tuple(token for sentence in sentences for token in sentence.tokens))


def _ask(translate: Translate, texts: list[str]) -> Sequence[str]:
    """What ``translate`` makes of ``texts``; raises ``BadAnswer`` when the count is wrong."""
    answers = translate(texts) if texts else []
    if len(answers) != len(texts):
        raise BadAnswer(f"{len(answers)} translations came back for {len(texts)} texts")
    return answers
