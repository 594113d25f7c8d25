"""Words in a file's name: extracted for translation, and put back as a safe name.

A path here is relative and has ``/`` between its parts, as on disk.

Entry: ``find_words`` in a name; then ``rename`` with their translation, ``fit_name`` to the allowed
length, ``number_name`` where the name is taken.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 255
"""Bytes that a name may have where the file system does not say."""
_SUFFIX: Final = re.compile(r"(?<=[^/])\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,10}\Z")
_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’][^\W\d_]+)*(?![^\W_])")
_CODE_LETTERS: Final = 4
"""Most letters of a capitalised word that is a code: IMG, NDA, SCAN."""
_LONE_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}
_FORBIDDEN: Final = frozenset('/\\:*?"<>|')
_RESERVED: Final = re.compile(
    r"(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SpokenName:
    """A name as text.

    ``before`` and ``after`` stay; the words of ``text`` are joined by ``joiner`` in the name and by
    blanks here.
    """

    before: str
    text: str
    after: str
    joiner: str


def find_words(path: str) -> SpokenName | None:
    """Return the words in the name of the file at ``path``; None if it is only codes and numbers.

    Underscores count as blanks, hyphens only where nothing else joins words. Text before the first
    word and after the last one, and the suffix, stays.
    """
    name = path.rpartition("/")[2]
    suffix = _suffix(name)
    stem = name.removesuffix(suffix)
    words = list(_WORD.finditer(stem))
    spoken = (len(word[0]) > (1 if not word[0].isupper() else _CODE_LETTERS) for word in words)
    if _LONE_SURROGATE.search(name) or not any(spoken):
        return None
    start, end = _include_brackets(stem, words[0].start(), words[-1].end())
    core = stem[start:end]
    joiner = next((mark for mark in " _-" if mark in core), " ")
    text = core.replace("_", " ")
    if joiner == "-":
        text = text.replace("-", " ")
    return SpokenName(stem[:start], " ".join(text.split()), stem[end:] + suffix, joiner)


def _include_brackets(stem: str, start: int, end: int) -> tuple[int, int]:
    """Extend ``start`` and ``end`` by one where a bracket would lose its other half."""
    core, after = stem[start:end], stem[end : end + 1]
    if after in _BRACKETS and core.count(_BRACKETS[after]) > core.count(after):
        end += 1
    for closing, opening in _BRACKETS.items():
        if stem[:start].endswith(opening) and core.count(closing) > core.count(opening):
            start -= 1
    return start, end


def rename(
    path: str,
    name: SpokenName,
    translation: str,
    longest: int = LONGEST,
    *,
    capital_nouns: bool = False,
) -> str:
    """Return ``path`` with its name's words translated, cut to ``longest`` bytes; safe anywhere.

    Returns ``path`` itself when nothing is left that could be a name. A translation begins with a
    capital. It is lowercased if the name began without one, unless the target language writes
    ``capital_nouns``, or the word is a name in the source, or an abbreviation.
    """
    words = _make_safe(translation)
    first = words.partition(" ")[0]
    is_noun = capital_nouns or first in name.text.split() or not first[1:].islower()
    if name.text[:1].islower() and not is_noun:
        words = words[:1].lower() + words[1:]
    if words == name.text or not any(map(str.isalnum, words)):
        return path
    core = words.replace(" ", name.joiner)
    if not name.before:
        core = core.lstrip(".-_~ ")
    folder, slash, _ = path.rpartition("/")
    fitted = fit_name(f"{name.before}{core}{name.after}", longest)
    stem = fitted.partition(".")[0]
    if _RESERVED.fullmatch(stem.strip()):
        fitted = f"{stem}_{fitted[len(stem) :]}"
    return folder + slash + fitted


def _make_safe(text: str) -> str:
    """Remove characters that some system forbids in names, or that would hide a name's end."""
    kept = []
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category[0] == "Z" or category == "Cc" or character in _FORBIDDEN:
            kept.append(" ")
        elif category[0] != "C":
            kept.append(character)
    return " ".join("".join(kept).split()).strip(" .")


def number_name(path: str, number: int, longest: int = LONGEST) -> str:
    """Return a new name for ``path`` when others have it already: ``contract (2).docx``."""
    if number == 1:
        return path
    folder, slash, name = path.rpartition("/")
    suffix = _suffix(name)
    mark = f" ({number}){suffix}"
    stem = _truncate(name.removesuffix(suffix), longest - len(mark.encode()))
    return f"{folder}{slash}{stem}{mark}"


def fit_name(name: str, longest: int = LONGEST) -> str:
    """Return ``name`` with its stem cut so that it has at most ``longest`` bytes."""
    suffix = _suffix(name)
    room = longest - len(suffix.encode("utf-8", "surrogateescape"))
    return _truncate(name.removesuffix(suffix), room) + suffix


def fold_name(path: str) -> str:
    """Return ``path`` without the differences of case and Unicode form that systems may ignore."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def _suffix(name: str) -> str:
    """Return the suffix, of two parts where PRISM added one (``.msg.eml``); may be empty."""
    match = _SUFFIX.search(name)
    return match[0] if match else ""


def _truncate(text: str, most: int) -> str:
    """Return the beginning of ``text`` in ``most`` bytes; letters keep their accents."""
    if len(text.encode("utf-8", "surrogateescape")) <= most:
        return text
    while text and len(text.encode("utf-8", "surrogateescape")) > most:
        text = text.rstrip()[:-1]
        while text and unicodedata.combining(text[-1]):
            text = text[:-1]
    return text.rstrip(" .")
