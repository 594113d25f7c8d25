"""Translate on this machine, check the result, and translate again what has faults.

Entry: ``draft_sentences`` loads a model -> ``translate_checked`` -> ``_CheckedModel.translate`` ->
``_list_other_ways`` if there are faults.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from prism_core.dictionary import Glossary
from prism_core.drafts.faults import CODE, Draft, Fault, find_faults
from prism_core.drafts.glossary_terms import SentenceTerms
from prism_core.drafts.words_alone import ask_word, choose_word
from prism_core.errors import Rejected
from prism_core.language import PROPER_NOUNS, Sentence
from prism_core.languages import Language, load_language, read_words
from prism_core.settings import TranslatorSettings
from prism_core.translation_memory import SingleWordTranslations, WordAlone, is_unclear_alone
from prism_core.translators import RetryingTranslator, Translator, make_translator

_AT_ONCE = 32
_CLAUSE = re.compile(r"(?<=[;:,—–])\s+|(?<=\))\s+|\s+(?=\()")
"""Places where a sentence may be cut: what stands on both sides is translated well alone."""
_FEWEST_LETTERS = 12
"""Fewest letters of a part: shorter ones are translated badly."""
_FEWEST_OF_WORD = 4
"""Fewest letters of a word that is to be translated."""
_FEWEST_OF_PROSE = 2
"""Number of words of grammar in small letters from which a text is more than a name: *Held on 4
May at St Mark's*."""
_STAND_IN = "Q{number}"
"""Code that models copy."""
_MONEY = re.compile(r"[£$€¥]\d+(?:[.,]\d+)*")
"""Amounts with a sign: models take a currency for that of the target."""
_NO_TERMS = Glossary()
_single_words = cache(SingleWordTranslations)


def find_drafting_model(
    settings: TranslatorSettings | None, source: str, target: str
) -> Path | None:
    """Return the file of the model of ``settings`` for the pair; None if it cannot align."""
    can_align = settings is not None and settings.name == "firefox"
    return settings.model_file(source, target) if settings and can_align else None


def draft_sentences(
    settings: TranslatorSettings,
    sentences: Sequence[Sentence],
    source: str,
    target: str,
    contexts: Sequence[str] = (),
    glossary: Glossary = _NO_TERMS,
    *,
    in_parts: bool = False,
) -> list[Draft | None]:
    """Translate ``sentences`` by the model of ``settings``, loaded for them alone.

    ``in_parts``: clause by clause; None stands for a sentence of one clause, too. The result and
    the errors are those of ``translate_checked``. A server is asked again after failures that may
    pass; the ``Transient`` that outlasts this is raised.
    """

    async def draft() -> list[Draft | None]:
        model = RetryingTranslator(make_translator(settings, source, target))
        try:
            if in_parts:
                checked = _CheckedModel(model, load_language(source), target, glossary)
                drafts = [await checked.translate_in_parts(sentence) for sentence in sentences]
            else:
                drafts = await translate_checked(
                    model, sentences, source, target, contexts, glossary
                )
            model.check_answered()
            return drafts
        finally:
            await model.close()

    return asyncio.run(draft())


async def translate_checked(
    model: Translator,
    sentences: Sequence[Sentence],
    source: str,
    target: str,
    contexts: Sequence[str] = (),
    glossary: Glossary = _NO_TERMS,
) -> list[Draft | None]:
    """Translate ``sentences`` with ``model``, from ``source`` to ``target`` (ISO 639-1).

    A sentence whose translation has faults is translated again: with the translations of the terms
    of ``glossary`` in their place, without the stops of titles, in other letter case, with its
    codes as shorter ones, and in parts. The translation with the fewest faults is returned. None
    stands for a sentence that the model does not take. ``contexts`` are the texts that stand before
    the sentences, a few words or none: one word alone is also translated behind its context.
    Raises as ``Translator.translate``.
    """
    checked = _CheckedModel(model, load_language(source), target, glossary)
    at_once = min(_AT_ONCE, model.limits.texts_per_request)
    drafts: list[Draft | None] = []
    for start in range(0, len(sentences), at_once):
        drafts += await checked.translate(
            sentences[start : start + at_once], contexts[start : start + at_once]
        )
    return drafts


