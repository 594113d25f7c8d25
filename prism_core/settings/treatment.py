"""Settings of replacement and withholding: identifiers, mechanisms, policies.

The table of one mechanism is beside its code; this module has what all mechanisms share.

A *treatment* is a policy at one of its levels, written ``patients`` or ``patients+2``; the empty
one is the settings themselves. Level 0 is the policy as written, each further level is stronger;
``patients+here`` is for a document of which nothing may be sent. In an archive of several source
languages, the language comes first: ``es:patients+2``, ``es:``.

Entry: ``IdentifierSettings`` and ``MechanismSettings``; ``PolicySettings`` adds to both; its
``treatments`` are the choices, and ``Settings.under`` applies one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from prism_core.settings.section import ChosenSection, Section
from prism_core.settings.translators import TranslatorSettings


class IdentifierClass(StrEnum):
    """Class of HIPAA's Safe Harbor rule, 45 CFR 164.514(b)(2)(i), in its order of eighteen.

    European numbers belong to the nearest class: a VAT number to licences, an IBAN to accounts, a
    number plate to vehicles.
    """

    NAME = "name"
    """(A) Names of persons, and of organisations here."""
    GEOGRAPHY = "geography"
    """(B) Every place name; the rule asks for those smaller than a state."""
    DATE = "date"
    """(C) Parts of dates smaller than a year, and ages over 89."""
    PHONE = "phone"
    FAX = "fax"
    EMAIL = "email"
    NATIONAL_ID = "national-id"
    """(G) Social security numbers, and national numbers of persons in other states."""
    RECORD = "record-number"
    """(H) Numbers of medical records, of cases and of files."""
    PLAN = "plan-number"
    """(I) Numbers of beneficiaries of a health plan."""
    ACCOUNT = "account-number"
    LICENCE = "licence"
    """(K) Numbers of licences and certificates."""
    VEHICLE = "vehicle"
    DEVICE = "device"
    URL = "url"
    IP = "ip"
    BIOMETRIC = "biometric"
    PHOTO = "photo"
    OTHER = "other"
    """(R) Any other number or code."""


OnWithheld = Literal["leave", "local"]
"""Handling of a sentence of which nothing may be sent: it stays in the source language, or a model
on this machine translates it."""

Consistency = Literal["sentence", "document", "archive"]
"""Scope within which equal identifiers get equal surrogates."""


class IdentifierSettings(Section):
    """Lists of the user (UTF-8 text, one term a line), and drawing of surrogates.

    ``names_file`` has names of clients, patients, staff, which are replaced wherever they occur. A
    sentence that still contains a term of ``never_send_file`` is withheld. ``presidio`` adds
    Presidio's pattern recognisers (optional extra ``presidio``). ``withhold`` names classes: a
    sentence with such an identifier is withheld, though it would be replaced.

    ``consistency`` is the scope within which equal identifiers get equal surrogates. The wider it
    is, the more of an archive the translator can link. ``checksums`` decides whether the surrogate
    of a number with check digits has wrong or right ones; with right ones it may be a real person's
    number.
    """

    names_file: Path | None = None
    never_send_file: Path | None = None
    presidio: bool = False
    consistency: Consistency = "sentence"
    checksums: Literal["fail", "pass"] = "fail"
    withhold: tuple[IdentifierClass, ...] = ()


class MixingSettings(Section):
    """Measures that hide from a translator which sentences belong together, or are real.

    With several translators, ``routing`` asks the next one for texts that those before did not
    answer (``failover``), or assigns each sentence to a single one (``split``). For each sentence,
    ``decoy_rate`` lines of ``decoys_file`` are sent with it, encoded the same way: UTF-8 text, one
    public sentence a line, each used once. A sentence of which at least half of the hidden words
    occur between the same tokens in ``formulas_from`` documents or more is translated by the model
    on this machine, where there is one (0: it is sent like others). ``split_clauses`` splits a long
    sentence at its clauses, and sends the parts separately, like sentences.
    """

    routing: Literal["failover", "split"] = "failover"
    decoy_rate: float = Field(default=0.0, ge=0, le=10)
    decoys_file: Path | None = None
    split_clauses: bool = False
    formulas_from: int = Field(default=3, ge=0)

    def keeps_formulas(self, on_withheld: OnWithheld, mechanism: MechanismSettings) -> bool:
        """Return True where formulaic sentences are translated on this machine.

        They never are where ε is promised: that a sentence is not sent would depend on the hidden
        words of others.
        """
        return self.formulas_from > 0 and on_withheld == "local" and not mechanism.bounds_epsilon

    @model_validator(mode="after")
    def _check_decoys(self) -> MixingSettings:
        if self.decoy_rate and self.decoys_file is None:
            raise ValueError(
                "decoy_rate needs decoys_file: public text of the same kind, one sentence a line"
            )
        return self


class LocalModelSettings(Section):
    """Model on this machine that translates withheld sentences (``on_withheld = "local"``).

    ``folder`` has the format of the translator ``local``; None is that translator's own.
    """

    folder: Path | None = None


HiddenWords = Literal["all", "telling", "none"]
"""Content words that are replaced: all, those that reveal something of a person, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismFigures:
    """Strength of a mechanism, by the columns of the report; None where a figure does not apply."""

    threshold: float | None = None
    draw_from: float | None = None
    ratio: float | None = None
    replace_probability: float | None = None
    table_probability: float | None = None
    minimum_pool: int
    hidden_words: HiddenWords = "all"
    unknown_words: str = "source"
    draws: str = "uniform"
    epsilon: float | None = None
    distance: str | None = None
    vectors: str | None = None
    rank_decay: float | None = None
    cutoff: float | None = None


