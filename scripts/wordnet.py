"""WordNet's files, and which of its meanings tell something of a person.

Entry: ``WordNet`` of a folder -> ``Telling`` of some heads -> ``is_telling`` of a synset.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple

HEADS = {
    "illness": (
        "ill_health.n.1 disorder.n.1 disability.n.1 pain.n.1 pain.n.2 injury.n.1 symptom.n.1 "
        "hurt.n.1 pathological_state.n.1 physiological_condition.n.1 psychological_state.n.1 "
        "bodily_process.n.1 medical_procedure.n.1 medical_care.n.1 medical_building.n.1 "
        "therapy.n.1 treatment.n.1 medicine.n.1 addiction.n.1 suffer.v.1 hurt.v.2 hurt.v.6 "
        "hurt.v.1 ache.v.1 ail.v.1 treat.v.3 injure.v.1 disable.v.1 infect.v.1 ill.a.1 "
        "unfit.a.1 injured.a.1 wounded.a.1 pregnant.a.1 blind.a.1 deaf.a.1 disabled.a.1 "
        "insane.a.1 addicted.a.1 depressed.a.1 healthy.a.1 "
    ),
    "drug": (
        "drug.n.1 medicine.n.2 alcohol.n.1 intoxicant.n.1 drinking.n.1 drug.v.1 drink.v.2 "
        "smoke.v.1 intoxicated.a.1 sober.a.1 inject.v.1 "
    ),
    "body": (
        "organ.n.1 reproductive_system.n.1 body_substance.n.1 erogenous_zone.n.1 "
        "body_waste.n.1 excrete.v.1 nakedness.n.1 bare.a.1 tissue.n.1 breast.n.1 buttocks.n.1 "
        "leg.n.1 "
    ),
    "crime": (
        "crime.n.1 crime.n.2 wrongdoing.n.2 transgression.n.1 stealing.n.1 steal.v.1 "
        "deceive.v.1 deceive.v.2 cheat.v.1 deception.n.1 lie.v.5 misrepresent.v.1 weapon.n.1 "
        "guilty.a.1 illegal.a.1 smuggle.v.1 extort.v.1 dishonest.a.1 "
    ),
    "law and punishment": (
        "law.n.1 law.n.2 legal_document.n.1 due_process.n.1 proceeding.n.1 judgment.n.1 "
        "accusation.n.1 accusation.n.2 charge.n.2 charge.n.7 punishment.n.1 "
        "penal_institution.n.1 imprisonment.n.1 confinement.n.1 confinement.n.3 seizure.n.2 "
        "court.n.1 legal_power.n.1 jurisdiction.n.2 accuse.v.1 punish.v.1 confine.v.5 "
        "arrest.v.1 apprehend.v.2 sue.v.1 judge.v.4 judge.v.5 convict.v.1 legal.a.1 "
        "forbid.v.1 plea.n.2 "
    ),
    "religion": (
        "religion.n.1 religion.n.2 religious_ceremony.n.1 spiritual_being.n.1 "
        "place_of_worship.n.1 sacred_text.n.1 worship.n.1 pray.v.1 pray.v.2 worship.v.1 "
        "religious.a.1 sacred.a.1 religious_doctrine.n.1 prayer.n.1 prayer.n.2 cleric.n.1 "
        "religious_residence.n.1 sin.n.1 "
    ),
    "politics": (
        "politics.n.1 politics.n.2 politics.n.5 political_orientation.n.1 government.n.1 "
        "party.n.1 vote.n.1 vote.v.1 election.n.1 political.a.1 protest.n.1 protest.v.1 "
        "political_movement.n.1 reform.n.1 social_movement.n.1 strike.n.1 revolution.n.2 "
        "rebellion.n.2 military_action.n.1 military_unit.n.1 war.n.1 labor_movement.n.1 "
        "union.n.1 "
    ),
    "sex": (
        "sexual_activity.n.1 sexual_desire.n.1 sexual_love.n.2 sexual_relationship.n.1 "
        "sex.n.2 sex.n.4 homosexuality.n.1 homosexual.a.1 affair.n.2 sexual.a.1 sexy.a.1 "
        "copulate.v.1 neck.v.1 reproduction.n.5 desire.v.1 reproductive_cell.n.1 "
        "sexual_reproduction.n.1 pregnancy.n.1 birth_control.n.1 lust.v.1 love.n.4 "
    ),
    "origin": (
        "ethnic_group.n.1 race.n.3 foreign.a.1 foreign.a.2 native.a.1 native.a.2 white.a.2 "
        "black.a.2 migration.n.1 migrate.v.1 exile.n.2 exile.v.1 natural_language.n.1 "
        "nationality.n.1 "
    ),
    "kinship": (
        "kinship.n.2 marriage.n.1 marital_status.n.1 family.n.1 family.n.2 family.n.4 "
        "marry.v.1 marry.v.2 divorce.n.1 divorce.v.1 married.a.1 adopt.v.5 wedding.n.1 "
        "related.a.2 parenthood.n.1 "
    ),
    "occupation": (
        "occupation.n.1 employ.v.2 employment.n.1 employed.a.1 unemployed.a.1 fire.v.4 "
        "hire.v.1 position.n.6 dismissal.n.2 dismissal.n.4 retire.v.1 work.v.1 profession.n.1 "
        "professional.a.1 "
    ),
    "money": (
        "money.n.1 money.n.2 payment.n.1 debt.n.1 debt.n.2 loan.n.1 income.n.1 "
        "financial_gain.n.1 tax.n.1 fund.n.1 monetary_unit.n.1 pay.v.1 owe.v.1 borrow.v.1 "
        "lend.v.2 gamble.v.1 bet.v.2 gambling.n.1 earn.v.1 rich.a.1 poor.a.2 bankrupt.a.1 "
        "insolvent.a.1 broke.a.1 financial.a.1 asset.n.1 cost.n.1 liabilities.n.1 wealth.n.1 "
        "poverty.n.1 financial_condition.n.1 outgo.n.1 credit.n.2 financial_institution.n.1 "
        "buy.v.1 sell.v.1 "
    ),
    "violence": (
        "violence.n.1 fight.n.2 fight.v.1 fight.v.2 attack.v.1 attack.v.3 hit.v.2 hit.v.3 "
        "beat.v.2 strike.v.1 kill.v.1 maltreatment.n.1 mistreat.v.1 attack.n.1 attack.n.2 "
        "attack.n.3 violent.a.1 cut.v.1 wound.v.1 shoot.v.1 shoot.v.2 shooting.n.1 "
        "threaten.v.1 threaten.v.2 threat.n.2 torture.v.1 abduct.v.1 frighten.v.1 insult.v.1 "
        "bite.v.1 blow.n.1 blow.n.2 killing.n.1 killing.n.2 "
    ),
    "death": (
        "death.n.1 death.n.2 death.n.3 death.n.4 dead.a.1 dying.a.1 die.v.1 suicide.n.1 "
        "burial.n.1 burial.n.2 bury.v.2 bury.v.5 fatal.a.1 murder.n.1 "
    ),
}
"""Heads of WordNet (lemma, part of speech, number of the meaning), by what they tell of."""
PERSONS = 18
"""The lexicographer's file of persons."""
FIELDS = (
    "medicine.n.1 psychiatry.n.1 surgery.n.1 pathology.n.1 dentistry.n.1 pharmacology.n.1 "
    "obstetrics.n.1 law.n.1 law.n.2 criminal_law.n.1 crime.n.1 terrorism.n.1 armed_forces.n.1 "
    "religion.n.1 religion.n.2 church.n.1 church.n.3 catholic_church.n.1 christianity.n.1 "
    "judaism.n.1 judaism.n.2 islam.n.1 islam.n.2 politics.n.2 finance.n.1 gambling.n.1 "
    "obscenity.n.2 slang.n.2 disparagement.n.1 ethnic_slur.n.1 "
)
"""What a meaning may belong to by a pointer to its field or its usage."""


