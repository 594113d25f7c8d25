"""The sample archive: what is committed is what its maker makes, and shows what it promises."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_document

DATA = Path(__file__).parent.parent / "data"
SAMPLES = DATA / "samples"
ARCHIVES = ("samples", "samples-de", "samples-es", "samples-fr")
DAMAGED = SAMPLES / "hospital" / "damaged.docx"


@pytest.fixture(scope="module")
def remade(tmp_path_factory):
    """The archive made anew, by the maker's own command, in a folder of its own."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "make_samples.py").write_bytes((DATA / "make_samples.py").read_bytes())
    (folder / "sample_makers").symlink_to(DATA / "sample_makers")
    subprocess.run([sys.executable, folder / "make_samples.py"], check=True)
    return folder


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def segments(path):
    return [(segment.kind, segment.text) for segment in read_document(path).segments]


@pytest.mark.parametrize("archive", ARCHIVES)
def test_the_maker_makes_what_is_committed(remade, archive):
    assert names(remade / archive) == names(DATA / archive)
    for name in names(DATA / archive):
        if DATA / archive / name != DAMAGED:  # compressed bytes may differ by library, texts not
            made = segments(remade / archive / name)
            assert made == segments(DATA / archive / name), name


def test_every_sample_is_read_without_loss_and_the_damaged_one_is_reported():
    for path in (DATA / archive / name for archive in ARCHIVES for name in names(DATA / archive)):
        if path != DAMAGED:
            assert read_document(path).notices == (), path
    with pytest.raises(DocumentError) as raised:
        read_document(DAMAGED)
    assert raised.value.failure is DocumentFailure.CORRUPT


def test_samples_name_nobody_who_can_be_reached():
    text = "\n".join(
        text
        for archive in ARCHIVES
        for name in names(DATA / archive)
        if DATA / archive / name != DAMAGED
        for _, text in segments(DATA / archive / name)
    )
    telephones = re.findall(r"\(\d{3}\)\W?(\d{3}-\d{4})", text)
    spanish = re.findall(r"\b91( \d{3}) \d\d \d\d\b", text)
    french = re.findall(r"\b01( \d\d \d\d) \d\d \d\d\b", text)
    german = re.findall(r"\b089 (\d+) \d+\b", text)
    addresses = re.findall(r"@([\w.]+\w)", text)
    assert telephones
    assert spanish
    assert addresses
    assert all(number.startswith("555-01") for number in telephones)
    assert set(french) == {" 99 00"}
    assert set(german) == {"99998"}
    assert set(spanish) == {" 000"}
    assert all(host.endswith("example.org") for host in addresses)
