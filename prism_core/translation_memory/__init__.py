"""Translation memories: files of sentences and their translations, read, matched and written."""
