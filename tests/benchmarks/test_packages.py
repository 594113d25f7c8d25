"""What measures office files sees a text that was missed, doubled or cut, and all that moved."""

import re

import pytest

from benchmarks.packages import compare, shifted, unshifted, walk
from tests.formats.aligned import word_by_word
from tests.formats.docx_files import BOLD, NOTE, TAB, member, one, run, word_file
from tests.formats.rewriting import translated


def test_letters_go_away_and_come_back():
    text = "Müller №7 – Вишневецкая, 東京!"
    away = shifted(text)
    assert unshifted(away) == text
    assert [c for c in away if c in text] == list(" №7 – , !")


@pytest.fixture
def written(tmp_path):
    """A file, and what it is written as in another script."""
    source = one(tmp_path, "The garden ", run("is", BOLD), NOTE, TAB, "green.")
    target, _ = translated(tmp_path, source, lambda text: word_by_word(text, shifted(text)))
    return source, target


def found(written, change):
    """What is counted when the written XML is changed once more."""
    source, target = written
    xml = member(target, "word/document.xml")
    changed = change(xml)
    word_file(target, changed)
    counts, _ = compare(walk(source), walk(target))
    return set(+counts)


def test_nothing_is_counted_when_all_is_well(written):
    assert found(written, lambda xml: xml) == set()


DEFECTS = {
    "a text that was missed": (
        lambda xml: re.sub("<w:t>[^<]*</w:t></w:r></w:p>", "<w:t>green.</w:t></w:r></w:p>", xml),
        {"letters missed", "words left"},
    ),
    "a text that was doubled": (
        lambda xml: re.sub(r"(<w:r>(?:(?!</w:r>).)*<w:t[ >].*?</w:r>)", r"\1\1", xml, count=1),
        {"paragraphs changed", "letters that look otherwise"},
    ),
    "a word that was cut": (
        lambda xml: xml.replace(shifted("gar"), shifted("gar") + " "),
        {"paragraphs changed"},
    ),
    "a note that was lost": (
        lambda xml: xml.replace(NOTE, ""),
        {"anchors", "structure"},
    ),
    "a tab that was doubled": (
        lambda xml: xml.replace("<w:tab/>", "<w:tab/><w:tab/>"),
        {"anchors", "structure"},
    ),
    "a word that is bold no more": (
        lambda xml: xml.replace("<w:b/>", ""),
        {"letters that look otherwise"},
    ),
    "a note with another number": (
        lambda xml: xml.replace('w:id="2"', 'w:id="3"'),
        {"structure"},
    ),
}


@pytest.mark.parametrize("what", DEFECTS)
def test_a_defect_is_counted(written, what):
    change, expected = DEFECTS[what]
    assert found(written, change) == expected


def test_deleted_and_hidden_text_may_stay_and_is_counted_apart(tmp_path):
    moved = f"<w:moveFrom w:id='1'>{run('Moved.')}</w:moveFrom>"
    source = one(tmp_path, "Seen. ", moved, run("Hidden.", "<w:vanish/>"))
    target, _ = translated(tmp_path, source, shifted)
    counts, kept = compare(walk(source), walk(target))
    assert not +counts
    assert kept == {"deleted": 5, "hidden": 6}
