"""What a job has sent and left behind, searched for what was planted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tests.end_to_end import planted
from tests.end_to_end.canary import Finding, Searcher
from tests.end_to_end.job import Sabotage, Workplace
from tests.openai_server import OpenAIServer, sent_texts

SECRETS = Searcher(planted.ALL)


def prepared(root: Path, server: OpenAIServer, *, warm: bool = False) -> tuple[Workplace, Sabotage]:
    """An archive with all that is planted, and a sandbox that fails on some of it."""
    workplace = Workplace(root, warm=warm)
    planted.write_archive(workplace.input)
    sabotage = Sabotage(root / "sabotage")
    sabotage.plan(planted.SABOTAGE)
    workplace.variables |= {
        "PYTHONPATH": sabotage.path(),
        "PRISM_DOCUMENTS__FILE_NAMES": "translate",
        "PRISM_LIMITS__SECONDS": "6",
        "PRISM_LIMITS__WORKERS": "2",
        "PRISM_LIMITS__CHUNK_DOCUMENTS": "4",  # so that the small archive is worth workers
    }
    workplace.use(server)
    return workplace, sabotage


def suffixes(names: Iterable[str]) -> list[str]:
    """The folders and suffixes of files: what is left of a name when its words are others."""
    return sorted(re.sub(r"[^/.]+(?=\.)", "", name, count=1) for name in names)


def searched_once(workplace: Workplace, server: OpenAIServer) -> dict[str, set[Finding]]:
    """What a finished job left behind: ``planted`` texts, ``sent`` ones, and the ``key``.

    One search for all of them, in everything but documents and the key's own file.
    """
    sent = long_texts_sent(server)
    assert len(sent) > 20, "too little was sent to prove anything"
    written = workplace.key_file.read_text()
    searcher = Searcher([*planted.ALL, *sent, written], {"the key": workplace.key()})
    assert names_of(searcher.in_file(workplace.key_file)) == {written, "the key"}
    places = [workplace.key_file, *workplace.places_of_documents()]
    found = searcher.in_folder(workplace.root, leave_out=places)
    return {
        "planted": {one for one in found if one.canary in planted.ALL},
        "sent": {one for one in found if one.canary in sent},
        "key": {one for one in found if one.canary in (written, "the key")},
    }


def left_behind(workplace: Workplace, searcher: Searcher = SECRETS) -> set[Finding]:
    """What is found anywhere but in the input and in the translated documents."""
    return searcher.in_folder(workplace.root, leave_out=workplace.places_of_documents())


def received(server: OpenAIServer, searcher: Searcher = SECRETS) -> set[Finding]:
    """What is found in the bytes that the translator got, headers included."""
    return searcher.in_bytes(b"\n\n".join(server.received), "the translator")


def short_numbers_sent(server: OpenAIServer) -> set[str]:
    """Planted numbers that are too short to be searched for among random bytes."""
    words = "\n".join(sent_texts(server))
    pattern = r"(?<!\w){}(?!\w)"
    return {n for n in planted.SHORT_NUMBERS if re.search(pattern.format(re.escape(n)), words)}


def long_texts_sent(server: OpenAIServer) -> set[str]:
    """Sentences as they were sent, long enough to be told from chance."""
    return {text for text in sent_texts(server) if len(re.findall(r"\w", text)) >= 25}


def names_of(findings: Iterable[Finding]) -> set[str]:
    """The texts that were found, wherever."""
    return {finding.canary for finding in findings}
