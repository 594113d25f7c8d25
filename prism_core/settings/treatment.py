"""What is replaced and how strongly, and what stays here: identifiers, mechanisms, policies.

A mechanism's own table stands beside its code; here is what the settings know of every one.

A *treatment* is a policy at one of its levels, written ``patients`` or ``patients+2``; the empty
one is the settings themselves. Level 0 is what the policy says, each further one is stronger;
``patients+here`` is for a document of which nothing may be sent. Where
an archive has several source languages, it says before that which one: ``es:patients+2``, ``es:``.
What the gate changed stands behind: ``patients+2.asks-1``, ``.weaker-0``, ``.stronger-2``.

Entry: ``IdentifierSettings`` and ``MechanismSettings``; then ``PolicySettings``, which adds to both
-> ``treatments`` are those to choose from -> ``Settings.under`` applies one.
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
    """One of the eighteen of HIPAA's Safe Harbor rule, 45 CFR 164.514(b)(2)(i), in its order.

    European numbers count in the class that is nearest: a VAT number as a licence, an IBAN as an
    account, a number plate as a vehicle.
    """

    NAME = "name"
    """(A) Of persons; names of organisations count here too."""
    GEOGRAPHY = "geography"
    """(B) Every place; the rule asks for those smaller than a state."""
    DATE = "date"
    """(C) Parts of dates smaller than a year, and ages over 89."""
    PHONE = "phone"
    FAX = "fax"
    EMAIL = "email"
    NATIONAL_ID = "national-id"
    """(G) Social security numbers, and what other states number their people with."""
    RECORD = "record-number"
    """(H) Of medical records; of cases and files too."""
    PLAN = "plan-number"
    """(I) Of beneficiaries of a health plan."""
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
"""What becomes of a sentence of which nothing may be sent: it stays in the source language, or a
model on this machine translates it."""

Consistency = Literal["sentence", "document", "archive"]
"""Within what equal identifiers get equal surrogates."""


class IdentifierSettings(Section):
    """The user's own lists, UTF-8 text with one term a line, and how surrogates are drawn.

    ``names_file``: names of clients, patients, staff; replaced wherever they stand.
    ``never_send_file``: a sentence that still shows one of these is withheld.
    ``presidio``: ask Presidio's pattern recognisers too (optional extra ``presidio``).
    ``withhold``: a sentence in which an identifier of these classes is found is withheld, though it
    would be replaced.

    ``consistency``: within what equal identifiers get equal surrogates. The wider, the more of an
    archive the translator can link. ``dates``: drawn by chance, or all of a document shifted by
    the same secret number of weeks. ``checksums``: whether the surrogate of a number with check
    digits has wrong ones or right ones; with right ones it may be somebody's number.
    """

    names_file: Path | None = None
    never_send_file: Path | None = None
    presidio: bool = False
    consistency: Consistency = "sentence"
    dates: Literal["random", "shift"] = "random"
    checksums: Literal["fail", "pass"] = "fail"
    withhold: tuple[IdentifierClass, ...] = ()


class MixingSettings(Section):
    """What keeps a translator from seeing which sentences belong together, or which are real.

    ``routing``: with several translators, the next one is asked for what those before it did not
    answer (``failover``), or each sentence is dealt to one of them alone (``split``). For each
    sentence, ``decoy_rate`` lines of ``decoys_file`` are sent with it, encoded the same way: UTF-8
    text, one public sentence a line, each used once. A sentence of which at least half of the
    hidden words stand between the same tokens in ``formulas_from`` documents or more is translated
    by the model on this machine, where there is one (0: it is sent like others). With
    ``split_clauses`` a long sentence is cut at its clauses, and its parts are sent apart, like
    sentences.
    """

    routing: Literal["failover", "split"] = "failover"
    decoy_rate: float = Field(default=0.0, ge=0, le=10)
    decoys_file: Path | None = None
    split_clauses: bool = False
    formulas_from: int = Field(default=3, ge=0)

    def keeps_formulas(self, on_withheld: OnWithheld, mechanism: MechanismSettings) -> bool:
        """Return True where such sentences stay here: never where ε is promised, since that a
        sentence is not sent would follow from what is hidden in others."""
        return self.formulas_from > 0 and on_withheld == "local" and not mechanism.bounds_epsilon

    @model_validator(mode="after")
    def _has_decoys(self) -> MixingSettings:
        if self.decoy_rate and self.decoys_file is None:
            raise ValueError(
                "decoy_rate needs decoys_file: public text of the same kind, one sentence a line"
            )
        return self


class LocalModelSettings(Section):
    """The model on this machine that translates what is withheld (``on_withheld = "local"``).

    ``folder``: as the translator ``local`` takes it; None: that translator's own.
    """

    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismFigures:
    """How strong a mechanism is, by the columns of the report; None where it has no such figure."""

    threshold: float | None = None
    draw_from: float | None = None
    ratio: float | None = None
    replace_probability: float | None = None
    table_probability: float | None = None
    minimum_pool: int
    unknown_words: str = "source"
    draws: str = "uniform"
    epsilon: float | None = None
    distance: str | None = None
    vectors: str | None = None
    rank_decay: float | None = None
    cutoff: float | None = None


DRAW_FROM = 0.95
"""The sureness from which words are drawn where neither settings nor dictionary name one."""


class MechanismSettings(ChosenSection):
    """What is replaced, and how; see docs/privacy.md.

    ``threshold`` τ in [0, 1]: a word is replaced iff its confidence is at least τ; for a mechanism
    that draws from one set V, the confidence from which a dictionary word belongs to it.
    ``minimum_pool`` is the least number of words a substitute is drawn from.

    ``bounds_epsilon``: its ε is finite, so nothing but its draws may decide what is sent of a
    sentence, and whether. ``is_relative``: that ε is per unit of a distance between words; else it
    bounds the loss of a word whatever the word is.
    ``looks_for_identifiers``: names and numbers are recognised and replaced by surrogates, so that
    classes of them can be withheld.
    """

    package: ClassVar[str] = "prism_core.mechanisms.kinds"
    export: ClassVar[str] = "MECHANISM"
    default: ClassVar[str] = "prism-star"
    bounds_epsilon: ClassVar[bool]
    is_relative: ClassVar[bool] = False
    looks_for_identifiers: ClassVar[bool]

    threshold: float = Field(default=0.2, ge=0, le=1)
    minimum_pool: int = Field(default=20, ge=1)

    @classmethod
    def has_budget(cls) -> bool:
        """Return True if its ε bounds the loss of any word, and a document's can be added up."""
        return cls.bounds_epsilon and not cls.is_relative

    @abstractmethod
    def figures(self) -> MechanismFigures:
        """What the report says of its strength."""

    def drawn_from(self, stated: float | None) -> float:
        """The sureness, in [0, 1], from which a word of the dictionary is drawn from its pool.

        ``stated``: what the dictionary says of that for the translator in use, if anything.
        """
        return DRAW_FROM if stated is None else stated

    @abstractmethod
    def stronger(self) -> Iterator[Self]:
        """This mechanism with more replaced, in small steps up to all that it can replace."""

    def weaker(self, most: float) -> Iterator[Self]:
        """This mechanism with fewer words hidden: τ in steps of a tenth up to ``most``; none for
        one whose strength is not τ."""
        own = self.figures().threshold
        if self.looks_for_identifiers and not self.bounds_epsilon and own is not None:
            for tenth in range(1, 11):
                if own < (value := min(tenth / 10, most)):
                    yield self.model_copy(update={"threshold": value})
                if tenth / 10 >= most:
                    return

    def stepped_up(self, name: str) -> Iterator[Self]:
        """This mechanism with larger values of ``name``, in steps of a tenth, the last one 1."""
        for tenth in range(1, 11):
            if (value := tenth / 10) > getattr(self, name):
                yield self.model_copy(update={name: value})


