"""A file is read whole, or refused with its class."""

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import read_limited


def test_a_file_within_the_limit_is_read_whole(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    assert read_limited(tmp_path / "a", 5) == b"12345"


def test_a_file_over_the_limit_is_too_large(tmp_path):
    (tmp_path / "a").write_bytes(b"123456")
    with pytest.raises(DocumentError) as caught:
        read_limited(tmp_path / "a", 5)
    assert caught.value.failure is DocumentFailure.TOO_LARGE


def test_a_file_that_cannot_be_opened_is_corrupt_and_its_name_is_not_told(tmp_path):
    with pytest.raises(DocumentError) as caught:
        read_limited(tmp_path / "secret", 5)
    assert caught.value.failure is DocumentFailure.CORRUPT
    assert "secret" not in str(caught.value)
