"""MCTest in another language, as a translator makes it of the English, to measure a source by.

    python -m benchmarks.translated_questions --to es --output FOLDER [--part mc160.test]

Writes ``FOLDER/mctest/PART.es.tsv``, ``.es.ans`` and ``stopwords.es.txt``, which ``prism evaluate
--corpus mctest --from es --data FOLDER`` reads. Stories, questions and choices are translated by
Apertium; so a reader of them gets its slips on both sides.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import argument_parser
from prism_core.settings import TranslatorSettings
from prism_core.translators import make_translator

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
_NEW_LINE, _TAB = "\\newline", "\\tab"


def main() -> None:
    """Translate, and write."""
    parser = argument_parser(__doc__)
    parser.add_argument("--to", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--part", default="mc160.test")
    arguments = parser.parse_args()
    read, made = SHARED / "mctest", arguments.output / "mctest"
    made.mkdir(parents=True, exist_ok=True)
    part, to = arguments.part, arguments.to
    rows = [row.split("\t") for row in (read / f"{part}.tsv").read_text("utf-8").splitlines()]
    texts = [_translate(row[2].replace(_TAB, " ").split(_NEW_LINE), to) for row in rows]
    questions = iter(_translate([_asked(cell)[1] for row in rows for cell in row[3:]], to))
    lines = [
        [*row[:2], _NEW_LINE.join(text), *(_asked(cell)[0] + next(questions) for cell in row[3:])]
        for row, text in zip(rows, texts, strict=True)
    ]
    (made / f"{part}.{to}.tsv").write_text("\n".join(map("\t".join, lines)) + "\n", "utf-8")
    (made / f"{part}.{to}.ans").write_bytes((read / f"{part}.ans").read_bytes())
    stop = _translate((read / "stopwords.txt").read_text("utf-8").split(), to)
    (made / f"stopwords.{to}.txt").write_text("\n".join(dict.fromkeys(stop)) + "\n", "utf-8")


def _asked(cell: str) -> tuple[str, str]:
    """*one: * or *multiple: * before a question, which stays, and the text."""
    kind, mark, text = cell.partition(": ")
    return (kind + mark, text) if kind in ("one", "multiple") else ("", cell)


def _translate(texts: Sequence[str], to: str) -> list[str]:
    async def ask() -> list[str]:
        translator = make_translator(TranslatorSettings.choose(name="apertium"), "en", to)
        try:
            limit = translator.limits.texts_per_request
            found: list[str] = []
            for start in range(0, len(texts), limit):
                found += await translator.translate(texts[start : start + limit], "en", to)
            return found
        finally:
            await translator.close()

    return asyncio.run(ask())


if __name__ == "__main__":
    main()
