"""The `prism` command."""
