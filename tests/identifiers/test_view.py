from hypothesis import given
from hypothesis import strategies as st

from prism_core.identifiers.normal_form import View, drop_invisible


@given(st.text(alphabet="a1 \u00ad\u200b\u00a0\u2011１é", min_size=1, max_size=30))
def test_every_character_of_the_view_stands_for_one_of_the_source(text) -> None:
    view = View(text)
    assert len(view.text) == len(drop_invisible(text))
    for place, shown in enumerate(view.text):
        start, end = view.span(place, place + 1)
        assert end == start + 1
        assert shown == text[start] or not text[start].isascii()


def test_what_looks_plain_is_plain() -> None:
    assert View("1\u00a02\u20113\u00ad4 ５").text == "1 2-34 5"
