"""Identifiers: what names someone, how it is found, replaced and kept from leaving."""