DRAW_FROM = 0.95
"""Recovery rate from which words are drawn, unless the settings or the dictionary state one."""


class MechanismSettings(ChosenSection):
    """Choice of the words to replace, and of their substitutes; see docs/privacy.md.

    ``threshold`` τ in [0, 1] is the confidence from which a dictionary word may be drawn; for a
    mechanism that draws from one set V, the confidence from which it belongs to it.
    ``minimum_pool`` is the least number of words a substitute is drawn from.

    ``bounds_epsilon`` is True if the mechanism's ε is finite, so that nothing but its draws may
    decide whether and what is sent of a sentence. ``is_relative`` is True if that ε is per unit of
    a distance between words; else it bounds the loss of a word whatever the word is.
    ``looks_for_identifiers`` is True if names and numbers are recognised and replaced by
    surrogates, so that classes of them can be withheld.
    """

    package: ClassVar[str] = "prism_core.mechanisms.kinds"
    export: ClassVar[str] = "MECHANISM"
    default: ClassVar[str] = "prism-star"
    extra: ClassVar[str] = "lab"
    bounds_epsilon: ClassVar[bool]
    is_relative: ClassVar[bool] = False
    looks_for_identifiers: ClassVar[bool]

    threshold: float = Field(default=0.2, ge=0, le=1)
    minimum_pool: int = Field(default=20, ge=1)

    @classmethod
    def has_budget(cls) -> bool:
        """Return True if ε bounds the loss of any word, and a document's total can be added up."""
        return cls.bounds_epsilon and not cls.is_relative

    @abstractmethod
    def figures(self) -> MechanismFigures:
        """Return the strength for the report."""

    def shown(self) -> str:
        """Return which ordinary words are sent in clear on purpose, as a caution; empty for none.

        Grammar does not count.
        """
        return ""

    def drawn_from(self, stated: float | None) -> float:
        """Return the least recovery rate of drawn words; the dictionary may have ``stated`` one."""
        return DRAW_FROM if stated is None else stated

    @abstractmethod
    def stronger(self) -> Iterator[Self]:
        """Yield stronger versions in small steps, up to all words that can be replaced."""

    def stepped_up(self, name: str) -> Iterator[Self]:
        """Yield versions with larger values of ``name``, in steps of a tenth, the last one 1."""
        for tenth in range(1, 11):
            if (value := tenth / 10) > getattr(self, name):
                yield self.model_copy(update={name: value})


class Treatment(str):
    """A policy at one of its levels, written ``patients`` or ``patients+2``; empty: no policy.

    Level 0 is the policy as written, each further one is stronger; no policy means the settings
    themselves. ``es:patients`` applies to Spanish text, where the settings leave the source
    language open.
    """

    __slots__ = ()

    @property
    def source(self) -> str:
        """Source language; empty where it is that of the settings."""
        return self.rpartition(":")[0]

    @property
    def policy(self) -> str:
        """Name of the policy."""
        return self.rpartition(":")[2].partition("+")[0]

    @property
    def level(self) -> int:
        """Number of steps of strength above the policy's own."""
        return 0 if self.stays_here else int(self.partition("+")[2] or 0)

    @property
    def stays_here(self) -> bool:
        """True if nothing may be sent, and a model on this machine translates the document."""
        return self.partition("+")[2] == "here"

    def kept_here(self) -> Treatment:
        """Return the treatment for a document of which nothing may be sent."""
        return Treatment(f"{self.partition('+')[0]}+here")

    def in_source(self, source: str) -> Treatment:
        """Return the treatment for text in ``source``; empty is the source of the settings."""
        plain = self.rpartition(":")[2]
        return Treatment(f"{source}:{plain}" if source else plain)