@dataclass(frozen=True, slots=True)
class _CheckedModel:
    model: Translator
    language: Language
    target: str
    glossary: Glossary

    async def translate(
        self, sentences: Sequence[Sentence], contexts: Sequence[str]
    ) -> list[Draft | None]:
        """Translate the sentences of one request, and those with faults in other ways."""
        words = {
            n: draft
            for n, sentence in enumerate(sentences)
            if (draft := await self._translate_word(sentence, *contexts[n : n + 1]))
        }
        whole = [sentence for n, sentence in enumerate(sentences) if n not in words]
        others = iter(await self._translate_sentences(whole) if whole else [])
        return [words[n] if n in words else next(others) for n in range(len(sentences))]

    async def translate_in_parts(self, sentence: Sentence) -> Draft | None:
        """Translate each clause by itself; None if there is one alone, or one is not taken."""
        parts = _cut_at_clauses(self._write_out(sentence.text))
        terms = SentenceTerms.find(sentence, self.glossary)
        return await self._join(sentence, parts, " ".join, terms) if len(parts) > 1 else None

    async def _translate_word(self, sentence: Sentence, context: str = "") -> Draft | None:
        """Return the draft of a sentence that is listed, or one word; else None."""
        terms = SentenceTerms.find(sentence, self.glossary)
        listed = _single_words(self.language.code, self.target).translate(sentence.text)
        is_unclear = is_unclear_alone(sentence.text, self.language.code)
        if listed is not None and not is_unclear and not terms.terms:
            return Draft(listed)
        line = WordAlone.read(sentence.text)
        if line is None or len(line.word) == 1 or self._write_out(line.word) != line.word:
            return None
        word = line.word.lower()
        is_name = word in read_words(self.language.names_that_are_words) and any(
            token.entity or token.tag in PROPER_NOUNS for token in sentence.tokens
        )
        is_grammar = self.language.is_function_word(word)
        is_ordinary = is_grammar or word in read_words(self.language.plain)
        asked = ask_word(line, context, is_ordinary=is_ordinary, is_name=is_name)
        answers = [(await self._ask([text]))[0] for text in asked]
        chosen, agrees = choose_word(line, answers, is_ordinary=is_ordinary)
        if chosen is None:
            return None
        draft = self._check(sentence, chosen, terms)
        return draft if agrees else replace(draft, faults=draft.faults | {Fault.ALONE})

    async def _translate_sentences(self, sentences: Sequence[Sentence]) -> list[Draft | None]:
        texts = [self._write_out(sentence.text) for sentence in sentences]
        # Models know few words in capitals, so these are translated as a sentence.
        is_upper = [_has_upper_words(sentence.text) for sentence in sentences]
        asked = (
            text.capitalize() if up else text for text, up in zip(texts, is_upper, strict=True)
        )
        answers = await self._ask(list(asked))
        drafts: list[Draft | None] = []
        for sentence, up, answer in zip(sentences, is_upper, answers, strict=True):
            terms = SentenceTerms.find(sentence, self.glossary)
            written = answer.upper() if up and answer else answer
            draft = None if written is None else self._check(sentence, written, terms)
            if draft is None or draft.faults:
                draft = await self._improve(sentence, draft, terms)
            drafts.append(None if draft is not None and Fault.UNUSABLE in draft.faults else draft)
        return drafts

    def _write_out(self, text: str) -> str:
        """Return ``text`` without the abbreviations that models take for other words."""
        written = text
        for abbreviation, words in self.language.words.written_out:
            written = re.sub(abbreviation, words, written)
        begins = written != text and text[:1].isupper()
        return written[:1].upper() + written[1:] if begins else written

    async def _improve(
        self, sentence: Sentence, best: Draft | None, terms: SentenceTerms
    ) -> Draft | None:
        """Return the draft of ``sentence`` with the fewest faults, ``best`` or made otherwise."""
        for texts, join in _list_other_ways(sentence.text, terms, self.language):
            other = await self._join(sentence, texts, join, terms)
            if other is not None and (best is None or len(other.faults) < len(best.faults)):
                best = other
            if best is not None and not best.faults:
                break
        return best

    async def _join(
        self,
        sentence: Sentence,
        texts: Sequence[str],
        join: Callable[[list[str]], str],
        terms: SentenceTerms,
    ) -> Draft | None:
        """Translate ``texts`` in place of ``sentence``; None if one is not taken, or of no use."""
        parts = await self._ask(texts)
        whole = [part for part in parts if part is not None]
        draft = self._check(sentence, join(whole), terms) if len(whole) == len(parts) else None
        return None if draft is not None and Fault.UNUSABLE in draft.faults else draft

    def _check(self, sentence: Sentence, answer: str, terms: SentenceTerms) -> Draft:
        draft = find_faults(sentence, answer, self.language, self.target)
        if not terms.stand_in(draft.text):
            draft = replace(draft, faults=draft.faults | {Fault.TERM})
        if is_unclear_alone(sentence.text, self.language.code):
            draft = replace(draft, faults=draft.faults | {Fault.ALONE})
        return draft

    async def _ask(self, texts: Sequence[str]) -> list[str | None]:
        """Translate ``texts``; None stands for one that the model does not take."""
        try:
            return [*await self.model.translate(texts, self.language.code, self.target)]
        except Rejected:  # translating each by itself shows which
            if len(texts) == 1:
                return [None]
        return [answer for text in texts for answer in await self._ask([text])]


