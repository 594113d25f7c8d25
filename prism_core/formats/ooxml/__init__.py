"""What the Office Open XML formats share: the package, its units of text, paragraphs, drawings."""
