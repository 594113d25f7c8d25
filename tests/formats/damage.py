"""Damages files by chance, the same way for the same number."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path


def mutated(content: bytes, number: int) -> bytes:
    """``content`` damaged: cut, bits flipped, a stretch zeroed, doubled, moved or lost."""
    chance = random.Random(number)
    damaged = bytearray(content)
    start = chance.randrange(len(damaged))
    end = min(len(damaged), start + chance.randrange(1, 400))
    match number % 6:
        case 0:
            del damaged[start:]
        case 1:
            for _ in range(chance.choice((1, 5, 50))):
                damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        case 2:
            damaged[start:end] = bytes(end - start)
        case 3:
            damaged[start:start] = damaged[start:end] * chance.choice((1, 50))
        case 4:
            del damaged[start:end]
        case _:
            damaged[start:end] = chance.randbytes(end - start)
    return bytes(damaged)


def mutated_member(path: Path, number: int) -> None:
    """Damage one member of a package, and pack it again so that the zip itself is whole."""
    chance = random.Random(number)
    with zipfile.ZipFile(path) as package:
        members = {info.filename: package.read(info) for info in package.infolist()}
    texts = sorted(name for name, content in members.items() if content)
    name = chance.choice(texts)
    members[name] = mutated(members[name], number)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