def _has_upper_words(text: str) -> bool:
    words = (sum(map(str.isalpha, word)) for word in text.split())
    return text.isupper() and max(words, default=0) >= _FEWEST_OF_WORD


def _list_other_ways(
    text: str, terms: SentenceTerms, language: Language
) -> Iterator[tuple[list[str], Callable[[list[str]], str]]]:
    """Yield texts to translate in place of ``text``, and how their translations are joined.

    The last is ``text`` itself, where it may be nothing but names and codes.
    """
    if terms.terms:
        yield [terms.ask_for()], "".join
    titles = "|".join(language.words.titles)
    bare = re.sub(rf"\b({titles})\.", r"\1", text, flags=re.IGNORECASE)
    if bare != text:  # its stop was taken for the end of a sentence
        yield [bare], "".join
    if _has_upper_words(text):
        yield [text], "".join
    codes = list(dict.fromkeys([*CODE.findall(text), *_MONEY.findall(text)]))
    if codes:
        stand_ins = {code: _STAND_IN.format(number=n) for n, code in enumerate(codes, 2)}
        put_back = {stand_in: code for code, stand_in in stand_ins.items()}
        yield [_replace_all(text, stand_ins)], lambda parts: _replace_all(parts[0], put_back)
    parts = _cut_at_clauses(text)
    if len(parts) > 1:
        yield parts, " ".join
    words = [word for word in CODE.sub("", text).split() if word.islower()]
    if not any(len(word) >= _FEWEST_OF_WORD for word in words) and (
        sum(map(language.is_function_word, words)) < _FEWEST_OF_PROSE
    ):
        yield [], lambda _: text


def _replace_all(text: str, changes: Mapping[str, str]) -> str:
    for written, other in changes.items():
        text = text.replace(written, other)
    return text


def _cut_at_clauses(text: str) -> list[str]:
    """Return the clauses of ``text``, none of them short."""
    parts: list[str] = []
    for part in _CLAUSE.split(text):
        if parts and sum(map(str.isalpha, parts[-1])) < _FEWEST_LETTERS:
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    if len(parts) > 1 and sum(map(str.isalpha, parts[-1])) < _FEWEST_LETTERS:
        parts[-2:] = [" ".join(parts[-2:])]
    return parts
