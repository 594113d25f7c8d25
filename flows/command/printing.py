"""Lines as every command prints them: never cut, never coloured by guesswork."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape


def print_line(console: Console, markup: str) -> None:
    """A line as long as it is. Whatever of it comes from outside has to be escaped."""
    console.print(markup, soft_wrap=True, highlight=False)


def print_fact(console: Console, label: str, value: object) -> None:
    """A dim ``label`` and its value, in which nothing is markup."""
    print_line(console, f"[dim]{label}[/]  {escape(str(value))}")


def print_losses(console: Console, losses: Iterable[str]) -> None:
    """What a destruction takes away, before it is confirmed."""
    print_line(console, "[bold]After this[/]")
    for loss in losses:
        print_line(console, f"  - {escape(loss)}")


def money(amount: float, currency: str) -> str:
    """``1,234.50 USD``; less than a cent is shown as less, never as nothing."""
    return f"< 0.01 {currency}" if 0 < amount < 0.01 else f"{amount:,.2f} {currency}"
