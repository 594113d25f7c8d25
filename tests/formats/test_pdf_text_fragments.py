"""Letters put together."""

from __future__ import annotations

import pytest

from prism_core.formats.pdf import doubles
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.style import Style

STYLE = Style()


@pytest.mark.parametrize("step", [0.7, 0.9, 1.1])
def test_letters_that_nearly_touch_are_looked_at(step):
    pair = [
        Glyph("i", True, x, 0.0, x + 3, 10.0, 10.0, (x, 0.0), 0.0, 0, number, STYLE)
        for number, x in enumerate((50.0, 50.0 + step))
    ]
    assert len(doubles.drop_doubles(pair)) == (1 if step < 1 else 2)