class Treatment(str):
    """A policy at one of its levels, written ``patients`` or ``patients+2``; empty: no policy.

    Level 0 is what the policy says, each further one is stronger; none is the settings themselves.
    ``es:patients``: for what is in Spanish, where the settings leave the source language open.
    """

    __slots__ = ()

    @property
    def source(self) -> str:
        """The source language; empty where it is that of the settings."""
        return self.rpartition(":")[0]

    @property
    def policy(self) -> str:
        """The name of the policy."""
        return self.rpartition(":")[2].partition(".")[0].partition("+")[0]

    @property
    def gate(self) -> tuple[str, int] | None:
        """What the gate changed: ``asks``, ``weaker`` or ``stronger``, and the place among those
        that can be chosen; None where it changed nothing."""
        change, _, place = self.partition(".")[2].rpartition("-")
        return (change, int(place)) if change else None

    def with_gate(self, change: str, place: int) -> Treatment:
        """The same, as the gate changes it."""
        return Treatment(f"{self}.{change}-{place}")

    def without_gate(self) -> Treatment:
        """The same as it was before the gate changed it."""
        return Treatment(self.partition(".")[0])

    @property
    def level(self) -> int:
        """How many steps more strength than the policy asks for."""
        return 0 if self.stays_here else int(self.partition(".")[0].partition("+")[2] or 0)

    @property
    def stays_here(self) -> bool:
        """Whether nothing of it may be sent, and a model on this machine translates all of it."""
        return self.partition("+")[2] == "here"

    def kept_here(self) -> Treatment:
        """The same for a document of which nothing may be sent."""
        return Treatment(f"{self.without_gate().partition('+')[0]}+here")

    def in_source(self, source: str) -> Treatment:
        """The same for what is in ``source``; empty: in the source language of the settings."""
        plain = self.rpartition(":")[2]
        return Treatment(f"{source}:{plain}" if source else plain)


