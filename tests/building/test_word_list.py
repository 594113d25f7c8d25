import gzip

import pytest

from prism_core.building.word_candidates import WordCandidate, read_word_list
from prism_core.errors import ConfigurationError
from prism_core.resources import SHIPPED
from tests.words import ENGLISH

LIST = "# words\nserum\tNN\nviral\tJJ\n"


@pytest.mark.parametrize("written", [LIST.encode(), gzip.compress(LIST.encode(), mtime=0)])
def test_a_list_gives_words_that_no_text_has_shown(tmp_path, written) -> None:
    path = tmp_path / "words.tsv"
    path.write_bytes(written)
    assert read_word_list(path, ENGLISH) == [
        WordCandidate("serum", "NN", 0),
        WordCandidate("viral", "JJ", 0),
    ]


@pytest.mark.parametrize("content", [b"serum NN\n", b"serum\tNOUN\n", b"\xff\xfe", b"\x1f\x8bno"])
def test_a_wrong_list_is_a_clear_error(tmp_path, content) -> None:
    path = tmp_path / "words.tsv"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"words\.tsv"):
        read_word_list(path, ENGLISH)


def test_the_list_that_ships_is_one() -> None:
    words = read_word_list(SHIPPED / "data" / "words" / "english.tsv.gz", ENGLISH)
    assert len(words) > 50_000
    assert WordCandidate("pulmonary", "JJ", 0) in words
