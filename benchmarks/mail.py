"""What becomes of real mail: read, written as it was and translated, and checked by another reader.

    python -m benchmarks.mail [FOLDER] [--json] [--files]

One row for each format found in FOLDER (default: the shared messages): EML, MSG and mailboxes,
each read and written in the sandbox, once with its texts as they are and once with made
translations, in which every word is another one and about a fifth longer.

* ``rebuilt`` of ``files`` were written both times; the rest are counted by class of failure.
* ``identical``: the file with its texts as they are has the bytes of the original (not MSG, which
  becomes EML).
* ``trees``: the translation has the parts of the original: types, order, nesting, dispositions,
  names of files, Content-IDs, and all headers, decoded, but the subject. Both are parsed by the
  standard library. A MSG is compared with what is written when nothing is translated.
* ``returned`` of ``texts``: the made translations that are found, word for word, when what was
  written is read again.
* ``unread`` of ``words``: words that the standard library's parsers find in bodies of plain text
  and HTML, and that are in no text that was read. Messages that were refused do not count.

``--files`` adds a row for each file that is less than perfect, with its name.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mail_reader import WORD, source_words, spoken, tree
from benchmarks.measure import show
from prism_core.errors import DocumentError
from prism_core.formats import Translation, detect, read_document, write_document
from prism_core.formats.sandbox import Sandbox

run = Sandbox().call

FORMATS = ("eml", "mbox", "msg")
SHARED = Path("../shared/data/documents")
_VOWELS = str.maketrans("aeiouAEIOU", "eíóaoEÍÓAO")


@dataclass
class Outcome:
    """What became of one file; ``failure`` is empty for one that was written."""

    name: str
    format: str
    failure: str = ""
    identical: bool = False
    tree: bool = False
    texts: int = 0
    returned: int = 0
    words: int = 0
    unread: int = 0
    notices: list[str] = field(default_factory=list)

    @property
    def perfect(self) -> bool:
        """Whether nothing is to be told of it."""
        whole = self.identical or self.format == "msg"
        complete = self.returned == self.texts and not self.unread
        return not self.failure and whole and self.tree and complete


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=SHARED)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--files", action="store_true")
    arguments = parser.parse_args()
    outcomes = [*measured(arguments.folder)]
    rows = [summary(name, [o for o in outcomes if o.format == name]) for name in FORMATS]
    if arguments.files:
        rows += [vars(outcome) for outcome in outcomes if not outcome.perfect]
    show([row for row in rows if row.get("files", 1)], as_json=arguments.json)


def measured(folder: Path) -> Iterator[Outcome]:
    """The outcome of every mail below ``folder``."""
    for path in sorted(folder.rglob("*")):
        try:
            name = run(detect, path) if path.is_file() else ""
        except DocumentError:
            continue
        if name in FORMATS:
            yield outcome(path, name)


def outcome(path: Path, name: str) -> Outcome:
    """Read and write the mail at ``path``, twice."""
    found = Outcome(path.name, name)
    with tempfile.TemporaryDirectory() as folder:
        same, made = Path(folder, "same"), Path(folder, "made")
        try:
            document = run(read_document, path)
            given = [segment.text for segment in document.segments]
            run(write_document, document, [*map(Translation, given)], same)
            translations = [translated(text) for text in given]
            told = run(write_document, document, [*map(Translation, translations)], made)
            found.notices += (*document.notices, *told)
        except DocumentError as error:
            found.failure = error.failure.value
            return found
        found.identical = same.read_bytes() == path.read_bytes()
        found.texts = len(given)
        try:
            again = [segment.text for segment in run(read_document, made).segments]
            found.returned = found.texts - missing(translations, again)
            before = run(tree, path if name != "msg" else same, name)
            found.tree = run(tree, made, name) == before
            words = Counter(run(source_words, path if name != "msg" else same, name))
        except DocumentError:
            return found
        found.words = sum(words.values())
        found.unread = sum((words - Counter(spoken(given))).values())
    return found


def summary(name: str, outcomes: Sequence[Outcome]) -> Mapping[str, object]:
    """One row for all mails of a format."""
    written = [each for each in outcomes if not each.failure]
    failures = Counter(each.failure for each in outcomes if each.failure)
    return {
        "format": name,
        "files": len(outcomes),
        "rebuilt": len(written),
        **({} if name == "msg" else {"identical": sum(each.identical for each in written)}),
        "trees": sum(each.tree for each in written),
        "texts": sum(each.texts for each in written),
        "returned": sum(each.returned for each in written),
        "words": sum(each.words for each in written),
        "unread": sum(each.unread for each in written),
        **dict(sorted(failures.items())),
    }


def translated(text: str) -> str:
    """A made translation: every word another one, about a fifth longer, some letters beyond ASCII.

    What is no word (numbers, addresses, punctuation, breaks) comes back as it was.
    """
    return WORD.sub(lambda word: word[0].translate(_VOWELS) + "n" * (len(word[0]) // 5 + 1), text)


def missing(wanted: Sequence[str], found: Sequence[str]) -> int:
    """How many of the texts ``wanted`` have words that ``found``, all together, lacks."""
    left = Counter(spoken(found))
    lacking = 0
    for text in wanted:
        words = Counter(spoken([text]))
        lacking += bool(words - left)
        left -= words
    return lacking


if __name__ == "__main__":
    main()
