"""Elisions: words that depend on the sound and gender of the next one, adjusted to substitutes.

*L'avocat* is sent as *le médecin*, *du médecin* as *de l'avocat*, *padre e hijo* as *tío y perro*,
*el agua* as *la mesa*. If they were kept, *l'* and *e* would reveal how the original begins. The
adjusted word follows from the substitute, which is sent anyway. Nothing is undone: translators
write their own articles.

Entry: ``fit_elisions``, which calls ``_fit_before`` and ``_fit_after`` for each replacement; before
it ``read_pronouns``, where an elided pronoun may be either gender; ``accent_verbs`` writes a
substitute with the accent that the pronouns at its end require.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from prism_core.language import Sentence, Token
from prism_core.languages import Language
from prism_core.record import Replacement

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


def fit_elisions(sentence: Sentence, record: Sequence[Replacement], language: Language) -> Sentence:
    """Adjust the kept words next to each replacement to the substitute.

    Marks between the two are passed over. An apostrophe is always written straight. A word without
    a gender takes the masculine form. Before a verb *la* stays: it is a pronoun there and says who
    is meant.
    """
    if not language.words.agreeing:
        return sentence
    tokens = list(sentence.tokens)
    replaced = {
        i
        for replacement in record
        for i in range(replacement.position, replacement.position + replacement.length)
    }
    kept = "".join(token.text for i, token in enumerate(tokens) if i not in replaced)
    in_capitals = "".join([kept, *(replacement.written for replacement in record)]).isupper()
    for replacement in record:
        at = replacement.position - 1
        while at >= 0 and not any(map(str.isalnum, tokens[at].text)):
            at -= 1
        if at >= 0 and at not in replaced:
            for place, text in _fit_before(tokens, at, replacement, language).items():
                tokens[place] = _write_like(tokens[place], text, in_capitals=in_capitals)
        after = replacement.position + replacement.length
        if after < len(tokens) and after not in replaced:
            text = _fit_after(tokens[after].text.lower(), replacement.substitute, language)
            if text != tokens[after].text.lower():
                tokens[after] = tokens[after]._replace(text=text)
    return Sentence(tuple(tokens))


def accent_verbs(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> list[Replacement]:
    """Return ``record`` with verbs accented as the attached pronouns of ``sentence`` require.

    The accent follows from the substitute and the pronouns, which are sent.
    """
    enclitics = language.grammar.enclitics
    return [
        replacement._replace(substitute=enclitics.accent(replacement.substitute, pronouns))
        if replacement.drawn_as.startswith("VB")
        and (pronouns := _count_pronouns_after(sentence, replacement, language))
        else replacement
        for replacement in record
    ]


def _count_pronouns_after(sentence: Sentence, replacement: Replacement, language: Language) -> int:
    found, at = 0, replacement.position + replacement.length
    while (
        at + found < len(sentence.tokens)
        and not sentence.tokens[at + found - 1].whitespace
        and sentence.tokens[at + found].text.lower() in language.words.clitics
    ):
        found += 1
    return found


def _fit_before(
    tokens: Sequence[Token], at: int, replacement: Replacement, language: Language
) -> dict[int, str]:
    """Return the new texts for ``at`` and the place before it, by place; empty if they stay."""
    words, elides = language.words, language.elides(replacement.substitute)
    if words.elides_at_nouns_alone and not replacement.tag.startswith("NN"):
        elides = False
    form = tokens[at].text.lower().replace("’", "'")
    preposition, article = words.contracted.get(form, ("", form))
    row = next((row for row in words.agreeing if article in row), None)
    for plain, (other, sound) in words.by_sound.items():
        if form in (plain, other):
            return {at: other if re.match(sound, replacement.substitute) else plain}
    if row is None:
        full = next((full for full, short in words.elided.items() if form in (full, short)), None)
        return {} if full is None else {at: words.elided[full] if elides else full}
    agreement = replacement.tag.partition("-")[2]
    if replacement.tag.startswith("NNS") or agreement.endswith("P"):
        return {}
    stays = words.elides_at_nouns_alone or replacement.tag[:2] == "VB"
    is_feminine = (
        agreement[:1] == "F" if agreement[:1] in ("F", "M") else stays and article == row[1]
    )
    fitting = row[is_feminine + 2 * elides]
    joins = {parts: short for short, parts in words.contracted.items()}
    if preposition:
        return {at: joins.get((preposition, fitting), f"{preposition} {fitting}")}
    before = tokens[at - 1].text.lower() if at else ""
    is_article = replacement.tag[:2] != "VB" or replacement.tag[:3] == "VBN"  # *de le voir* stays
    if is_article and (before, fitting) in joins:
        return {at - 1: joins[before, fitting], at: ""}
    return {at: fitting}


def _fit_after(form: str, substitute: str, language: Language) -> str:
    for plain, linked in language.words.linked.items():
        if form in (plain, linked):
            return plain if substitute[-1:].lower() in "dt" else linked
    return form


def _write_like(token: Token, text: str, *, in_capitals: bool) -> Token:
    """Write ``text`` in the case of ``token``, with a blank after it unless it is elided."""
    if token.text[:1].isupper():
        text = text.upper() if in_capitals else text[:1].upper() + text[1:]
    if not text or text.endswith("'"):
        return token._replace(text=text, whitespace="")
    return token._replace(text=text, whitespace=token.whitespace or " ")
