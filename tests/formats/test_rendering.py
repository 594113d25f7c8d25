"""Laid out by LibreOffice and drawn by poppler, a document looks as before when its texts are.

Texts that do not change leave most files byte for byte as they were, so that every text is changed
and changed back: what is laid out was written anew from end to end.
"""

import email
import io
import mailbox
import re
from email import policy

import numpy as np
import pytest
from PIL import Image

from benchmarks.rendering import converted, pages, pictures
from prism_core.formats import read_document, write_document
from tests.formats.aligned import word_by_word, wrap
from tests.formats.long_samples import LONG
from tests.formats.samples import SAMPLES

REDRAWN = {"pdf"}
"""Their words are drawn again, in another font where need be."""
RESPACED = {"msg"}
"""Blanks that hold words together come back as plain ones in this one."""
TITLED = {"csv"}
"""Its pages are headed with the name of the file; ``test_csv`` compares its bytes."""
MAILS = {"eml", "mbox", "msg"}
NAMES = sorted({*SAMPLES, *LONG})


def changed_and_changed_back(source, folder):
    """``source`` as its format writes it with every text changed, and from there as it was."""
    folder.mkdir()
    document = read_document(source)
    wanted = [segment.text for segment in document.segments]
    changed, back = folder / f"changed{source.suffix}", folder / f"back{source.suffix}"
    write_document(
        document, wrap([word_by_word(text, text.swapcase()) for text in wanted]), changed
    )
    again = read_document(changed)
    assert [segment.text for segment in again.segments] != wanted
    write_document(again, wrap([word_by_word(text, text) for text in wanted]), back)
    return back


def messages(path, name):
    """The messages of a mail file."""
    if name == "mbox":
        return [email.message_from_bytes(bytes(one)) for one in mailbox.mbox(path)]
    return [email.message_from_bytes(path.read_bytes(), policy=policy.default)]


def sheets(path, name, folder):
    """What is laid out of ``path``: the file, or what it holds, as files."""
    if name not in MAILS | {"ics"}:
        return [path]
    folder.mkdir()
    if name == "ics":  # whose lines are folded wherever they are too long, which nobody sees
        (folder / "0.txt").write_bytes(re.sub(rb"\r?\n ", b"", path.read_bytes()))
        return [folder / "0.txt"]
    found = []
    for message in messages(path, name):
        for part in message.walk():
            if not part.is_multipart():
                kind = {"text/html": ".html"}.get(part.get_content_type(), ".txt")
                found.append(folder / f"{len(found)}{kind}")
                found[-1].write_bytes(part.get_payload(decode=True))
    return found


@pytest.fixture(scope="module")
def laid_out(request, sources, tmp_path_factory):
    """For each file a test asks for, the PDFs of what it was and is when it was written twice."""
    folder = tmp_path_factory.mktemp("laid-out")
    asked = {
        item.callspec.params["name"]
        for item in request.session.items
        if item.module is request.module
    }
    files = {}
    for name in sorted(asked):
        source = sources[name]
        back = changed_and_changed_back(source, folder / name)
        if name == "msg":  # which becomes an Internet message
            source = folder / "message.eml"
            document = read_document(sources[name])
            write_document(document, wrap([segment.text for segment in document.segments]), source)
        files[name, "before"] = sheets(source, name, folder / f"{name} before")
        files[name, "after"] = sheets(back, name, folder / f"{name} after")
    wanted = [file for key, group in files.items() for file in group if key[0] not in REDRAWN]
    made = dict(zip(wanted, converted(wanted, folder / "pdf"), strict=True))
    return {key: [made.get(file, file) for file in group] for key, group in files.items()}


@pytest.mark.parametrize("name", NAMES)
def test_pages_agree_after_every_text_was_changed_and_changed_back(laid_out, name):
    before, after = laid_out[name, "before"], laid_out[name, "after"]
    assert None not in before + after
    assert [pages(pdf) for pdf in after] == [pages(pdf) for pdf in before]
    assert name not in LONG or pages(before[0]) > 2


@pytest.mark.parametrize("name", sorted(set(NAMES) - REDRAWN - RESPACED - TITLED))
def test_pictures_of_the_pages_are_the_same(laid_out, tmp_path, name):
    for before, after in both(laid_out, name, tmp_path):
        assert before == after


@pytest.mark.parametrize("name", sorted(REDRAWN))
def test_words_that_are_drawn_again_stand_where_they_stood(laid_out, tmp_path, name):
    for pair in both(laid_out, name, tmp_path):
        before, after = map(inked, pair)
        assert np.abs(before - after).max() <= 3


def both(laid_out, name, folder):
    """Each page as it was, and as it is."""
    for number, pdfs in enumerate(
        zip(laid_out[name, "before"], laid_out[name, "after"], strict=True)
    ):
        drawn = [pictures(pdf, folder / f"{number}-{side}") for side, pdf in enumerate(pdfs)]
        yield from zip(*drawn, strict=True)


def inked(picture):
    """The first and last row and column of a grey picture (PGM) that something is drawn on."""
    ink = np.argwhere(np.asarray(Image.open(io.BytesIO(picture))) < 240)
    return np.array([ink.min(0), ink.max(0)]) if len(ink) else np.zeros((2, 2))
