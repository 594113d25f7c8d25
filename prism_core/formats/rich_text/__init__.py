"""Rich Text as RTF files and Outlook messages both hold it: tokens, words, code pages."""
