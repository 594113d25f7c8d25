"""What every format promises, run over every registered one."""

import pickle
from dataclasses import replace
from random import Random

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import FORMATS, Segment, detect, format_for, read_document, write_document
from prism_core.formats.sandbox import Sandbox
from tests.formats.aligned import wrap
from tests.formats.rewriting import texts
from tests.formats.samples import SAMPLES

run = Sandbox().call

PARTS = {"header", "footer", "footnote", "endnote", "comment", "textbox", "subject", "property"}
KINDS = PARTS | {"paragraph", "heading", "cell", "caption"}


CONVERTED = {"doc", "ppt", "xls"}
"""By LibreOffice, a second for each reading: ``test_legacy.py`` has their promises."""


@pytest.fixture(params=sorted(set(FORMATS) - CONVERTED))
def sample(request, tmp_path):
    """A small file of one format."""
    path = tmp_path / "sample"
    SAMPLES[request.param](path)
    return path


def test_every_format_has_a_sample():
    assert set(SAMPLES) == set(FORMATS) - CONVERTED


def test_every_format_can_be_made_and_is_written_as_one_whose_type_is_known():
    for name, entry in FORMATS.items():
        assert format_for(name).name == name
        assert not entry.written_as or FORMATS[entry.written_as].media_type


def test_a_format_is_recognised_and_carries_its_registered_name(sample):
    name = detect(sample)
    assert format_for(name).name == name
    assert read_document(sample).format == name


def test_reading_gives_clean_segments_in_the_same_order_each_time(sample):
    document = read_document(sample)
    assert document == read_document(sample)
    assert document.path == sample
    for segment in document.segments:
        assert segment.kind in KINDS
        assert any(map(str.isalnum, segment.text))
        assert segment.text == segment.text.strip()
        assert not [c for c in segment.text if c < " " and c not in "\t\n"]


def test_unchanged_translations_leave_every_text_as_it_was(sample, tmp_path):
    document = read_document(sample)
    target = tmp_path / "target"
    write_document(document, wrap([segment.text for segment in document.segments]), target)
    assert texts(target) == [segment.text for segment in document.segments]


def test_translations_are_what_the_written_document_says(sample, tmp_path):
    document = read_document(sample)
    translations = [segment.text.upper() for segment in document.segments]
    target, content = tmp_path / "target", sample.read_bytes()
    write_document(document, wrap(translations), target)
    assert texts(target) == translations
    assert sample.read_bytes() == content


def test_a_document_is_written_without_its_looks_which_no_run_keeps(sample, tmp_path):
    document = read_document(sample)
    without = [
        Segment(one.text, one.kind, () if one.looks else ((0, 1),)) for one in document.segments
    ]
    translations = wrap([segment.text.upper() for segment in document.segments])
    targets = [tmp_path / "first", tmp_path / "second"]
    for segments, target in zip((document.segments, tuple(without)), targets, strict=True):
        write_document(replace(document, segments=segments), translations, target)
    assert targets[0].read_bytes() == targets[1].read_bytes()


def test_writing_twice_gives_the_same_bytes(sample, tmp_path):
    document = read_document(sample)
    translations = [segment.text.upper() for segment in document.segments]
    targets = [tmp_path / "first", tmp_path / "second"]
    for target in targets:
        write_document(document, wrap(translations), target)
    assert targets[0].read_bytes() == targets[1].read_bytes()


def test_notices_do_not_quote_the_document(sample, tmp_path):
    document = read_document(sample)
    translations = [segment.text.upper() for segment in document.segments]
    notices = (
        *document.notices,
        *write_document(document, wrap(translations), tmp_path / "target"),
    )
    words = {word for text in translations for word in text.split() if len(word) > 4}
    assert not [word for notice in notices for word in words if word in notice.upper()]


def test_a_document_that_no_longer_matches_its_segments_is_not_rebuilt(sample, tmp_path):
    document = read_document(sample)
    other = replace(document.segments[0], text="Something else.")
    changed = replace(document, segments=(other, *document.segments[1:]))
    with pytest.raises(DocumentError) as caught:
        write_document(changed, wrap(["Algo."] * len(changed.segments)), tmp_path / "target")
    assert caught.value.failure is DocumentFailure.UNREBUILDABLE


def test_too_few_translations_are_not_written(sample, tmp_path):
    with pytest.raises(DocumentError) as caught:
        write_document(read_document(sample), wrap([]), tmp_path / "target")
    assert caught.value.failure is DocumentFailure.UNREBUILDABLE
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files_raise_document_errors_and_nothing_else(sample, tmp_path, seed):
    rng = Random(seed)
    content = bytearray(sample.read_bytes())
    if seed % 2:
        del content[rng.randrange(len(content)) :]
    for _ in range(8):
        if content:
            content[rng.randrange(len(content))] = rng.randrange(256)
    damaged = tmp_path / "damaged"
    damaged.write_bytes(content)
    try:
        document = read_document(damaged)
        write_document(
            document,
            wrap([s.text.upper() for s in document.segments]),
            tmp_path / "target",
        )
    except DocumentError as error:
        assert error.__cause__ is None  # noqa: PT017 (an error is one of two good outcomes)


def test_documents_and_formats_travel_to_the_sandbox_and_back(sample, tmp_path):
    document = run(read_document, sample)
    assert document == read_document(sample)
    assert pickle.loads(pickle.dumps(document)) == document  # noqa: S301 (our own bytes)
    target = tmp_path / "target"
    translations = [segment.text.upper() for segment in document.segments]
    assert run(write_document, document, wrap(translations), target) is not None
    assert texts(target) == translations


def test_an_unknown_format_is_unsupported():
    with pytest.raises(DocumentError) as caught:
        format_for("wpd")
    assert caught.value.failure is DocumentFailure.UNSUPPORTED
