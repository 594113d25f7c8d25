"""What a run may cost, and the stop before the request that would cost more."""

from __future__ import annotations

from dataclasses import dataclass

from prism_core.errors import BudgetReached, ConfigurationError
from prism_core.translators.base import Limits, Price, Translator
from prism_core.translators.batches import Batch
from prism_core.translators.cost import NOTHING, Sent, cost
from prism_core.translators.settings import TranslatorSettings


@dataclass(slots=True)
class Budget:
    """``amount`` in the currency of ``price``, of which ``spent`` is gone.

    Every attempt of a request counts in full, as the provider may bill each. One thread books.
    """

    amount: float
    price: Price
    limits: Limits
    spent: float = 0.0

    def book(self, batch: Batch) -> None:
        """Count a request with ``batch`` that is about to leave.

        Raises ``BudgetReached``, and counts nothing, when it would cost more than is left.
        """
        sent = Sent(1, len(batch), sum(len(item.text) for item in batch))
        after = self.spent + cost(sent, self.price, self.limits)
        if after > self.amount:
            currency = self.price.currency
            raise BudgetReached(
                f"The budget of {self.amount:,.2f} {currency} (translator.max_cost) is used up: "
                f"about {self.spent:,.4f} {currency} are spent, and the next request would come to "
                f"{after:,.4f}. What was answered is kept; the same command goes on, with a budget "
                "afresh."
            )
        self.spent = after


def budget_of(
    settings: TranslatorSettings, translator: Translator, sent: Sent = NOTHING
) -> Budget | None:
    """The budget that ``settings`` set, less what was ``sent`` of it; None for no budget.

    Raises ``ConfigurationError`` where the translator's price is not known.
    """
    if settings.max_cost is None:
        return None
    price = translator.price
    if price is None:
        raise ConfigurationError(
            f"a budget (translator.max_cost) needs a price, and that of {translator.name} is not "
            "known here: state it with translator.price_per_million and translator.price_unit"
        )
    return Budget(settings.max_cost, price, translator.limits, cost(sent, price, translator.limits))