NO_POLICY: Final = Treatment()


class PolicySettings(Section):
    """How some documents are treated otherwise than the rest; of several, the first that fits.

    It is for documents below one of ``folders`` (paths or ``*`` patterns within the input) and of
    one of ``formats`` (as the report names them); either may be left out. ``mechanism`` replaces
    that of the settings, ``translators`` (names of those listed) are the only ones who may see
    anything of them (empty: nobody), and ``withhold`` adds classes to ``identifiers.withhold``.

    A document must stay within ``max_epsilon`` (ε of all its sentences together, in nats) and reach
    ``min_privacy_score`` (PPS in [0, 0.75], of the offline adversary on questions made from it),
    before anything of it is sent. One that does not is treated with more strength, in the fewest
    steps that suffice; where none does, nothing of it is sent.

    ``on_withheld`` replaces that of the settings. Where it is ``local``, a document that nobody may
    see, or that stays over its budget, is translated by the model on this machine.
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
    def _says_for_whom(self) -> PolicySettings:
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
        """Whether it is for a document at ``path`` (relative, with /) of ``document_format``.

        A folder with ``*`` or ``?`` is a pattern; letter case counts.
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
        """Whether ``translator`` may see documents under it."""
        return self.translators is None or translator.name in self.translators

    def levels(self, usual: MechanismSettings) -> tuple[MechanismSettings, ...]:
        """Its mechanisms from the weakest on; one alone where nothing is demanded.

        ``usual`` is the mechanism of the settings.
        """
        first = self.mechanism or usual
        demanding = self.max_epsilon is not None or self.min_privacy_score is not None
        return (first, *first.stronger()) if demanding else (first,)

    def treatments(self, usual: MechanismSettings) -> list[Treatment]:
        """The treatments that ``levels`` has."""
        more = range(1, len(self.levels(usual)))
        return [Treatment(self.name), *(Treatment(f"{self.name}+{level}") for level in more)]

    def describe(self, usual: MechanismSettings) -> str:
        """What it asks for, on one line for the report; the folders are the user's own."""
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
        asked = (f"{name}={demand}" for name, demand in demands.items() if demand is not None)
        return f"{self.name}: {' '.join(asked)}"
