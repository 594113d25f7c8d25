from prism_core.building.frame_queries import is_one_sentence, translate_packed

SENTENCES = ["A dog ran.", "It barked?", "The cat slept!"]


class Recorder:
    """Answers in capitals, and keeps what it was asked."""

    def __init__(self, spoil: str = "") -> None:
        self.asked: list[str] = []
        self.spoil = spoil

    def __call__(self, texts):
        self.asked += texts
        joined = [text.replace(". ", " ") if self.spoil in text else text for text in texts]
        return [text.upper() for text in (joined if self.spoil else texts)]


def test_every_sentence_gets_its_own_answer_in_order() -> None:
    ask = Recorder()
    assert translate_packed(ask, SENTENCES, 2) == [one.upper() for one in SENTENCES]
    assert ask.asked == ["A dog ran. It barked?", "The cat slept!"]


def test_an_answer_with_another_number_of_sentences_is_not_guessed_at() -> None:
    ask = Recorder(spoil="dog")
    assert translate_packed(ask, SENTENCES, 3) == [one.upper() for one in SENTENCES]
    assert ask.asked == [" ".join(SENTENCES), "A dog ran.", "It barked? The cat slept!"]


def test_only_what_ends_with_its_one_full_stop_can_be_packed() -> None:
    assert is_one_sentence("It was there.")
    for text in ("Mr. Hill left.", "It was there", "It was there...", "Well! It was."):
        assert not is_one_sentence(text)
