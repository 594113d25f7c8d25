"""Subword vocabulary, learned by SentencePiece from public text alone.

A vocabulary learned from private text reveals which words are in it, whatever noise the training
adds. So it comes from public text, or from the words of a shipped dictionary. Everything else is
spelled with pieces, bytes at worst.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from prism_core.dictionary import read_dictionary
from prism_core.errors import ConfigurationError
from prism_core.resources import shipped_dictionary, shipped_pairs
from prism_core.training.transformer import BEGIN, END
from prism_core.translation_memory import stripped_lines


class SubwordVocabulary:
    """Conversion of text to piece numbers; the first four are padding, begin, end and unknown.

    A vocabulary of Marian's has the end as its first piece, and neither padding nor begin: its
    numbers are moved by two.
    """

    def __init__(self, model: bytes) -> None:
        import sentencepiece

        self.model = model
        self._processor: Any = sentencepiece.SentencePieceProcessor(model_proto=model)
        self._moved = END - int(self._processor.eos_id())

    def __len__(self) -> int:
        return int(self._processor.get_piece_size()) + self._moved

    def encode(self, text: str) -> list[int]:
        """Return the pieces of ``text``, without begin and end."""
        return [piece + self._moved for piece in self._processor.encode(text, out_type=int)]

    def text(self, pieces: Sequence[int]) -> str:
        """Return the text of an answer, which begins with ``BEGIN``, up to its first ``END``."""
        whole = [*pieces, END]
        bare = [piece - self._moved for piece in whole[1 : whole.index(END)]]
        return str(self._processor.decode([piece for piece in bare if piece >= 0]))

    def source(self, text: str) -> list[int]:
        """See ``SubwordTokeniser``."""
        return [*self.encode(text), END]

    def target(self, text: str) -> list[int]:
        """See ``SubwordTokeniser``."""
        return [BEGIN, *self.encode(text), END]

    def pieces(self) -> list[str]:
        """Pieces as they are written, in order."""
        return [self._processor.id_to_piece(number) for number in range(len(self))]


def learn_vocabulary(texts: Iterable[str], size: int) -> SubwordVocabulary:
    """Learn at most ``size`` pieces from public ``texts``. Raises ``ConfigurationError``."""
    import sentencepiece

    written = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_writer=written,
            vocab_size=size,
            hard_vocab_limit=False,
            byte_fallback=True,
            character_coverage=1.0,
            pad_id=0,
            bos_id=1,
            eos_id=2,
            unk_id=3,
            num_threads=1,
            minloglevel=2,
        )
    except (RuntimeError, OSError):
        raise ConfigurationError(
            "no vocabulary can be learned from this public text: give more of it, or a smaller "
            "--vocabulary-size"
        ) from None
    return SubwordVocabulary(written.getvalue())


def public_texts(files: Sequence[Path], source: str, target: str) -> Iterator[str]:
    """Yield the lines of public ``files``; without any, the words of the pair's dictionary.

    Raises ``ConfigurationError`` if there is neither.
    """
    if files:
        for file in files:
            yield from stripped_lines(file)
        return
    if f"{source}-{target}" not in shipped_pairs():
        raise ConfigurationError(
            f"no dictionary ships for {source}-{target}, so name public text in both languages, a "
            "sentence a line, with --vocabulary-from: pieces learned from private text would tell "
            "which words are in it"
        )
    for entry in read_dictionary(shipped_dictionary(source, target)).entries:
        yield entry.word
        yield from (form.text for form in entry.forms[:1])
