"""Formats of Office before 2007: RTF, Outlook messages, and DOC, XLS and PPT through LibreOffice.

The product finds each by the entry points of this distribution.
"""
