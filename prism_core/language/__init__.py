"""The text of a document as sentences of tagged tokens, by the spaCy pipeline that PRISM ships."""
