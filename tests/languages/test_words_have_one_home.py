"""Lists of English words stand in the data of English alone."""

import ast
from pathlib import Path

from prism_core.languages import load_language
from tests.test_import_direction import nodes_of

ROOT = Path(__file__).parents[2] / "prism_core"
ENGLISH = load_language("en")
LEAST = 4
"""Different words of a closed class in one list: fewer are chance, or another meaning."""
LISTED = frozenset(
    word
    for word in (
        *ENGLISH.words.function_words,
        *ENGLISH.dates.months,
        *ENGLISH.dates.weekdays,
        *ENGLISH.frames.numerals,
    )
    if len(word) > 2
)
OTHER_MEANINGS = frozenset({"evaluation/panels.py"})
"""Prompts to a judge."""


def lists(path: Path) -> list[set[str]]:
    """The words of each literal list, and of each text that is split or put into a pattern."""
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            texts = [one.value for one in node.elts if isinstance(one, ast.Constant)]
            found.append({text for text in texts if isinstance(text, str)})
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            text = node.func.value
            if node.func.attr == "split" and isinstance(text, ast.Constant):
                found.append(set(str(text.value).split()))
    return found


def test_no_other_module_lists_words_of_english() -> None:
    strays = {
        (module, *sorted(words & LISTED))
        for path in ROOT.rglob("*.py")
        if (module := path.relative_to(ROOT).as_posix()) not in OTHER_MEANINGS
        for words in lists(path)
        if len(words & LISTED) >= LEAST
    }
    assert strays == set()
