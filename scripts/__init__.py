"""Programs for maintainers; none is part of the package."""
