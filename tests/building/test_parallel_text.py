from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from prism_core.building.parallel_text import read_memory, read_parallel
from prism_core.errors import ConfigurationError

TMX = """<?xml version="1.0"?>{doctype}
<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en-US"><seg>The <bpt i="1">&lt;b&gt;</bpt>house<ept i="1">x</ept> is
<hi>red</hi>.</seg></tuv><tuv xml:lang="ES"><seg>La casa es roja.</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>One</seg></tuv><tuv xml:lang="fr"><seg>Un</seg></tuv></tu>
<tu><tuv lang="en"><seg>Two</seg></tuv><tuv lang="es"><seg>Dos</seg></tuv></tu>
</body></tmx>
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("doctype", ["", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'])
def test_the_pairs_of_a_language_pair_are_read_without_codes(tmp_path: Path, doctype) -> None:
    path = write(tmp_path, "a.tmx", TMX.format(doctype=doctype))
    assert list(read_memory(path, "en", "es")) == [
        ("The house is red.", "La casa es roja."),
        ("Two", "Dos"),
    ]


def test_entities_are_refused_and_no_other_file_is_opened(tmp_path: Path) -> None:
    write(tmp_path, "secret.txt", "private")
    for declared in ('a "x"', f'a SYSTEM "{tmp_path}/secret.txt"'):
        path = write(
            tmp_path, "a.tmx", TMX.format(doctype=f"<!DOCTYPE tmx [<!ENTITY {declared}>]>")
        )
        with pytest.raises(ConfigurationError, match="entities"):
            list(read_memory(path, "en", "es"))


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.tmx", "<tmx><body>", "well-formed"),
        ("a.tmx", TMX.format(doctype="").replace("ES", "DE").replace('"es"', '"de"'), "en to es"),
        ("a.tsv", "no tab\n", "two columns"),
        ("a.tsv", "", "two columns"),
    ],
)
def test_a_file_that_is_no_memory_is_told(tmp_path: Path, name, text, why) -> None:
    with pytest.raises(ConfigurationError, match=why):
        list(read_memory(write(tmp_path, name, text), "en", "es"))


def test_two_columns_are_pairs_and_lines_without_both_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", "One\tUno\nTwo\t\nThree\nFour\tCuatro\tnote\n")
    assert list(read_memory(path, "en", "es")) == [("One", "Uno"), ("Four", "Cuatro")]


def test_parallel_files_pair_line_by_line_and_must_be_of_one_length(tmp_path: Path) -> None:
    source = write(tmp_path, "a.en", "One\u2028more\n\nThree\n")
    target = write(tmp_path, "a.es", "Uno\nnada\nTres\n")
    assert list(read_parallel(source, target)) == [("One\u2028more", "Uno"), ("Three", "Tres")]
    write(tmp_path, "a.es", "Uno\n")
    with pytest.raises(ConfigurationError, match="different numbers of lines"):
        list(read_parallel(source, target))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    side = '<tuv xml:lang="{0}"><seg>One' + 40 * " more" + " {1}</seg></tuv>"
    path = tmp_path / "long.tmx"
    with path.open("w") as file:
        file.write("<tmx><body>")
        file.writelines(
            f"<tu>{side.format('en', n)}{side.format('es', n)}</tu>\n" for n in range(10_000)
        )
        file.write("</body></tmx>")
    tracemalloc.start()
    assert sum(1 for _ in read_memory(path, "en", "es")) == 10_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < path.stat().st_size / 4
