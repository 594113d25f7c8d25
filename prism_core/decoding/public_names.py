"""Public names and words for peoples, put back as the target language has them.

*United States* comes back as *Estados Unidos* with its article, *French* in the form that the
restored noun beside it asks for.

Entry: ``put_exonyms``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from prism_core.alignment import Span
from prism_core.decoding.agreement import describe_noun
from prism_core.decoding.ambiguous_entries import WORDS
from prism_core.decoding.articles import find_before
from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import PLACE, Dictionary, Exonym, People, agreement_of
from prism_core.mechanisms import capitalise, in_case_of
from prism_core.record import Encoded, Kind, Replacement

_PERSON = "PERSON"
_FEMININE, _PLURAL = "Gender=Fem", "Number=Plur"
_AFTER_ARTICLE = re.compile(r"\bthe (?:\w+ )?$", re.IGNORECASE)

_Places = dict[int, Found | None]


def put_exonyms(
    encoded: Encoded, found: _Places, target: TargetText, dictionary: Dictionary
) -> dict[int, tuple[Span, str]]:
    """Write public names as the target language calls them (``Dictionary.exonyms``), in ``found``.

    This applies only to a whole run of names that is not tagged as a person's, and whose surrogates
    came back side by side in order. Returns the articles to write before them with their spans, by
    -1 - position.
    """
    mended: dict[int, tuple[Span, str]] = {}
    for run, name in _find_names(encoded.record, dictionary):
        places = [place for name_part in run if (place := found[name_part.position]) is not None]
        beside = (target.text[a.span[1] : b.span[0]] == " " for a, b in pairwise(places))
        if len(places) < len(run) or not all(beside):
            continue
        start, articles = places[0].span[0], name.articles
        if (people := name.people) is not None:
            noun = _find_noun(run[-1], encoded.record, found) if people.forms else None
            if noun is None:
                text, several = people.several
                sent = encoded.text[: max(0, encoded.text.find(run[0].substitute))]
                if text and _AFTER_ARTICLE.search(sent):  # a people, else one person
                    name, articles = Exonym(text, several), several
            else:
                name = name._replace(text=_inflect(people, *noun, dictionary))
                articles = _stand_beside(people, run, places, noun, found, target)
        _write(run, name.text, found, target)
        for before in find_before(target.text, start):
            shown = target.text[slice(*before)].strip()
            fitting = articles.get(shown.lower().replace("’", "'"))
            if fitting is not None and target.is_free(before):
                target.take(before)
                written = in_case_of(fitting, shown) if fitting else ""
                space = " " if fitting and not fitting.endswith("'") else ""
                mended[-1 - run[0].position] = before, written + space
                break
    return mended


def _find_names(
    record: Sequence[Replacement], dictionary: Dictionary
) -> Iterator[tuple[list[Replacement], Exonym]]:
    """Yield the runs of names that are public ones, and what they are called.

    Those before a person's name are a run too: *German* before *Angela Merkel*. A name that may be
    a person's must be tagged as a place; a word for people may be tagged as anything.
    """
    exonyms = dictionary.exonyms
    for run in _find_runs(record) if exonyms else ():
        name = exonyms.get(" ".join(replacement.word for replacement in run))
        before = [*takewhile(lambda replacement: replacement.tag != _PERSON, run)]
        if name is None and before:
            run, name = before, exonyms.get(" ".join(replacement.word for replacement in before))
            if name and name.people is None:
                continue
        if name is None or (name.people is None and run[0].kind in WORDS):
            continue
        may_be_person = run[0].word in dictionary.persons
        is_person = len(before) < len(run) and (name.people is None or may_be_person)
        is_unsure = name.people is None and run[0].tag != PLACE and len(run) == 1
        if not is_person and not (is_unsure and may_be_person):
            yield run, name


def _stand_beside(
    people: People,
    run: Sequence[Replacement],
    places: Sequence[Found],
    noun: tuple[Replacement, Found],
    found: _Places,
    target: TargetText,
) -> Mapping[str, str]:
    """Return the text to write for what stands between a noun and the adjective after it.

    Where the translator wrote the adjective before its noun, and the language has it after it, the
    two change places.
    """
    genitives = people.genitives
    replacement, place = noun
    start, end = places[0].span[0], places[-1].span[1]
    if place.span[1] <= start:
        return dict.fromkeys(genitives, "")
    is_whole = target.text[start - 1 : start] in ("", " ")
    if genitives and len(run) == 1 and is_whole and target.text[end : place.span[0]] == " ":
        found[run[0].position] = places[0]._replace(span=place.span)
        found[replacement.position] = place._replace(span=(start, end))
    return {}


def _write(run: Sequence[Replacement], text: str, found: _Places, target: TargetText) -> None:
    """Write ``text`` for the names of a run, a word for each as far as there are so many."""
    last = len(run) - 1
    words = text.split(" ")
    texts = [*words[:last], " ".join(words[last:]), *[""] * last]
    for replacement, part in zip(run, texts, strict=False):
        place = found[replacement.position]
        assert place is not None  # noqa: S101 (all were found)
        begin, end = place.span
        is_first = not any(map(str.isalnum, target.text[:begin]))
        part = capitalise(part) if is_first else part
        found[replacement.position] = place._replace(span=(begin - (not part), end), text=part)


def _find_noun(
    adjective: Replacement, record: Sequence[Replacement], found: Mapping[int, Found | None]
) -> tuple[Replacement, Found] | None:
    """Return the noun that ``adjective`` stands before, with adjectives alone between them."""
    by_position = {replacement.position: replacement for replacement in record}
    position = adjective.position + adjective.length
    while (other := by_position.get(position)) is not None and other.kind in WORDS:
        place = found[position]
        tag = place.tag_for(other) if place else other.drawn_as or other.tag
        if tag.startswith("NN"):
            return (other, place) if place is not None else None
        if not tag.startswith("JJ"):
            return None
        position += other.length
    return None


def _inflect(people: People, noun: Replacement, place: Found, dictionary: Dictionary) -> str:
    """Return the form of a word for people beside ``noun``, which is put back at ``place``."""
    tag = place.tag_for(noun)
    features = describe_noun(place.text, noun.word, tag, dictionary)
    features = features or agreement_of(dictionary.form_index.features(place.text, tag))
    frames = [frame.feature for frame in dictionary.language.frames.of_tags.get("JJ", ())]
    fitting = [index for index, frame in enumerate(frames) if frame in features]
    is_plural = noun.tag.startswith("NNS") or _PLURAL in features
    return people.forms[fitting[0] if fitting else (_FEMININE not in features) + 2 * is_plural]


def _find_runs(record: Sequence[Replacement]) -> list[list[Replacement]]:
    """Group the names of ``record`` that stand side by side; a capitalised word is alone."""
    runs: list[list[Replacement]] = []
    for replacement in record:
        if replacement.kind in WORDS and replacement.word[:1].isupper():
            runs.append([replacement])
        if replacement.kind is Kind.NAME:
            last = runs[-1][-1] if runs else None
            is_beside = last is not None and last.position + last.length == replacement.position
            if is_beside and last is not None and last.kind is Kind.NAME:
                runs[-1].append(replacement)
            else:
                runs.append([replacement])
    return runs
