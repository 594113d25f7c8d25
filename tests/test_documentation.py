"""The pages for users: every link and anchor resolves, and none is too long to be read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_import_direction import nodes_of

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for pattern in ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "data/**/*.md", "dict*/*.md")
    for page in ROOT.glob(pattern)
)
"""All but the changelog, which speaks of the pages as they were."""
MOST_LINES = 200


def links_of(text: str) -> Iterator[str]:
    """The relative targets of the links and pictures of a page, code left out."""
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors_of(text: str) -> set[str]:
    """The anchors that the headings of a page make, as GitHub does."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    anchors: set[str] = set()
    for heading in re.findall(r"^#+ +(.*?) *$", prose, re.M):
        shown = re.sub(r"\]\([^)]*\)", "", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        number = 0
        while (anchor if not number else f"{anchor}-{number}") in anchors:
            number += 1
        anchors.add(anchor if not number else f"{anchor}-{number}")
    return anchors


def broken_links(root: Path, page: str) -> list[str]:
    """The links of ``page`` that lead to no file, or to no heading of it."""
    place, broken = root / page, []
    for link in links_of(place.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = place.parent / name if name else place
        if not target.exists() or (
            anchor and anchor not in anchors_of(target.read_text(encoding="utf-8"))
        ):
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_a_heading(page: str) -> None:
    assert broken_links(ROOT, page) == []


def missing_files(root: Path, page: str) -> list[str]:
    """The files and modules that ``page`` names and that are not there; ``NAME`` is any."""
    text = (root / page).read_text(encoding="utf-8")
    modules = re.findall(r"python -m ((?:benchmarks|scripts|prism_core|flows)[\w.]*)", text)
    named = {module.rstrip(".").replace(".", "/") for module in modules}
    named |= set(
        re.findall(r"`((?:prism_core|tests|flows|tasks|benchmarks|scripts)/[\w./-]+)`", text)
    )
    found = (root / name for name in sorted(named))
    return [
        file.relative_to(root).as_posix()
        for file in found
        if not (file.exists() or file.with_suffix(".py").exists() or file.stem == "NAME")
    ]


@pytest.mark.parametrize("page", PAGES)
def test_the_files_and_modules_that_a_page_names_are_there(page: str) -> None:
    assert missing_files(ROOT, page) == []


def strings_of_the_code() -> Iterator[str]:
    """Every string, without the values that are put into it."""
    for file in (path for part in ("prism_core", "flows") for path in (ROOT / part).rglob("*.py")):
        for node in nodes_of(file):
            if isinstance(node, ast.JoinedStr):
                yield "".join(p.value for p in node.values if isinstance(p, ast.Constant))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_messages_that_a_page_explains_are_those_of_the_code() -> None:
    page = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    tables = re.findall(r"^\| message \|.*\n((?:\|.*\n)+)", page, re.M)
    quoted = [row.split("`")[1] for table in tables for row in table.splitlines()[1:]]
    said = list(strings_of_the_code())
    assert len(quoted) > 15
    assert [one for one in quoted if not any(one in text for text in said)] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_short_enough_to_be_read(page: str) -> None:
    assert len((ROOT / page).read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_a_link_to_nothing_and_a_heading_that_is_gone_are_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text(
        "# A page: `prism`, and [more](there.md)\n\n## Twice\n## Twice\n"
    )
    (tmp_path / "page.md").write_text(
        "[a](there.md) [b](there.md#a-page-prism-and-more) [c](there.md#twice-1) [d](#here)\n"
        "[e](gone.md) [f](there.md#gone) [g](#gone) [h](https://example.org/gone) `[i](gone.md)`\n"
        "## Here\n```\n[j](gone.md)\n## Gone\n```\n"
    )
    assert broken_links(tmp_path, "page.md") == ["gone.md", "there.md#gone", "#gone"]


def test_a_file_and_a_module_that_are_gone_are_found(tmp_path: Path) -> None:
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "here.py").touch()
    (tmp_path / "page.md").write_text(
        "`benchmarks/here.py` `python -m benchmarks.here --all` `flows/NAME.py`\n"
        "`flows/gone` python -m benchmarks.gone."
    )
    assert missing_files(tmp_path, "page.md") == ["benchmarks/gone", "flows/gone"]


def test_the_site_has_every_page() -> None:
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"- ([\w/]+\.md)$", site, re.M))
    unlisted = re.findall(r"^  /(\S+\.md)$", site, re.M)
    pages = {page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")}
    assert [
        page.as_posix()
        for page in sorted(pages)
        if page.as_posix() not in listed and not any(page.match(name) for name in unlisted)
    ] == []


def test_every_page_of_the_documentation_can_be_reached_from_the_first() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        links = (link.partition("#")[0] for link in links_of(page.read_text(encoding="utf-8")))
        targets = [(page.parent / name).resolve() for name in links if name]
        waiting += [target for target in targets if target.is_file()]
    pages = {ROOT / page for page in PAGES}
    assert pages - reached == set()
