"""What each attack asks, and what it would let an attacker do, in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.evaluation.chance import Finding

FEWEST = 30
"""With fewer cases a figure says nothing."""

_ORDER = "Order of confidence: which of several known words stands behind which substitute."
EXPLANATIONS: Mapping[str, str] = {
    "position-precision": "Tell which words were replaced. No secret: what stood there is.",
    "position-recall": "Find all replaced words. No secret: what stood there is.",
    "who-itself": "Take the word that was sent for the word itself.",
    "who-weak": "Read the word off the substitute, with the dictionary.",
    "who-frequent": "Read the word off the substitute, with the dictionary and how common it is.",
    "who-narrowed": "Tell from a substitute that fewer words are behind it than reported.",
    "who-learned": "Learn from documents that got known what others say.",
    "linkage-substitute": "Tell that two places hide the same word, by the same substitute.",
    "linkage-rank": "Tell that two places hide the same word, by their order.",
    "who-strong": "With all words of a text known, tell which stood where.",
    "order": _ORDER,
    "rebuild-unigram": "Guess a word by how common it is. This needs nothing that was sent.",
    "rebuild-ngram": "Guess a word from the words around it, as they were sent.",
    "rebuild-masked": "Guess a word from the words around it that were kept.",
    "match-frequency": "Break the code by counting substitutes over the archive.",
    "match-company": "Break the code by what stands beside a substitute over the archive.",
    "repeat-stored": "Send by send of one sentence, as PRISM repeats it: the same every night.",
    "repeat-fresh": "The same if it were encoded anew every night. It is not.",
    "repeat-number-stored": "A short number, as PRISM repeats it.",
    "repeat-number-fresh": "A short number, if it were encoded anew every night. It is not.",
    "surviving-names-exact": "Read names as they are.",
    "surviving-names-disguised": "Read names in any spelling.",
    "surviving-numbers-exact": "Read numbers as they are.",
    "surviving-numbers-disguised": "Read numbers in any form.",
    "link": "With N sentences at hand, one of them yours, tell which one a request was.",
    "link-meaning": "The same by what both mean, with a model of sentence embeddings.",
    "link-both": "The same by structure and meaning together.",
    "membership": "With one of your documents at hand, tell that it was in the archive.",
    "neighbours": "Tell which sentences are of one document, by the order of sending.",
    "decoys-known": "Tell decoys from your sentences, with the list of decoys at hand.",
}


def explanation(finding: Finding) -> str:
    """What ``finding`` is about: that of its family, whatever stands behind the ``@``."""
    return EXPLANATIONS[finding.attack.partition("@")[0]]


def verdict(finding: Finding) -> str:
    """``at chance``, ``above chance``, ``below chance``, or ``too few`` cases to say."""
    if finding.n < FEWEST:
        return "too few"
    if not finding.differs_from_chance():
        return "at chance"
    return "above chance" if finding.value > finding.chance else "below chance"
