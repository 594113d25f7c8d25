"""The language of code and pages: standard technical English, as CONTRIBUTING.md describes it.

Ruff checks the form of docstrings (``D``, ``D401``). These tests count what ruff cannot see:
sentences that begin with a relative clause, vague loop variables, words with two meanings.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_import_direction import FILES, room_of, tree_of

ROOT = Path(__file__).parents[1]
INVERSIONS = frozenset(
    "how of that those what whatever where wherever whether which whichever who whoever whom whose "
    "why none".split()
)
"""First words of sentences that put a relative clause where their subject should be."""
MOST_INVERTED = 0.03
MOST_WORDS = 30
MOST_WORDS_IN_A_CELL = 40
MOST_VAGUE = 20
SAME_MEANING = frozenset(
    """
    base command gate identifiers jobs language report review state translators
    """.split()
)
"""Modules that mean the same in each package that has one of the name."""


def docstrings(tree: ast.AST) -> Iterator[str]:
    """Yield every docstring, those after constants and fields too."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))) if text.strip():
                    yield text.strip()


def is_inverted(text: str) -> bool:
    """Return True if the first word of ``text`` begins a relative clause; questions may."""
    first = re.match(r"[\w'’]+", text.lstrip('*_"“('))
    return first is not None and first.group().lower() in INVERSIONS and not text.endswith("?")


def trees() -> dict[str, ast.Module]:
    """Parse all modules of the distributions, once a process."""
    return {name: tree_of(path) for name, path in FILES.items()}


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    found = [text for tree in trees().values() for text in docstrings(tree)]
    inverted = [text.splitlines()[0] for text in found if is_inverted(text)]
    assert len(found) > 4000
    assert len(inverted) <= MOST_INVERTED * len(found), inverted


def test_loop_variables_name_their_thing() -> None:
    vague = [
        (module, name.lineno)
        for module, tree in trees().items()
        for loop in ast.walk(tree)
        if isinstance(loop, ast.For | ast.comprehension)
        for name in ast.walk(loop.target)
        if isinstance(name, ast.Name) and name.id == "one"
    ]
    assert len(vague) <= MOST_VAGUE, vague


def test_a_module_name_has_one_meaning() -> None:
    rooms: dict[str, set[str]] = defaultdict(set)
    for name in FILES:
        if room := room_of(name).removesuffix(".command").removesuffix(".jobs"):
            rooms[name.rpartition(".")[2]].add(room)
    shared = {name: found for name, found in rooms.items() if len(found) > 1}
    assert set(shared) - SAME_MEANING == set(), shared
    assert SAME_MEANING - set(shared) == set()


def sentences_of(page: str) -> Iterator[str]:
    """Yield the sentences of a page: of paragraphs and list items, without code and tables."""
    text = re.sub(r"^---\n.*?^---\n|^ *```.*?^ *```|<!--.*?-->", "", page, flags=re.S | re.M)
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|\n(?=[#|])", text)
    for block in map(str.strip, blocks):
        if not block or block.startswith(("#", "|", "!!!", "<")):
            continue
        plain = re.sub(r"^(?:[-*+]|\d+\.)\s+", "", block)
        plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        plain = " ".join(re.sub(r"`([^`]*)`", r"\1", plain).split())
        for sentence in re.split(r"(?<=[.!?])[)\"”*]*\s+(?=[A-Z0-9“\"(*_])", plain):
            if len(sentence.split()) > 2:
                yield sentence


def pages() -> list[Path]:
    """List the pages for users."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_sentences_of_pages_begin_with_their_subject() -> None:
    found = [s for page in pages() for s in sentences_of(page.read_text(encoding="utf-8"))]
    inverted = [sentence for sentence in found if is_inverted(sentence)]
    assert len(found) > 1000
    assert len(inverted) <= MOST_INVERTED * len(found), inverted


class _Loader(yaml.SafeLoader):
    """Loader that reads functions of MkDocs as None."""


_Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)


def guides() -> list[str]:
    """List the pages that the site's navigation calls tutorials and how-to guides."""

    def pages_below(entry: Any) -> Iterator[str]:
        if isinstance(entry, str):
            yield entry
        else:
            for inner in entry.values() if isinstance(entry, dict) else entry:
                yield from pages_below(inner)

    site = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), _Loader)  # noqa: S506 (a SafeLoader)
    groups = {name: group for entry in site["nav"] for name, group in entry.items()}
    return [*pages_below(groups["Tutorial"]), *pages_below(groups["How-to guides"])]


@pytest.mark.parametrize("page", guides())
def test_a_guide_has_no_long_sentence_or_cell(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert [s for s in sentences_of(text) if len(s.split()) > MOST_WORDS] == []
    cells = (cell for row in re.findall(r"^\|.*$", text, re.M) for cell in row.split("|"))
    assert [cell for cell in cells if len(cell.split()) > MOST_WORDS_IN_A_CELL] == []


def test_an_inversion_is_found_and_a_question_is_not_one() -> None:
    assert is_inverted("What is kept.")
    assert is_inverted("*Whether* it fits.")
    assert not is_inverted("What is kept?")
    assert not is_inverted("Return what is kept.")
    page = "# A\n\nThe first is. Whose is kept stays.\n\n- Of these, `a` is *kept*. It is so.\n"
    found = list(sentences_of(page))
    assert [is_inverted(sentence) for sentence in found] == [False, True, True, False]
