"""Kept words next to a replacement, adjusted to the substitute: they would reveal the original.

*L'avocat* is sent as *le médecin*, *du médecin* as *de l'avocat*, *padre e hijo* as *tío y perro*,
*el agua* as *la mesa*, *an apple* as *a chair*, *Jones' claim* as *Easton's stay*. If they were
kept, *l'*, *e* and *an* would reveal how the original begins, and a bare apostrophe how it ends.
The adjusted word follows from the substitute, which is sent anyway. Nothing is undone: translators
write their own articles and possessives.

Entry: ``fit_possessives``, ``adjust_articles`` and ``fit_elisions``, in this order; before them
``read_pronouns``, where an elided pronoun may be either gender, and ``accent_verbs``, which writes
a substitute with the accent that the pronouns at its end require.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product, takewhile

from prism_core.language import Sentence, Token
from prism_core.languages import Language
from prism_core.record import Kind, Replacement

_PLURAL = "NNS"
_SINGLE_QUOTES = ("'", "‘", "’", "`")


def fit_possessives(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> Sentence:
    """Write each possessive mark behind a replacement as the substitute requires.

    It is *'* behind plurals in -s and *'s* behind all else (*the boss's car*, *Jones's claim*).
    Behind a digit a bare apostrophe stays: it is a measure (*5'*).
    """
    if not language.words.possessives:
        return sentence
    bare, full = language.words.possessives
    tokens = list(sentence.tokens)
    behind = {
        known.positions.stop: known
        for known in record
        if known.kind is not Kind.KEPT and _is_possessive(tokens, known.positions.stop, language)
    }
    rest = "".join(token.text for at, token in enumerate(tokens) if at not in behind)
    for at, replacement in behind.items():
        last, text = replacement.substitute[-1:].lower(), tokens[at].text
        mark = full.upper() if rest.isupper() else full
        if (_PLURAL in replacement.drawn_as and last == "s") or (
            last.isdigit() and len(text) == len(bare)
        ):
            mark = bare
        tokens[at] = tokens[at]._replace(text=text[0] + mark[1:])
    return Sentence(tuple(tokens))


def _is_possessive(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """Return True if a possessive mark stands at ``at``, by its tag and what else is sent.

    The end of a verb (*he's*) is none. Taggers confuse bare apostrophes and quotation marks: one is
    possessive where no quotation is open and the tag says so, or a word follows.
    """
    if at >= len(tokens) or tokens[at - 1].whitespace:
        return False
    token = tokens[at]
    bare, full = language.words.possessives
    form = token.text.lower().replace("’", "'")
    if form != bare:
        return form == full and token.tag == "POS"
    follows = tokens[at + 1].text if token.whitespace and at + 1 < len(tokens) else ""
    return (token.tag == "POS" or follows[:1].isalnum()) and not _is_quoted(tokens[:at])


def _is_quoted(tokens: Sequence[Token]) -> bool:
    """Return True if the last single quotation mark of ``tokens`` opens a quotation."""
    for at in range(len(tokens) - 1, -1, -1):
        token, before = tokens[at], tokens[at - 1] if at else None
        if token.text[:1] in _SINGLE_QUOTES:
            begins = not (before and before.text[-1:].isalnum() and not before.whitespace)
            if begins and not (len(token.text) == 1 and token.whitespace):
                return True
            if len(token.text) == 1:
                return False
    return False


_MASCULINE = 3
"""Number of *le* for each *la* before a French verb (UD Sequoia train: 24 *le*, 8 *la*)."""
_MOST_PRONOUNS = 3


def read_pronouns(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> Iterator[Sentence]:
    """Yield the sentence with each elided pronoun before a replaced verb (*l'aime*) in full.

    One of the readings, drawn by chance, is to be fitted and sent. One in four pronouns is *la*, as
    it is before other verbs. If it were always *le*, a *la* that is sent would reveal that the verb
    begins with a consonant. Of more than three pronouns the rest stay elided.
    """
    rows = () if language.words.elides_at_nouns_alone else language.words.agreeing[:1]
    places = [
        replacement.position - 1
        for replacement in record
        for row in rows
        if replacement.position
        and replacement.tag[:2] == "VB"
        and sentence.tokens[replacement.position - 1].text.lower().replace("’", "'") == row[2]
    ][:_MOST_PRONOUNS]
    if not places:
        yield sentence
        return
    choices = [form for row in rows for form in (row[0],) * _MASCULINE + (row[1],)]
    for forms in product(choices, repeat=len(places)):
        tokens = list(sentence.tokens)
        for place, form in zip(places, forms, strict=True):
            tokens[place] = _write_like(tokens[place], form, in_capitals=False)
        yield Sentence(tuple(tokens))


def adjust_articles(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> Sentence:
    """Adjust each article before a replacement to the substitute.

    Marks between the two are passed over. A single capital letter that begins no sentence is an
    article only if it is tagged as one: *vitamin A*.
    """
    forms, lower = language.words.indefinite_articles, map(str.lower, sentence.words)
    articles = {i for i, word in enumerate(lower) if word in forms}
    if not articles:
        return sentence
    tokens = list(sentence.tokens)
    articles.difference_update(*(replacement.positions for replacement in record))
    articles -= {
        i
        for i in articles
        if i and len(tokens[i].text) == 1 and tokens[i].text.isupper() and tokens[i].tag != "DT"
    }
    for replacement in record:
        before = _find_word_before(tokens, replacement.position)
        if before in articles:
            text = language.fitting_article(replacement.substitute)
            if tokens[before].text[0].isupper():  # in capitals only where everything else is
                rest = (token.text for i, token in enumerate(tokens) if i not in articles)
                text = text.upper() if "".join(rest).isupper() else text.capitalize()
            tokens[before] = tokens[before]._replace(text=text)
    return Sentence(tuple(tokens))


def fit_elisions(sentence: Sentence, record: Sequence[Replacement], language: Language) -> Sentence:
    """Adjust the kept words next to each replacement to the substitute.

    Marks between the two are passed over. A word without a gender takes the masculine form. Before
    a verb *la* stays: it is a pronoun there and says who is meant.
    """
    if not language.words.agreeing:
        return sentence
    tokens = list(sentence.tokens)
    replaced = {i for replacement in record for i in replacement.positions}
    kept = "".join(token.text for i, token in enumerate(tokens) if i not in replaced)
    in_capitals = "".join([kept, *(replacement.written for replacement in record)]).isupper()
    for replacement in record:
        before = _find_word_before(tokens, replacement.position)
        if before >= 0 and before not in replaced:
            for place, text in _fit_before(tokens, before, replacement, language).items():
                tokens[place] = _write_like(tokens[place], text, in_capitals=in_capitals)
        after = replacement.positions.stop
        if after < len(tokens) and after not in replaced:
            form, is_plain = tokens[after].text.lower(), replacement.substitute[-1:].lower() in "dt"
            for plain, linked in language.words.linked.items():
                if form == (linked if is_plain else plain):
                    tokens[after] = tokens[after]._replace(text=plain if is_plain else linked)
    return Sentence(tuple(tokens))


def _find_word_before(tokens: Sequence[Token], position: int) -> int:
    """Return the position of the last word before ``position``, over marks; -1 if there is none."""
    words = (at for at in range(position - 1, -1, -1) if any(map(str.isalnum, tokens[at].text)))
    return next(words, -1)


def accent_verbs(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> list[Replacement]:
    """Return ``record`` with verbs accented as the pronouns attached to them require."""
    accented, tokens = list(record), sentence.tokens
    for index, replacement in enumerate(record):
        if replacement.drawn_as.startswith("VB"):
            attached = takewhile(
                lambda at: (
                    not tokens[at - 1].whitespace
                    and tokens[at].text.lower() in language.words.clitics
                ),
                range(replacement.positions.stop, len(tokens)),
            )
            if pronouns := len(list(attached)):
                verb = language.grammar.enclitics.accent(replacement.substitute, pronouns)
                accented[index] = replacement._replace(substitute=verb)
    return accented


def _fit_before(
    tokens: Sequence[Token], at: int, replacement: Replacement, language: Language
) -> dict[int, str]:
    """Return the new texts for ``at`` and the place before it, by place; empty if they stay.

    A word may go by the sound that follows (*y*, *e*), or lose its vowel (*de*, *d'*). An article
    also has the gender of the substitute, and may be one word with a preposition (*du*, *de l'*).
    """
    words, tag, form = language.words, replacement.tag, tokens[at].text.lower().replace("’", "'")
    for plain, (other, sound) in words.by_sound.items():
        if form in (plain, other):
            return {at: other if re.match(sound, replacement.substitute) else plain}
    may_elide = tag.startswith("NN") or not words.elides_at_nouns_alone
    elides = may_elide and language.elides(replacement.substitute)
    for full, elided in words.elided.items():
        if form in (full, elided):
            return {at: elided if elides else full}
    preposition, article = words.contracted.get(form, ("", form))
    articles = next((row for row in words.agreeing if article in row), None)
    agreement = tag.partition("-")[2]
    if articles is None or tag.startswith("NNS") or agreement.endswith("P"):
        return {}
    is_feminine = agreement[:1] == "F"
    if agreement[:1] not in ("F", "M") and (words.elides_at_nouns_alone or tag[:2] == "VB"):
        is_feminine = article == articles[1]
    fitting = articles[is_feminine + 2 * elides]
    contracted = {parts: word for word, parts in words.contracted.items()}
    if preposition:
        return {at: contracted.get((preposition, fitting), f"{preposition} {fitting}")}
    before = tokens[at - 1].text.lower() if at else ""
    is_pronoun = tag[:2] == "VB" and tag[:3] != "VBN"  # *de le voir* stays
    if not is_pronoun and (before, fitting) in contracted:
        return {at - 1: contracted[before, fitting], at: ""}
    return {at: fitting}


def _write_like(token: Token, text: str, *, in_capitals: bool) -> Token:
    """Write ``text`` in the case of ``token``, with a blank after it unless it is elided."""
    if token.text[:1].isupper():
        text = text.upper() if in_capitals else text[:1].upper() + text[1:]
    if not text or text.endswith("'"):
        return token._replace(text=text, whitespace="")
    return token._replace(text=text, whitespace=token.whitespace or " ")