NO_POLICY: Final = Treatment()


class PolicySettings(Section):
    """Exception for some documents; of several policies, the first that fits applies.

    It is for documents below one of ``folders`` (paths or ``*`` patterns within the input) and of
    one of ``formats`` (as the report names them); either may be omitted. ``mechanism`` replaces
    that of the settings, ``translators`` (names of listed ones) are the only ones that may see the
    documents (empty: none), and ``withhold`` adds classes to ``identifiers.withhold``.

    A document must stay within ``max_epsilon`` (ε of all its sentences together, in nats) and reach
    ``min_privacy_score`` (PPS in [0, 0.75], of the offline adversary on questions made from it)
    before anything of it is sent. Otherwise it is treated with more strength, in the fewest steps
    that suffice; if none does, nothing of it is sent.

    ``on_withheld`` replaces that of the settings. If it is ``local``, the model on this machine
    translates a document that no translator may see, or that stays over its budget.
    """

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    folders: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    mechanism: MechanismSettings | None = None
    translators: tuple[str, ...] | None = None
    withhold: tuple[IdentifierClass, ...] = ()
    on_withheld: OnWithheld | None = None
    max_epsilon: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    min_privacy_score: float | None = Field(default=None, gt=0, le=0.75)

    @model_validator(mode="after")
    def _check_selection(self) -> PolicySettings:
        if not self.folders and not self.formats:
            raise ValueError(
                f"policy {self.name} fits no document: give it folders or formats (folders = "
                '["*"] fits all)'
            )
        for folder in self.folders:
            parts = folder.removesuffix("/").split("/")
            if "\\" in folder or not {"", ".", ".."}.isdisjoint(parts):
                raise ValueError(
                    f"policy {self.name} fits nothing in {folder!r}: a folder is named from the "
                    "input folder on, with / between, without . and .."
                )
        return self

    def fits(self, path: str, document_format: str) -> bool:
        """Return True if the policy is for a document of ``document_format`` at ``path``.

        ``path`` is relative, with ``/``. A folder with ``*`` or ``?`` is a pattern; letter case
        counts.
        """
        if self.formats and document_format not in self.formats:
            return False
        for folder in self.folders:
            plain = folder.removesuffix("/")
            if "*" in folder or "?" in folder:
                if fnmatchcase(path, folder) or fnmatchcase(path, f"{plain}/*"):
                    return True
            elif path == plain or path.startswith(f"{plain}/"):
                return True
        return not self.folders

    def admits(self, translator: TranslatorSettings) -> bool:
        """Return True if ``translator`` may see documents under the policy."""
        return self.translators is None or translator.name in self.translators

    def levels(self, usual: MechanismSettings) -> tuple[MechanismSettings, ...]:
        """Return the policy's mechanisms, or the ``usual``, the weakest first."""
        first = self.mechanism or usual
        demanding = self.max_epsilon is not None or self.min_privacy_score is not None
        return (first, *first.stronger()) if demanding else (first,)

    def treatments(self, usual: MechanismSettings) -> list[Treatment]:
        """Return the treatments of ``levels``."""
        more = range(1, len(self.levels(usual)))
        return [Treatment(self.name), *(Treatment(f"{self.name}+{level}") for level in more)]

    def describe(self, usual: MechanismSettings) -> str:
        """Return the requirements on one line for the report, without the user's folders."""
        mechanism, seen = self.mechanism or usual, self.translators
        demands = {
            "mechanism": mechanism.name,
            **asdict(mechanism.figures()),
            "translators": None if seen is None else ",".join(seen) or "nobody",
            "withhold": ",".join(self.withhold) or None,
            "on_withheld": self.on_withheld,
            "max_epsilon": self.max_epsilon,
            "min_privacy_score": self.min_privacy_score,
        }
        stated = (f"{name}={demand}" for name, demand in demands.items() if demand is not None)
        return f"{self.name}: {' '.join(stated)}"
