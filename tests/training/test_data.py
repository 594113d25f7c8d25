from __future__ import annotations

import json
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.training import read_documents

TMX = """<?xml version="1.0"?><tmx version="1.4"><header/><body>
<tu><prop type="x-Document">a</prop><tuv xml:lang="en"><seg>One</seg></tuv>
<tuv xml:lang="es"><seg>Uno</seg></tuv></tu>
<tu><tuv xml:lang="en"><prop type="file">b</prop><seg>Two</seg></tuv>
<tuv xml:lang="es-MX"><seg>Dos</seg></tuv></tu>
<tu><prop type="document">a</prop><tuv xml:lang="en"><seg>Three</seg></tuv>
<tuv xml:lang="es"><seg>Tres</seg></tuv></tu></body></tmx>"""
PAIRS = [[("One", "Uno"), ("Three", "Tres")], [("Two", "Dos")]]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.tmx", TMX),
        ("m.tsv", "One\tUno\ta\nTwo\tDos\tb\nThree\tTres\ta\n"),
        (
            "m.jsonl",
            '{"source":"One","target":"Uno","document":"a"}\n'
            '{"en":"Two","es":"Dos","document":"b"}\n'
            '{"en":"Three","es":"Tres","file_name":"a"}\n',
        ),
        (
            "m.json",
            json.dumps(
                [
                    {"en": s, "es": t, "file_name": d}
                    for s, t, d in [
                        ("One", "Uno", "a"),
                        ("Two", "Dos", "b"),
                        ("Three", "Tres", "a"),
                    ]
                ]
            ),
        ),
        (
            "bsd.json",
            json.dumps(
                [
                    {"id": d, "title": "-", "conversation": [{"no": 1, **said} for said in those]}
                    for d, those in {
                        "a": [
                            {"en_sentence": "One", "es_sentence": "Uno"},
                            {"en_sentence": "Three", "es_sentence": "Tres"},
                        ],
                        "b": [{"en_sentence": "Two", "es_sentence": "Dos"}],
                    }.items()
                ]
            ),
        ),
        (
            "wmt.jsonl",
            '{"translation":{"en":"One","es":"Uno"},"id":1,"document":"a"}\n'
            '{"translation":{"es":"Dos","en":"Two"},"id":2,"document":"b"}\n'
            '{"translation":{"en":"Three","es":"Tres"},"id":3,"document":"a"}\n',
        ),
    ],
)
def test_every_format_gives_the_pairs_by_document(tmp_path: Path, name: str, text: str) -> None:
    path = write(tmp_path, name, text)
    assert read_documents([path], "en", "es", "document").pairs == PAIRS
    assert len(read_documents([path], "en", "es", "sentence").pairs) == 3


def test_two_files_are_read_line_by_line(tmp_path: Path) -> None:
    english = write(tmp_path, "news.en", "One\nTwo\n")
    write(tmp_path, "news.es", "Uno\nDos\n")
    assert read_documents([english], "en", "es", "sentence").pairs == [
        [("One", "Uno")],
        [("Two", "Dos")],
    ]
    write(tmp_path, "news.es", "Uno\n")
    with pytest.raises(ConfigurationError, match="number of lines"):
        read_documents([english], "en", "es", "sentence")


def test_what_is_met_again_in_a_document_counts_once(tmp_path: Path) -> None:
    path = write(tmp_path, "m.tsv", "One\tUno\ta\nOne \tUno\ta\nOne\tUno\tb\n")
    found = read_documents([path], "en", "es", "document")
    assert (found.pairs, found.again) == ([[("One", "Uno")], [("One", "Uno")]], 1)
    assert read_documents([path], "en", "es", "sentence").again == 2


def test_without_documents_none_is_claimed_to_be_protected(tmp_path: Path) -> None:
    path = write(tmp_path, "m.tsv", "One\tUno\ta\nTwo\tDos\n")
    with pytest.raises(ConfigurationError, match="weaker --unit sentence"):
        read_documents([path], "en", "es", "document")


@pytest.mark.parametrize("said", ['"id": 7', '"document": null', '"document": ""'])
def test_what_may_name_a_sentence_or_nothing_is_no_document(tmp_path: Path, said: str) -> None:
    path = write(tmp_path, "m.jsonl", f'{{"source": "One", "target": "Uno", {said}}}\n')
    with pytest.raises(ConfigurationError, match="weaker --unit sentence"):
        read_documents([path], "en", "es", "document")


def test_only_a_newline_ends_a_record_and_nothing_is_no_text(tmp_path: Path) -> None:
    said = '{"source": "One\u2028two", "target": "Uno", "document": "a"}\n'
    path = write(tmp_path, "m.jsonl", said + '{"source": null, "target": "?", "document": "a"}\n')
    assert read_documents([path], "en", "es", "document").pairs == [[("One two", "Uno")]]


_ENTITIES = '<!DOCTYPE tmx [<!ENTITY x SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.jsonl", "[1"),
        ("m.json", "[1]"),
        ("m.json", "[" * 100_000),
        ("m.tsv", "One\n"),
        ("m.tmx", "<a>"),
        ("m.tmx", TMX[: len(TMX) // 2]),
        ("m.tmx", TMX.replace("<tmx", f"{_ENTITIES}<tmx").replace("One", "&x;One")),
    ],
    ids=["open", "number", "deep", "one-column", "open-tag", "cut-off", "entities"],
)
def test_what_cannot_be_read_is_said_without_its_text(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        read_documents([write(tmp_path, name, text)], "en", "es", "document")
    assert name in str(refused.value)
    assert "One" not in str(refused.value)
