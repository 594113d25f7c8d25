"""Settings: typed, immutable and without secrets; see ``sources``.

API keys, passwords and the state key are not settings. They come from the environment or a secret
store, so that a settings file can be shown, mailed and committed.

Entry: ``Settings``; its tables are in ``run_settings``, ``translators`` and ``treatment``.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping

from pydantic import Field, ValidationInfo, field_validator, model_validator

from prism_core.errors import ConfigurationError
from prism_core.margins import Margin, find_margin
from prism_core.settings.defaults import (
    Send,
    Stay,
    Strength,
    find_local_model,
    list_shown,
    prefer_local,
    shortcomings,
    strengthen,
)
from prism_core.settings.run_checks import check_auto, check_bounded, check_policies, check_shards
from prism_core.settings.run_settings import (
    DecodingSettings,
    DictionarySettings,
    DocumentSettings,
    GateSettings,
    KeySettings,
    LanguageSettings,
    LimitSettings,
    MemorySettings,
    NightSettings,
    NotifySettings,
    ReportSettings,
    ShardSettings,
    StateSettings,
)
from prism_core.settings.section import Section, file_digest
from prism_core.settings.translators import TranslatorSettings
from prism_core.settings.treatment import (
    NO_POLICY,
    IdentifierSettings,
    LocalModelSettings,
    MechanismSettings,
    MixingSettings,
    OnWithheld,
    PolicySettings,
    Treatment,
)

AUTO = "auto"
"""Source of an archive in several languages: each document, and each line reliably in another one,
is translated from its own language."""
_CHANGED = (
    "{what} was changed or taken out while documents under it wait; run with the settings they "
    "were read with, or change them so that they are read again"
)


class Settings(Section):
    """All settings of a run except secrets; languages are ISO 639 codes.

    ``source`` may be ``AUTO`` too. ``strength`` sets the defaults of other settings; explicit
    values stay (see ``strengthen``). ``send`` decides, where there is a model on this machine, if
    anything is sent, ``on_withheld`` about a sentence of which nothing may be sent.
    """

    source: str = "en"
    target: str = "es"
    strength: Strength = "standard"
    send: Send = "when-better"
    language: LanguageSettings = LanguageSettings()
    dictionary: DictionarySettings = DictionarySettings()
    mechanism: MechanismSettings = Field(default_factory=MechanismSettings.choose)
    identifiers: IdentifierSettings = IdentifierSettings()
    translator: TranslatorSettings = Field(default_factory=TranslatorSettings.choose)
    other_translators: tuple[TranslatorSettings, ...] = ()
    mixing: MixingSettings = MixingSettings()
    policies: tuple[PolicySettings, ...] = ()
    on_withheld: OnWithheld = "leave"
    gate: GateSettings = GateSettings()
    local_model: LocalModelSettings = LocalModelSettings()
    memory: MemorySettings = MemorySettings()
    decoding: DecodingSettings = DecodingSettings()
    documents: DocumentSettings = DocumentSettings()
    limits: LimitSettings = LimitSettings()
    state: StateSettings = StateSettings()
    shards: ShardSettings = ShardSettings()
    key: KeySettings = KeySettings()
    report: ReportSettings = ReportSettings()
    notify: NotifySettings = NotifySettings()
    night: NightSettings = NightSettings()

    @model_validator(mode="before")
    @classmethod
    def _fill_defaults(cls, table: object) -> object:
        return prefer_local(strengthen(table)) if isinstance(table, Mapping) else table

    @field_validator("source", "target")
    @classmethod
    def _is_language(cls, code: str, info: ValidationInfo) -> str:
        if code == AUTO and info.field_name == "source":
            return code
        if not re.fullmatch("[a-z]{2,3}", code):
            raise ValueError("should be the ISO 639 code of a language, such as en or es")
        return code

    @field_validator("other_translators", mode="before")
    @classmethod
    def _accept_names(cls, value: object) -> object:
        """Accept a bare name for a translator without further settings."""
        if not isinstance(value, list | tuple):
            return value
        return tuple({"name": item} if isinstance(item, str) else item for item in value)

    @model_validator(mode="after")
    def _check_consistent(self) -> Settings:
        """Refuse contradictory settings, and policies that cannot be kept."""
        if self.source == self.target:
            raise ValueError("source and target are the same language")
        identities = {translator.asked_of() for translator in self.translators}
        if len(identities) < len(self.translators):
            raise ValueError("other_translators lists a translator that is listed already")
        if any(other.max_cost is not None for other in self.other_translators):
            raise ValueError("max_cost of the run is set in [translator], for all of them together")
        if self.mixing.routing == "split" and not self.other_translators:
            raise ValueError("mixing.routing is split, but other_translators lists nobody")
        if self.mixing.split_clauses and self.memory.files:
            raise ValueError("mixing.split_clauses cuts, and would send, what memory.files hold")
        check_policies(self.policies, self.translators, self.mechanism, self.identifiers)
        check_bounded(
            self.mechanism,
            self.policies,
            self.gate,
            splits_clauses=self.mixing.split_clauses,
            is_auto=self.source == AUTO,
        )
        if self.on_withheld != "local" and "local" in (self.gate.below, self.gate.unknown):
            raise ValueError('gate is local: set on_withheld = "local", and local_model.folder')
        self._check_glossary()
        if any(other.sees_clear for other in self.translators) and self.other_translators:
            raise ValueError(
                "a translator on this machine that sees the text as it is, is the only one: leave "
                "other_translators out, or let it translate what must not be sent (on_withheld = "
                '"local", local_model.folder)'
            )
        if (self.translates_here or self.send == "never") and self.local_translator is None:
            what = "on_withheld is local" if self.translates_here else "send is never"
            raise ValueError(
                f"{what}, and no model is named: local_model.folder says where one is, or prism "
                "models add puts one in place"
            )
        if self.source == AUTO:
            check_auto(
                self,
                self.translators,
                identifies=self.language.identify,
                translates_here=self.translates_here,
            )
        check_shards(self.shards, self.state, self.translators)
        return self

    def _check_glossary(self) -> None:
        """Refuse a glossary with a mechanism that replaces token by token and would not use it."""
        mechanisms = (self.mechanism, *(p.mechanism for p in self.policies if p.mechanism))
        for mechanism in mechanisms if self.dictionary.glossary else ():
            if not mechanism.looks_for_identifiers:
                raise ValueError(
                    f"dictionary.glossary is for {MechanismSettings.default}, which replaces terms "
                    f"as a whole, and {mechanism.name} does not; leave the one or the other out"
                )

    def policy_for(self, path: str, document_format: str) -> PolicySettings | None:
        """Return the policy for a document; None where the settings themselves hold."""
        fitting = (policy for policy in self.policies if policy.fits(path, document_format))
        return next(fitting, None)

    def under(self, treatment: Treatment) -> Settings:
        """Return the settings that hold for a document under ``treatment``.

        Raises ``ConfigurationError`` for a treatment that the settings do not know (any more).
        """
        if treatment.source:
            named = self.model_copy(update={"source": treatment.source})
            return named.under(treatment.in_source(""))
        if not treatment:
            return self
        if treatment == NO_POLICY.kept_here():
            return self
        name, level = treatment.policy, treatment.level
        policy = next((policy for policy in self.policies if policy.name == name), None)
        mechanisms = policy.levels(self.mechanism) if policy else ()
        if policy is None or level >= len(mechanisms):
            raise ConfigurationError(_CHANGED.format(what=f"the policy {name}"))
        withheld = (*self.identifiers.withhold, *policy.withhold)
        changes: dict[str, object] = {
            "mechanism": mechanisms[level],
            "identifiers": self.identifiers.model_copy(update={"withhold": withheld}),
            "on_withheld": policy.on_withheld or self.on_withheld,
        }
        if admitted := tuple(filter(policy.admits, self.translators)):
            changes |= {"translator": admitted[0], "other_translators": admitted[1:]}
        return self.model_copy(update=changes)

    @property
    def translators(self) -> tuple[TranslatorSettings, ...]:
        """All translators that may be asked, the first choice first."""
        return (self.translator, *self.other_translators)

    @property
    def translates_here(self) -> bool:
        """True if a model on this machine translates withheld sentences of any document."""
        choices = (self.on_withheld, *(policy.on_withheld for policy in self.policies))
        return "local" in choices

    @property
    def in_clear(self) -> bool:
        """True if the translator is on this machine and sees the text as it is."""
        return self.translator.sees_clear

    @property
    def margins(self) -> tuple[Margin, ...]:
        """What sending to each of the translators gains, as far as it was measured."""
        pair = self.source, self.target
        found = (find_margin(*pair, asked.name, self.strength) for asked in self.translators)
        return tuple(margin for margin in found if margin is not None)

    @property
    def stays(self) -> Stay | None:
        """Reason why nothing is sent and all is translated on this machine; None if some is sent.

        A translator on this machine that gets encodings is there to be tried, and is asked.
        """
        if self.in_clear:
            return Stay.IN_CLEAR
        if self.send == "never":
            return Stay.SENDING_OFF
        is_better = any(margin.is_positive for margin in self.margins)
        if self.send == "always" or is_better or self.translator.is_here:
            return None
        return Stay.NOT_BETTER if self.local_translator is not None else None

    @property
    def sends_clauses(self) -> bool:
        """True if clauses of long sentences are sent apart; nothing that stays here is cut."""
        return self.mixing.split_clauses and self.stays is None

    def assessment(self, digest: str) -> str:
        """Return a SHA-256 (hex) of what was known before a run when it was decided what is sent.

        ``digest`` is that of these settings. A plan and the run that follows it have the same.
        """
        decided = [digest, self.strength, self.send, self.stays, *map(str, self.margins)]
        return hashlib.sha256(json.dumps(decided).encode()).hexdigest()

    @property
    def local_translator(self) -> TranslatorSettings | None:
        """Model on this machine, or translator, that gets text as it is; None if there is none."""
        if self.in_clear:
            return self.translator
        pair = self.source, self.target
        return find_local_model(self.local_model.folder, self.translators, *pair)

    @property
    def shown(self) -> tuple[str, ...]:
        """Cautions about the ordinary words that are sent in clear on purpose; no text, no path."""
        return list_shown(self.mechanism, self.policies)

    @property
    def shortcomings(self) -> tuple[str, ...]:
        """Differences from the requested ``strength``; no text, no path."""
        return tuple(shortcomings(self.model_dump()))

    def memory_digest(self) -> str:
        """Return a SHA-256 (hex) of the translation memories' bytes; empty without any."""
        files = [file_digest(file) for file in self.memory.files]
        return hashlib.sha256(json.dumps(files).encode()).hexdigest() if files else ""

    def _optional_outcome(self) -> dict[str, object]:
        """Return what the gate and the translations made here go by; nothing without them."""
        chosen = {**self.gate.model_dump(), "model": file_digest(self.gate.model)}
        gate: dict[str, object] = {"gate": chosen} if self.gate.is_on else {}
        if not (self.stays or self.translates_here) or self.local_translator is None:
            return gate
        decides = f"{self.on_withheld} {self.mixing.formulas_from}"
        model = file_digest(self.local_translator.model_file(self.source, self.target))
        return {**gate, "on_withheld": decides, "local_model": model, "stays": self.stays}

    def digest(self, key: bytes | None = None) -> str:
        """Return a stable SHA-256 (hex) of all that changes the output, the dictionary included.

        With ``key`` it is an HMAC and also covers the user's own lists: use that to decide whether
        a document is unchanged. Without, it is fit for the report: a plain hash over a short list
        of names could be guessed.
        """
        outcome = self.model_dump(
            mode="json",
            include=set("source target language mechanism translator decoding documents".split()),
            exclude={
                "language": {"experimental"},
                "translator": {*self.translator.terms(), "sees"},
                # which, not what becomes of one
                "documents": {"include", "exclude", "prune", "copy_untranslated"},
            },
        )
        for name in ("mark_untranslated", "csv_columns"):  # as it was before there were such
            if not outcome["documents"][name]:
                del outcome["documents"][name]
        content = {"settings": outcome, "dictionary": file_digest(self.dictionary.path)}
        outcome["surrogates"] = self.identifiers.model_dump(include={"consistency", "checksums"})
        if self.policies or self.identifiers.withhold:
            stricter = self.model_dump(mode="json", include={"policies", "identifiers"})
            for policy in stricter["policies"]:
                if policy["on_withheld"] is None:  # as it was before there was such a model
                    del policy["on_withheld"]
            outcome["policies"] = stricter["policies"]
            outcome["withhold"] = stricter["identifiers"]["withhold"]
        outcome |= self._optional_outcome()
        if self.mixing.split_clauses:
            outcome["clauses"] = "apart"
        if self.identifiers.presidio:
            content["presidio"] = "on"
        if key is not None:
            content["names"] = file_digest(self.identifiers.names_file)
            content["never_send"] = file_digest(self.identifiers.never_send_file)
            if glossaries := self.dictionary.glossary:
                content["glossary"] = ",".join(str(file_digest(file)) for file in glossaries)
        canonical = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
        return hmac.new(key or b"", canonical, hashlib.sha256).hexdigest()
