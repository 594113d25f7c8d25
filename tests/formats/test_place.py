"""Looks follow the words they belong to; links and marks keep their order; nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.alignment import Match, Translation
from prism_core.formats.text import Placed, TextRun, place_words, unite
from tests.formats.aligned import aligned


def parsed(marked: str) -> list[TextRun]:
    """``*bold*``, ``[link]`` and ``^`` for a note mark."""
    groups, hard, owner = [], False, 0
    for part in re.findall(r"\*[^*]*\*|\[[^]]*\]|\^|[^*\[^]+", marked):
        if part == "^":
            hard = True
            continue
        link = part.startswith("[")
        owner += link
        text = part.strip("*[]") if part[0] in "*[" else part
        after_link = bool(groups) and groups[-1].owner > 0
        look = "bold" if part.startswith("*") else ""
        groups.append(TextRun(text, look, owner if link else 0, hard or link or after_link))
        hard = False
    return groups


def shown(groups: Sequence[Placed]) -> str:
    """The line as it reads now, in the marks of ``parsed``."""
    line, before = [], None
    for placed in groups:
        first = placed.group.runs[0]
        marked = placed.group.hard and not first.owner and not (before and before.owner)
        line += ["^" if marked else "", *(_marked(text, like) for text, like in says(placed))]
        before = placed.group.runs[-1]
    return re.sub(r"\*\*", "", "".join(line))


def says(placed: Placed) -> list[tuple[str, TextRun]]:
    """The texts in the place of a group, each with a run that it looks like."""
    return [*placed.ahead, (placed.text, placed.group.runs[0]), *placed.behind]


def _marked(text: str, run: TextRun) -> str:
    if not text:
        return ""
    return f"*{text}*" if run.look else f"[{text}]" if run.owner else text


CASES = """
The *red* house           | La casa roja            | red=roja house=casa             | La casa *roja*
*Red* house               | Casa roja               | Red=roja house=Casa             | Casa *roja*
A big *house* here        | Una casa grande aquí    | big=grande house=casa           | Una *casa* grande aquí
*John*'s wife left        | La mujer de John salió  | John=John wife=mujer left=salió | La mujer de *John* salió
The red^ house is.        | La casa roja es.        | red=roja house=casa             | La casa roja^ es.
The red house^ is.        | La casa roja es.        | red=roja house=casa             | La casa roja^ es.
The house^ is big.        | La casa es grande.      | house=casa big=grande           | La casa^ es grande.
See [our policy] now      | Vea nuestra ley ya      | See=Vea policy=ley              | Vea [nuestra ley] ya
Big [red house] now       | Casa roja grande ya     | Big=grande red=roja house=Casa  | [Casa roja] grande ya
Why *not*?                | ¿Por qué no?            | not=no                          | ¿Por qué *no*?
They *never came* home    | Nunca volvieron a casa  | never=Nunca came=volvieron home=casa | *Nunca volvieron a* casa
He does *not* come        | Él no viene             | come=viene                      | Él *no* viene
red,*green*,blue          | rojo,verde,azul        | red=rojo green=verde blue=azul  | rojo,*verde*,azul
No *bold* word            | Nada                    |                                 | *Nada*
John[1] left home         | Salió John1             | John=John left=Salió            | Salió John[1]
Last *day*.[1]            | Último año.1            | day=año Last=Último             | Último *año*.[1]
[Yes] [no] said           | Sí no dijo              | Yes=Sí no=no said=dijo          | [Sí] [no] dijo
"""  # noqa: E501 (a table)


@pytest.mark.parametrize(
    "case", [[cell.strip() for cell in row.split("|")] for row in CASES.strip().splitlines()]
)
def test_looks_go_where_their_words_go(case):
    marked, translation, pairs, expected = case
    groups = parsed(marked)
    source = "".join(group.text for group in groups)
    placed, _ = place_words(unite(groups), aligned(source, translation, pairs), movable=True)
    assert shown(placed) == expected


def test_a_look_that_may_not_move_is_given_up_and_counted():
    groups = parsed("*Red* house")
    said = aligned("Red house", "Casa roja", "Red=roja house=Casa")
    placed, lost = place_words(unite(groups), said, movable=False)
    assert [one.text for one in placed] == ["", "Casa roja"]
    assert not any(one.ahead or one.behind for one in placed)
    assert lost == 1


def test_a_sentence_keeps_its_look_whatever_the_words_do():
    translation = "A b c d e f. G h."
    text = Translation(
        translation, [Match((0, 3), (2, 3)), Match((8, 8), (12, 12)), Match((9, 13), (13, 14))]
    )
    placed, _ = place_words(
        unite([TextRun("Uno dos.", "bold"), TextRun(" Tres cuatro.", "")]), text, movable=True
    )
    assert [one.text for one in placed] == ["A b c d e f.", " G h."]


def test_a_long_row_of_looks_takes_no_longer_than_its_length():
    groups = [TextRun(f"w{index} ", "xy"[index % 2]) for index in range(20_000)]
    source = "".join(group.text for group in groups)
    words = [match.span() for match in re.finditer(r"\w+", source)]
    text = Translation(source, [Match(*pair) for pair in zip(words, words[::-1], strict=True)])
    placed, _ = place_words(unite(groups), text, movable=True)
    assert "".join(one.text for one in placed) == source


def test_a_word_that_a_look_parted_behind_a_digit_stays_whole_without_the_digit():
    for translation, expected in (("7a", ["7", "a"]), ("aa", ["aa"])):
        text = Translation(translation, [Match((0, 1), (0, 1))])
        placed, _ = place_words(unite([TextRun("1", "x"), TextRun("a", "y")]), text, movable=False)
        assert [said for one in placed for said, _ in says(one) if said] == expected


WORD = st.text("abcé1.(", min_size=1, max_size=4)
LINE = st.lists(WORD, min_size=1, max_size=6).map(" ".join)


@given(st.data(), st.booleans())
def test_nothing_is_lost_doubled_or_cut_within_a_word(data, movable):
    groups = [
        TextRun(
            text + data.draw(st.sampled_from(["", " "])),
            data.draw(st.sampled_from("xy")),
            owner,
            hard,
        )
        for text, owner, hard in data.draw(
            st.lists(st.tuples(LINE, st.integers(0, 2), st.booleans()), min_size=1, max_size=5)
        )
    ]
    source, translation = "".join(group.text for group in groups), data.draw(LINE)
    matches = data.draw(
        st.lists(
            st.builds(
                lambda a, b, c, d: Match((min(a, b), max(a, b)), (min(c, d), max(c, d))),
                *[st.integers(0, len(source))] * 2,
                *[st.integers(0, len(translation))] * 2,
            ),
            max_size=5,
        )
    )
    placed, _ = place_words(unite(groups), Translation(translation, matches), movable=movable)
    pieces = [text for one in placed for text, _ in says(one)]
    assert "".join(pieces) == translation
    end = 0
    for piece in pieces[:-1]:
        end += len(piece)
        assert not re.fullmatch(r"[^\W\d]{2}", translation[max(end - 1, 0) : end + 1])
