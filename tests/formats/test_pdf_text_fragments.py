"""Letters put together: what is told sooner is what is told at length."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from prism_core.formats.pdf import doubles
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.style import Style

STYLE = Style()


def some_glyphs(random: Random) -> list[Glyph]:
    """A few lines of letters in an order of their own, some drawn again a little beside."""
    glyphs: list[Glyph] = []
    for line in range(random.randint(1, 4)):
        x, level, size = random.uniform(0, 5), 12.0 * line, random.choice([8.0, 10.0])
        for _ in range(random.randint(1, 9)):
            text = random.choice("ab ")
            where = (x, level, x + 5, level + size)
            glyphs.append(Glyph(text, True, *where, size, (x, level), level, line, 0, STYLE))
            x += random.choice([5.0, 5.0, 0.5, -7.0])
    for glyph in random.sample(glyphs, random.choice([0, 0, 1, 2]) % len(glyphs)):
        beside = random.choice([0.0, 0.3, 0.9, 1.2])
        up = random.choice([0.0, 0.5])
        again = replace(glyph, x0=glyph.x0 + beside, baseline=glyph.baseline + up, show=9)
        glyphs.insert(random.randint(0, len(glyphs)), again)
    for number, glyph in enumerate(glyphs):
        glyph.number = number
    return glyphs


def dropped(seed: int) -> list[tuple[int, frozenset[int]]]:
    """What is left of some glyphs: which, and what else drew them."""
    kept = doubles.drop_doubles(some_glyphs(Random(seed)))
    return [(glyph.number, glyph.doubles) for glyph in kept]


def test_doubles_are_those_that_a_search_among_all_letters_finds(monkeypatch):
    sooner = [dropped(seed) for seed in range(500)]
    told = [doubles._may_coincide(some_glyphs(Random(seed))) for seed in range(500)]
    assert 50 < sum(told) < 450
    monkeypatch.setattr(doubles, "_may_coincide", lambda _: True)
    assert sooner == [dropped(seed) for seed in range(500)]


@pytest.mark.parametrize("step", [0.7, 0.9, 1.1])
def test_letters_that_nearly_touch_are_looked_at(step):
    pair = [
        Glyph("i", True, x, 0.0, x + 3, 10.0, 10.0, (x, 0.0), 0.0, 0, number, STYLE)
        for number, x in enumerate((50.0, 50.0 + step))
    ]
    assert doubles._may_coincide(pair) is (step < 1)
    assert len(doubles.drop_doubles(pair)) == (1 if step < 1 else 2)
