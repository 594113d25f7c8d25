"""What a run may cost, and the stop before the request that would cost more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prism_core.errors import BudgetReached, ConfigurationError
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators.base import Limits, Price, Provider
from prism_core.translators.batches import Batch
from prism_core.translators.cost import NOTHING, Sent, cost


@dataclass(slots=True)
class Purse:
    """``amount`` of ``currency``, of which ``spent`` is gone; several translators share one."""

    amount: float
    currency: str
    spent: float = 0.0


@dataclass(frozen=True, slots=True)
class Budget:
    """What one translator, of this ``price`` and these ``limits``, may take out of ``purse``.

    Every attempt of a request counts in full, as the provider may bill each. One thread books.
    """

    purse: Purse
    price: Price
    limits: Limits

    def book(self, batch: Batch) -> None:
        """Count a request with ``batch`` that is about to leave.

        Raises ``BudgetReached``, and counts nothing, when it would cost more than is left.
        """
        sent = Sent(1, len(batch), sum(len(item.text) for item in batch))
        purse = self.purse
        after = purse.spent + cost(sent, self.price, self.limits)
        if after > purse.amount:
            raise BudgetReached(_used_up(purse, after))
        purse.spent = after

    def give_back(self, batch: Batch) -> None:
        """A request that was counted was turned down before the provider began with it."""
        sent = Sent(1, len(batch), sum(len(item.text) for item in batch))
        cheaper = self.purse.spent - cost(sent, self.price, self.limits)
        self.purse.spent = max(0.0, cheaper)


def _used_up(purse: Purse, after: float) -> str:
    budget = f"The budget of {_shown(purse.amount)} {purse.currency} (translator.max_cost)"
    if not purse.spent:
        return (
            f"{budget} is less than a first request costs, about {_shown(after)}: nothing was "
            "sent. Raise it, then run again."
        )
    return (
        f"{budget} is used up: about {_shown(purse.spent)} {purse.currency} are spent, and the "
        f"next request would make that {_shown(after)}. What was answered is kept; the same "
        "command goes on, with a budget afresh."
    )


def _shown(amount: float) -> str:
    """Cents, and of less than one what there is: a small budget is never shown as none."""
    return f"{amount:,.2f}" if amount >= 1 else f"{amount:.3g}"


def budget_of(
    settings: TranslatorSettings, translator: Provider, sent: Sent = NOTHING
) -> Budget | None:
    """The budget that ``settings`` set, less what was ``sent`` of it; None for no budget.

    Raises ``ConfigurationError`` where the translator's price is not known.
    """
    return budgets_of(settings.max_cost, [(translator, sent)])[0]


def budgets_of(amount: float | None, asked: Sequence[tuple[Provider, Sent]]) -> list[Budget | None]:
    """The budget of each translator: all take from one purse, less what each was sent already.

    Raises ``ConfigurationError`` where a price is not known, or not in the currency of the first.
    """
    if amount is None:
        return [None for _ in asked]
    priced = [(translator, _price(translator), sent) for translator, sent in asked]
    billed = [price.currency for _, price, _ in priced if price.amount or price.answers]
    purse = Purse(amount, billed[0] if billed else priced[0][1].currency)
    if len(set(billed)) > 1:
        raise ConfigurationError(
            "a budget (translator.max_cost) cannot be shared by translators that are paid in "
            f"{' and '.join(sorted(set(billed)))}: state their prices in one currency"
        )
    purse.spent = sum(cost(sent, price, one.limits) for one, price, sent in priced)
    return [Budget(purse, price, one.limits) for one, price, _ in priced]


def _price(translator: Provider) -> Price:
    if translator.price is None:
        raise ConfigurationError(
            f"a budget (translator.max_cost) needs a price, and that of {translator.name} is not "
            "known here: state it with translator.price_per_million and translator.price_unit"
        )
    return translator.price
