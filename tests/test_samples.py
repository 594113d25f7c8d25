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
DAMAGED = SAMPLES / "hospital" / "damaged.docx"


@pytest.fixture(scope="module")
def remade(tmp_path_factory):
    """The archive made anew, by the maker's own command, in a folder of its own."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "make_samples.py").write_bytes((DATA / "make_samples.py").read_bytes())
    (folder / "sample_makers").symlink_to(DATA / "sample_makers")
    subprocess.run([sys.executable, folder / "make_samples.py"], check=True)
    return folder / "samples"


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def segments(path):
    return [(segment.kind, segment.text) for segment in read_document(path).segments]


def test_the_maker_makes_what_is_committed(remade):
    assert names(remade) == names(SAMPLES)
    for name in names(SAMPLES):
        if SAMPLES / name != DAMAGED:  # compressed bytes may differ by library, the texts may not
            assert segments(remade / name) == segments(SAMPLES / name), name


def test_every_sample_is_read_without_loss_and_the_damaged_one_is_reported():
    for name in names(SAMPLES):
        if SAMPLES / name != DAMAGED:
            assert read_document(SAMPLES / name).notices == (), name
    with pytest.raises(DocumentError) as raised:
        read_document(DAMAGED)
    assert raised.value.failure is DocumentFailure.CORRUPT


def test_samples_name_nobody_who_can_be_reached():
    text = "\n".join(
        text
        for name in names(SAMPLES)
        if SAMPLES / name != DAMAGED
        for _, text in segments(SAMPLES / name)
    )
    telephones = re.findall(r"\(\d{3}\)\W?(\d{3}-\d{4})", text)
    addresses = re.findall(r"@([\w.]+\w)", text)
    assert telephones
    assert addresses
    assert all(number.startswith("555-01") for number in telephones)
    assert all(host.endswith("example.org") for host in addresses)
