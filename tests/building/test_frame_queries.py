from prism_core.building.frame_queries import FrameReader, FrameReading
from prism_core.languages import Frame
from tests.words import ENGLISH

FRAME = Frame("noun", "The red {} was there.")
SHARED = ["La {} roja estaba allí."] * 60 + ["El {} rojo estaba allí."] * 60
WORDS = [f"p{a}{b}o" for a in "bcdfghjklm" for b in "abcdefghijkl"]


def read(*last: str) -> list[FrameReading | None]:
    outputs = [text.format(word) for text, word in zip(SHARED, WORDS, strict=True)]
    return FrameReader(FRAME, [*outputs, *last]).read_all()[-len(last) :]


def test_the_word_is_what_other_outputs_do_not_share_and_the_residue_is_the_rest() -> None:
    assert read("La casa roja estaba allí.") == [
        FrameReading("noun", "casa", "la _ roja estaba allí .")
    ]


def test_a_form_may_be_a_phrase_with_a_common_word_inside() -> None:
    (filled,) = read("El fin de semana rojo estaba allí.")
    assert filled is not None
    assert filled.form == "fin de semana"


def test_scattered_or_missing_words_give_no_form() -> None:
    assert read("La roja estaba allí.", "Zumo la uno dos roja estaba allí tres.") == [None, None]


def test_every_frame_has_one_place_and_a_feature_of_its_own() -> None:
    for frames in ENGLISH.frames.of_tags.values():
        assert all(frame.text.count("{}") == 1 for frame in frames)
        assert len({frame.feature for frame in frames}) == len(frames)