class Synset(NamedTuple):
    """A meaning: its lexicographer's file and its pointers, each a sign and a synset."""

    file: int
    words: frozenset[str]
    pointers: tuple[tuple[str, str], ...]


class WordNet:
    """The files of WordNet in ``folder``."""

    PARTS: ClassVar = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
    ENDINGS: ClassVar = {
        "n": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
        "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
        "a": "er: est: er:e est:e",
        "r": "",
    }

    def __init__(self, folder: Path) -> None:
        self.senses: dict[tuple[str, str], list[str]] = {}
        self.synsets: dict[str, Synset] = {}
        self._seen: dict[tuple[str, str], int] = {}
        self._exceptions: dict[tuple[str, str], list[str]] = defaultdict(list)
        for part, name in self.PARTS.items():
            for line in _lines(folder / f"index.{name}"):
                lemma, _, count, *rest = line.split()
                first = len(rest) - int(count)
                self.senses[lemma, part] = [part + one for one in rest[first:]]
                self._seen[lemma, part] = max(1, int(rest[first - 1]))
            for line in _lines(folder / f"data.{name}"):
                offset, synset = _parse(line)
                self.synsets[part + offset] = synset
            for line in _lines(folder / f"{name}.exc"):
                form, *bases = line.split()
                self._exceptions[form, part] += bases

    def named(self, head: str) -> str:
        """The synset that ``lemma.part.sense`` names."""
        lemma, part, sense = head.rsplit(".", 2)
        return self.senses[lemma, part][int(sense) - 1]

    def readings(self, word: str) -> set[str]:
        """The synsets of ``word`` and of whatever it may be a form of."""
        return {
            synset
            for part in self.PARTS
            for base in self.bases(word, part)
            for synset in self.senses.get((base, part), ())[: self._seen.get((base, part), 0)]
            if base in self.synsets[synset].words
        }

    def nouns(self, word: str) -> set[str]:
        """Every synset of ``word`` as a noun, those of rare meanings too."""
        return {
            synset for base in self.bases(word, "n") for synset in self.senses.get((base, "n"), ())
        }

    def bases(self, word: str, part: str) -> Iterator[str]:
        """Yield ``word`` and whatever it may be a form of as a ``part`` of speech."""
        yield word
        yield from self._exceptions.get((word, part), ())
        for rule in self.ENDINGS[part].split():
            ending, base = rule.split(":")
            stem = word.removesuffix(ending)
            if word.endswith(ending):
                yield stem + base
                if len(stem) > 2 and stem[-1] == stem[-2] and not base:
                    yield stem[:-1]


