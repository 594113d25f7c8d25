"""Words that hang on the sound and gender of the next one, fitted to what stands in its place.

*L'avocat* is sent as *le médecin*, *du médecin* as *de l'avocat*, *padre e hijo* as *tío y perro*,
*el agua* as *la mesa*. Kept as they are, *l'* and *e* would tell how the original begins; what is
written follows from the substitute, which is sent anyway. Nothing is undone: translators write
their own articles.

Entry: ``fit_elisions``, which asks ``_before`` and ``_after`` of each replacement; before it
``read_pronouns``, where one that is elided may be either; ``accent_verbs`` writes a substitute as
the pronouns at its end ask for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from prism_core.language import Sentence, Token
from prism_core.languages import Language
from prism_core.record import Replacement

_MASCULINE = 3
"""To each *la* before a French verb (UD Sequoia train: 24 *le*, 8 *la*)."""
_MOST_PRONOUNS = 3


def read_pronouns(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> Iterator[Sentence]:
    """``sentence`` with each pronoun that is elided before a replaced verb (*l'aime*) written in
    full: one of these, drawn by chance, is to be fitted and sent.

    One in four is *la*, as it is before other verbs. Were it *le* always, a *la* that is sent would
    tell that the verb begins with a consonant. Of more than three pronouns the rest stay elided.
    """
    rows = () if language.words.elides_at_nouns_alone else language.words.agreeing[:1]
    places = [
        one.position - 1
        for one in record
        for row in rows
        if one.position
        and one.tag[:2] == "VB"
        and sentence.tokens[one.position - 1].text.lower().replace("’", "'") == row[2]
    ][:_MOST_PRONOUNS]
    if not places:
        yield sentence
        return
    choices = [form for row in rows for form in (row[0],) * _MASCULINE + (row[1],)]
    for forms in product(choices, repeat=len(places)):
        tokens = list(sentence.tokens)
        for place, form in zip(places, forms, strict=True):
            tokens[place] = _written(tokens[place], form, in_capitals=False)
        yield Sentence(tuple(tokens))


def fit_elisions(sentence: Sentence, record: Sequence[Replacement], language: Language) -> Sentence:
    """``sentence`` with what is kept beside something replaced fitted to what stands for that.

    Marks between the two are passed over. An apostrophe is always written straight. Before a word
    without a gender the masculine form stands; before a verb *la* stays, since it is a pronoun
    there, and tells whom.
    """
    if not language.words.agreeing:
        return sentence
    tokens = list(sentence.tokens)
    replaced = {i for one in record for i in range(one.position, one.position + one.length)}
    kept = "".join(token.text for i, token in enumerate(tokens) if i not in replaced)
    in_capitals = "".join([kept, *(one.written for one in record)]).isupper()
    for one in record:
        at = one.position - 1
        while at >= 0 and not any(map(str.isalnum, tokens[at].text)):
            at -= 1
        if at >= 0 and at not in replaced:
            for place, text in _before(tokens, at, one, language).items():
                tokens[place] = _written(tokens[place], text, in_capitals=in_capitals)
        after = one.position + one.length
        if after < len(tokens) and after not in replaced:
            text = _after(tokens[after].text.lower(), one.substitute, language)
            if text != tokens[after].text.lower():
                tokens[after] = tokens[after]._replace(text=text)
    return Sentence(tuple(tokens))


def accent_verbs(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> list[Replacement]:
    """``record`` with verbs as they are written where pronouns of ``sentence`` run on from them.

    Whether there is an accent follows from the substitute and the pronouns, which are sent.
    """
    enclitics = language.grammar.enclitics
    return [
        one._replace(substitute=enclitics.accent(one.substitute, pronouns))
        if one.drawn_as.startswith("VB") and (pronouns := _pronouns_after(sentence, one, language))
        else one
        for one in record
    ]


def _pronouns_after(sentence: Sentence, one: Replacement, language: Language) -> int:
    found, at = 0, one.position + one.length
    while (
        at + found < len(sentence.tokens)
        and not sentence.tokens[at + found - 1].whitespace
        and sentence.tokens[at + found].text.lower() in language.words.clitics
    ):
        found += 1
    return found


def _before(
    tokens: Sequence[Token], at: int, one: Replacement, language: Language
) -> dict[int, str]:
    """What is to be written at ``at``, and before it, by place; nothing where that stays."""
    words, elides = language.words, language.elides(one.substitute)
    if words.elides_at_nouns_alone and not one.tag.startswith("NN"):
        elides = False
    form = tokens[at].text.lower().replace("’", "'")
    preposition, article = words.contracted.get(form, ("", form))
    row = next((row for row in words.agreeing if article in row), None)
    for plain, (other, sound) in words.by_sound.items():
        if form in (plain, other):
            return {at: other if re.match(sound, one.substitute) else plain}
    if row is None:
        full = next((full for full, short in words.elided.items() if form in (full, short)), None)
        return {} if full is None else {at: words.elided[full] if elides else full}
    told = one.tag.partition("-")[2]
    if one.tag.startswith("NNS") or told.endswith("P"):
        return {}
    stays = words.elides_at_nouns_alone or one.tag[:2] == "VB"
    is_feminine = told[:1] == "F" if told[:1] in ("F", "M") else stays and article == row[1]
    fitting = row[is_feminine + 2 * elides]
    joins = {parts: short for short, parts in words.contracted.items()}
    if preposition:
        return {at: joins.get((preposition, fitting), f"{preposition} {fitting}")}
    before = tokens[at - 1].text.lower() if at else ""
    is_article = one.tag[:2] != "VB" or one.tag[:3] == "VBN"  # *de le voir* stays
    if is_article and (before, fitting) in joins:
        return {at - 1: joins[before, fitting], at: ""}
    return {at: fitting}


def _after(form: str, substitute: str, language: Language) -> str:
    for plain, linked in language.words.linked.items():
        if form in (plain, linked):
            return plain if substitute[-1:].lower() in "dt" else linked
    return form


def _written(token: Token, text: str, *, in_capitals: bool) -> Token:
    """``token`` with ``text`` in its case, and a blank after it unless that is elided."""
    if token.text[:1].isupper():
        text = text.upper() if in_capitals else text[:1].upper() + text[1:]
    if not text or text.endswith("'"):
        return token._replace(text=text, whitespace="")
    return token._replace(text=text, whitespace=token.whitespace or " ")
