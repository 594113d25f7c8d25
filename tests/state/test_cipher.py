"""What is sealed opens with its key in its place, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.cipher import Cipher
from prism_core.errors import WrongKey

KEY, SALT = bytes(32), bytes(16)


@given(st.binary(max_size=300), st.text(max_size=30))
def test_what_is_sealed_comes_back(plain: bytes, place: str) -> None:
    cipher = Cipher(KEY, SALT)
    assert cipher.open(place, cipher.seal(place, plain)) == plain


def test_equal_content_never_looks_equal() -> None:
    cipher = Cipher(KEY, SALT)
    assert len({cipher.seal("a", b"same") for _ in range(1000)}) == 1000


@pytest.mark.parametrize(
    ("other", "place"),
    [
        (Cipher(b"\1" * 32, SALT), "sentences.answer:1"),
        (Cipher(KEY, b"\1" * 16), "sentences.answer:1"),
        (Cipher(KEY, SALT), "sentences.answer:2"),
        (Cipher(KEY, SALT), "sentences.decoded:1"),
    ],
)
def test_another_key_salt_row_or_column_does_not_open_it(other: Cipher, place: str) -> None:
    sealed = Cipher(KEY, SALT).seal("sentences.answer:1", b"secret")
    with pytest.raises(WrongKey):
        other.open(place, sealed)


def test_one_changed_bit_is_noticed() -> None:
    cipher = Cipher(KEY, SALT)
    sealed = bytearray(cipher.seal("a", b"secret"))
    for position in range(len(sealed)):
        altered = bytes(sealed[:position]) + bytes([sealed[position] ^ 1]) + sealed[position + 1 :]
        with pytest.raises(WrongKey):
            cipher.open("a", altered)


def test_ids_depend_on_key_salt_kind_and_content() -> None:
    ids = {
        Cipher(KEY, SALT).keyed_id("sentence", b"text"),
        Cipher(b"\1" * 32, SALT).keyed_id("sentence", b"text"),
        Cipher(KEY, b"\1" * 16).keyed_id("sentence", b"text"),
        Cipher(KEY, SALT).keyed_id("document", b"text"),
        Cipher(KEY, SALT).keyed_id("sentence", b"texts"),
    }
    assert len(ids) == 5
    assert Cipher(KEY, SALT).keyed_id("sentence", b"text") in ids