def _lines(file: Path) -> Iterator[str]:
    return (line for line in file.read_text(encoding="latin-1").splitlines() if line[0] != " ")


def _parse(line: str) -> tuple[str, Synset]:
    offset, file, _, count, *rest = line.split(" | ")[0].split()
    at = 2 * int(count, 16)
    pointers = rest[at + 1 : at + 1 + 4 * int(rest[at])]
    signs, parts = pointers[::4], [part.replace("s", "a") for part in pointers[2::4]]
    synsets = [part + offset for part, offset in zip(parts, pointers[1::4], strict=True)]
    words = frozenset(word.split("(")[0] for word in rest[:at:2])
    return offset, Synset(int(file), words, tuple(zip(signs, synsets, strict=True)))


class Telling:
    """The meanings under the heads of some ``topics``, with ``fields`` those that belong to a field
    of work such as medicine, and with ``persons`` all persons."""

    def __init__(
        self,
        wordnet: WordNet,
        topics: Iterable[str] = HEADS,
        *,
        fields: bool = True,
        persons: bool = True,
    ) -> None:
        self._synsets = wordnet.synsets
        self._heads = {wordnet.named(head) for topic in topics for head in HEADS[topic].split()}
        self._fields = {wordnet.named(head) for head in FIELDS.split() if fields}
        self._person_file = PERSONS if persons else None
        self.is_telling = cache(self._is_telling)

    def _is_telling(self, synset: str) -> bool:
        """Whether ``synset`` stands under a head, or a noun that belongs to the adjective does."""
        if self._is_under_head(synset):
            return True
        if synset[0] not in "ar":
            return False
        beside = self._to(synset, "& \\ < =")
        nouns = [*self._to(synset, "+"), *(to for one in beside for to in self._to(one, "+ \\"))]
        near = beside + [one for one in nouns if self._synsets[one].file != self._person_file]
        return any(map(self._is_under_head, near))

    def _is_under_head(self, synset: str) -> bool:
        if synset in self._heads or self._synsets[synset].file == self._person_file:
            return True
        if not self._fields.isdisjoint(self._to(synset, ";c ;u")):
            return True
        return any(map(self._is_under_head, self._to(synset, "@")))

    def _to(self, synset: str, signs: str) -> list[str]:
        wanted = signs.split()
        return [to for sign, to in self._synsets[synset].pointers if sign in wanted]
