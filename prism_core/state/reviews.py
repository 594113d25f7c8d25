"""Reviewed translations: they take precedence over every answer, in this run and later ones.

Entry: ``Reviews``; ``record`` the result of a review, ``find`` it for the sentences of a run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select, update

from prism_core.alignment import Translation
from prism_core.cipher import Cipher
from prism_core.state.database import Database, split_ids
from prism_core.state.schema import document_sentences, documents, reviews
from prism_core.state.sealed_columns import translation_from_json, translation_to_json


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Translation that ``reviewer`` gave of a sentence, or confirmed."""

    translation: Translation
    reviewer: str


@dataclass(frozen=True, slots=True)
class Reviews:
    """Table of reviews."""

    _database: Database
    _cipher: Cipher

    def id_of(self, text: str, languages: tuple[str, str]) -> str:
        """Return the keyed id of a sentence with this ``text`` for a pair of ``languages``."""
        return self._cipher.keyed_id("review", "\t".join((*languages, text)).encode())

    def count(self) -> int:
        """Count the reviewed sentences."""
        return self._database.scalar(select(func.count()).select_from(reviews))

    def record(self, given: Mapping[str, Reviewed], held: Iterable[str]) -> None:
        """Store reviews by id, replacing earlier ones; all of it or nothing.

        The documents that hold one of the sentences ``held`` are written anew by the next run.
        """
        now, seal, links = time.time(), self._cipher.seal, document_sentences.c
        rows = [
            {
                "id": row_id,
                "translation": seal(
                    f"reviews.translation:{row_id}",
                    translation_to_json(review.translation).encode(),
                ),
                "reviewer": seal(f"reviews.reviewer:{row_id}", review.reviewer.encode()),
                "reviewed": now,
            }
            for row_id, review in given.items()
        ]
        with self._database.writing() as connection:
            for ids in split_ids(list(given)):
                connection.execute(delete(reviews).where(reviews.c.id.in_(ids)))
            if rows:
                connection.execute(insert(reviews), rows)
            for ids in split_ids(held):
                holding = select(links.document).where(links.sentence.in_(ids))
                connection.execute(
                    update(documents).where(documents.c.id.in_(holding)).values(retry=1)
                )

    def find(self, ids: Iterable[str]) -> dict[str, Reviewed]:
        """Return the reviews of those of ``ids`` that were reviewed."""
        found = {}
        for batch in split_ids(list(ids)):
            for row in self._database.rows(select(reviews).where(reviews.c.id.in_(batch))):
                translation, reviewer = (
                    self._cipher.open(f"reviews.{name}:{row.id}", getattr(row, name)).decode()
                    for name in ("translation", "reviewer")
                )
                found[row.id] = Reviewed(translation_from_json(translation), reviewer)
        return found
